// SPDX-License-Identifier: Apache-2.0
// One file to one target, as a compiler: what `kiln translate` is, a line in place of a glslc or spirv-cross call.
// No manifest, no generation; results come from and go to the same store unless that is switched off.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "build/depfile.h"
#include "build/engine.h"
#include "build/names.h"
#include "build/word_text.h"
#include "diag/sink.h"

namespace kiln::build {

struct TranslateOptions {
  std::string input;  // a path, or "-" for standard input (then `language` and `stage` must be given)
  /// A path, or "-" for standard output; empty: the text comes back in the report only.
  std::string output;
  /// "spirv-1.5", "msl-2.4", "glsl-450", "essl-300", "hlsl-6.0", "reflection"; "preprocessed" (-E); "spvasm".
  /// Empty: from the extension of the output (.spv .metal .hlsl .glsl .essl .json .spvasm).
  std::string target;
  /// Where neither `target` nor the output's extension says it.
  std::string default_target;
  std::optional<Language> language;
  std::optional<Stage> stage;
  std::string entry;  // empty: main, or the only one
  std::vector<std::string> include;
  /// In order; a later one wins.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Values of WGSL overrides by @id or name, each once; the text of a number, true or false each.
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string environment;  // empty: vulkan1.2, or what the SPIR-V version needs
  /// What `environment` is where it is empty and SPIR-V of GLSL or HLSL is made; may be empty.
  std::string default_environment;
  std::string optimize;  // none (also empty), performance, size, or a list of spirv-opt passes
  bool debug_info = false;
  /// What SPIR-V calls the entry point in place of `entry`; empty: the same.
  std::string entry_name;
  /// More options of `compile` in worker/action.h by name; of GLSL and HLSL. Besides: preserve-bindings, of `optimize`.
  std::vector<std::pair<std::string, std::string>> compile_options;
  /// More options of `translate` in worker/action.h by name.
  std::vector<std::pair<std::string, std::string>> target_options;

  bool hides_warnings = false;
  bool are_warnings_errors = false;
  /// How SPIR-V is written.
  WordOptions words;
  /// In place of the output: what it depends on, as a dependency file would say.
  bool lists_dependencies = false;

  /// What makes SPIR-V invalid is a warning.
  bool is_validation_advisory = false;
  /// A file for the slots that the text's resources were given, as JSON; empty: none.
  std::string bindings;

  /// The report has a readable form of the SPIR-V too, beside the output.
  bool shows_assembly = false;

  /// Written on success where not empty; `depfile_targets` name what it is about (none: the output).
  std::string depfile;
  std::vector<std::string> depfile_targets;
  DepfileOptions depfile_options;
  /// The dependency file also names the folders in which an include was looked for and not found.
  bool has_depfile_folders = false;

  std::string toolchain;
  std::string tool_folder;
  std::string cache_folder;
  bool no_cache = false;
  unsigned deadline_seconds = 0;
  unsigned memory_mib = 0;
};

struct TranslateReport {
  Exit exit = Exit::kInternal;
  std::string bytes;
  std::string assembly;
  bool was_cached = false;
  /// Every file that was read, as it is named on the command line.
  std::vector<std::string> inputs;
};

TranslateReport Translate(const TranslateOptions& options, diag::Sink& sink);

}  // namespace kiln::build
