// SPDX-License-Identifier: Apache-2.0
// One run of `translate`: what is asked for, how it is made, what is written. Private to the three files
// named below and to check_files.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "build/maker.h"
#include "build/plan.h"
#include "build/recipe.h"
#include "build/sources.h"
#include "build/translate.h"
#include "diag/sink.h"

namespace kiln::build {

class TranslateTools;

/// What is not a target of a manifest.
enum class Special : uint8_t { kNone, kPreprocessed, kDisassembly };

class TranslateRun {
 public:
  TranslateRun(const TranslateOptions& options, diag::Sink& sink)
      : options_(options), sink_(sink), disk_(SystemDisk()) {}
  ~TranslateRun() {
    if (!temporary_.empty()) (void)disk_.RemoveTree(temporary_).ok();
  }
  TranslateRun(const TranslateRun&) = delete;
  TranslateRun& operator=(const TranslateRun&) = delete;

  /// What is asked for, and of what. False where that was wrong; TakeReport then says with what to exit.
  bool Prepare();
  bool NeedsToolchain() const;
  /// After Prepare. The run is over when the executor of `tools` has nothing left.
  void Start(TranslateTools& tools, MakerOptions maker_options);
  /// Whether the output came to be, once it is told done; nothing is reported or written yet.
  bool IsMade() const;
  /// Reports and writes.
  TranslateReport Finish();
  TranslateReport TakeReport() { return std::move(report_); }

 private:
  // ------------------------------------------------------------------------------------------- translate_request.cc
  bool DecideTarget();
  /// Options of texts are the toolchain's to refuse; nobody else looks at those of other targets, nor at protections.
  bool CheckOptions(std::string_view asked, bool is_text);
  /// The file, or standard input as a file of its own: includes of it are looked for in the working folder.
  bool OpenInput();
  bool DecideUnit();
  /// A WGSL text says itself what its entry points are. SPIR-V can hold all of them; one text of another language is
  /// about one.
  bool DecideWgslEntry();
  std::string MeantEntry() const;
  /// SPIR-V says itself what its entry points are; one must be chosen only where there are several.
  bool DecideSpirvEntry();

  // --------------------------------------------------------------------------------------------------- translate.cc
  Recipe MakeRecipe() const;
  /// What only a command line asks for.
  void ApplyForeign(Recipe& recipe) const;
  /// Hides warnings or makes errors of them; true where there are such errors.
  bool JudgeWarnings(std::vector<diag::Diagnostic>& diagnostics) const;

  // -------------------------------------------------------------------------------------------- translate_output.cc
  /// As it was typed; includes in the same way, absolute or from here. Empty for what only Kiln itself made.
  std::string ShownName(const std::string& id) const;
  /// As above, of what may not be there: a place that was looked at.
  std::string ShownPath(const std::string& id) const;
  /// #line directives speak of "m1"; people and the next compiler want the name of a file.
  std::string WithShownNames(std::string_view text, const MadeArtifact& made) const;
  /// Compilers are called by scripts, and scripts mix names up: what was read must survive.
  bool SparesInputs(const MadeArtifact& made);
  /// The folders where a file would be found first that was found elsewhere, or not at all. Not those that this run
  /// writes in: with them nothing would ever be up to date.
  std::vector<std::string> FoldersOf(const std::vector<std::string>& absent) const;
  Result<std::string> DepfileText(const MadeArtifact& made, const std::vector<std::string>& absent, std::string about);
  /// -M: the list is the product; it goes to the dependency file where one is named.
  Exit WriteList(const MadeArtifact& made, const std::vector<std::string>& absent);
  Exit WriteAll(const MadeArtifact& made, const std::string& bindings, const std::vector<std::string>& absent);

  const TranslateOptions& options_;
  diag::Sink& sink_;
  Disk& disk_;
  TranslateReport report_;
  std::string here_;
  std::string absolute_;
  std::string temporary_;
  std::vector<std::string> include_;
  std::unique_ptr<Sources> sources_;
  Unit unit_;
  Target target_;
  Recipe recipe_;
  std::unique_ptr<Maker> maker_;
  Special special_ = Special::kNone;
  bool is_assembly_ = false;
};

}  // namespace kiln::build
