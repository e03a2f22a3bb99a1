// SPDX-License-Identifier: Apache-2.0
// One run of Build(): what it knows, and its parts. Private to the three files named below.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/sha256.h"
#include "build/engine.h"
#include "build/generation.h"
#include "build/maker.h"
#include "build/project.h"
#include "build/publish.h"
#include "build/state.h"
#include "diag/sink.h"
#include "worker/toolchain_set.h"

namespace kiln::build {

class BuildRun {
 public:
  BuildRun(const BuildOptions& options, Progress& progress, diag::Sink& sink)
      : options_(options), progress_(progress), sink_(sink), disk_(SystemDisk()) {}

  BuildReport Run();

 private:
  // ---------------------------------------------------------------------------------------------------------- build.cc
  bool HasState() const;
  Exit RunToExit();
  /// Another build is publishing, or one was killed: then this one waits, and cleans up.
  bool IsLockThere(const std::string& output_folder);
  /// The state is about this manifest, so its places are relative to the manifest's folder.
  Exit NothingToDo(const ManifestPlace& place);
  std::optional<Exit> TakeLock(std::optional<OutputLock>& lock);
  unsigned JobsOf() const;
  Exit MakeAll();
  void StartUnit(Maker& maker, const Unit& unit, const std::vector<size_t>& numbers);
  void WarnAboutStore(const store::Store& store);

  // ------------------------------------------------------------------------------------------------- build_conclude.cc
  /// Everything ran: messages in manifest order, each once; then publish.
  Exit Conclude(Maker& maker, const std::vector<const MadeArtifact*>& made);
  /// Slots that meet and passes that do not exist are the manifest's mistake, which the toolchain cannot know.
  diag::Diagnostic AtItsCause(const diag::Diagnostic& said, const PlannedArtifact& artifact) const;
  /// What is published must not be read: a build would then depend on what it replaces.
  bool CheckInputs(const Maker& maker);
  Exit PublishAll(Maker& maker, const std::vector<const MadeArtifact*>& made,
                  std::map<std::string, TargetSummary>& by_target);
  Exit ReportLocked(const Generation& next);
  void Unwrite(std::map<std::string, TargetSummary>& by_target);
  void Remember(const Maker& maker, const Generation& next);

  // -------------------------------------------------------------------------------------------------- build_depfile.cc
  /// What a depfile names; the same as of the state, which is not there for every build.
  State StateForDepfile(const Maker& maker, const Generation& generation) const;
  /// Empty where none was asked for.
  Result<std::string> DepfileText(const State& state, const std::string& working_folder);
  Exit WriteDepfile(std::string_view text, const std::string& working_folder);

  const BuildOptions& options_;
  Progress& progress_;
  diag::Sink& sink_;
  Disk& disk_;
  BuildReport report_;
  int64_t start_ns_ = 0;
  Digest identity_;
  std::string state_file_;
  std::optional<State> old_state_;
  std::unique_ptr<Project> project_;
  worker::Discovery found_;
  worker::ToolchainSet toolchain_;
  std::vector<diag::Diagnostic> plan_warnings_;
  std::vector<diag::Diagnostic> warnings_;
};

}  // namespace kiln::build
