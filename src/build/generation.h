// SPDX-License-Identifier: Apache-2.0
// The next generation: from what was made, and from the old one where a filter left it alone, to a record and a plan
// for publish.h. Says what would change without changing anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "build/maker.h"
#include "build/project.h"
#include "build/publish.h"
#include "build/record.h"
#include "build/state.h"

namespace kiln::build {

struct Generation {
  Record record;
  PublishPlan publish;
  std::vector<std::string> written;  // sorted: bytes differ, or new
  std::vector<std::string> removed;  // sorted
  std::vector<std::string> outputs;  // in manifest order
  bool is_record_changed = false;

  bool HasChanges() const { return !written.empty() || !removed.empty() || is_record_changed; }
};

/// The record in an output folder; nullopt where there is none. A damaged one is nullopt with `why`.
std::optional<Record> ReadRecordIn(Disk& disk, const std::string& output_folder, std::string& why);

/// `made` has an element an artifact of the plan, null where a filter left it out. `old_state` saves reading files that
/// are as they were published.
Generation NextGeneration(Disk& disk, const Project& project, const worker::ToolchainSet& toolchain, Maker& maker,
                          const std::vector<const MadeArtifact*>& made, const std::optional<Record>& old,
                          const std::optional<State>& old_state);

/// Digests of the files of an output folder, by path relative to it; nullopt where one is no regular file.
std::vector<std::optional<Digest>> DigestsOf(Disk& disk, const std::string& folder,
                                             const std::vector<std::string>& paths,
                                             const std::optional<State>& old_state);

}  // namespace kiln::build
