// SPDX-License-Identifier: Apache-2.0
// How one file is compiled, as users of glslc, glslangValidator, spirv-cross and naga type it; for the commands that
// take a file and no manifest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "build/translate.h"
#include "cli/options.h"
#include "cli/session.h"

namespace kiln::cli {

class CompileOptions {
 public:
  /// Language, stage, entry, defines, includes, environment: what says what the input is.
  void AddInputOptions(OptionTable& table);
  /// What counts as a warning and as an error.
  void AddVerdictOptions(OptionTable& table);
  /// Whether results are kept, and how long one may take.
  void AddRunOptions(OptionTable& table);
  /// Target, optimisation, debug information, options of the target.
  void AddOutputOptions(OptionTable& table);
  /// What other tools call these things, and what of theirs has no counterpart.
  void AddForeignOptions(OptionTable& table);

  /// Sets the fields of `options` the tables stand for. Returns what does not go together, empty if nothing.
  std::string Apply(const Session& session, build::TranslateOptions& options) const;

  /// The file that the compiler whose flags were used writes where the call names none; empty where it prints. `out`
  /// has its input. False, with `error` and `hint`, where the name needs what the call does not say.
  bool NameOutput(const build::TranslateOptions& out, std::string& name, std::string& error, std::string& hint) const;

  /// What depends on the input, once its name is in `options`: what is made where nothing says it, and for whom.
  void ApplyInput(build::TranslateOptions& options) const;

  /// glslangValidator's -H: SPIR-V is printed in readable form, besides being written.
  bool prints_assembly() const { return prints_assembly_; }

  /// A flag of glslc's or glslangValidator's stands in the call, whose further words are inputs.
  bool is_of_compiler() const { return naming_ != Naming::kNone; }

  build::TranslateOptions options;

 private:
  std::string SetKind(std::string_view kind);
  std::string SetEnvironment(std::string_view text);

  std::string kind_;     // "msl" of --msl
  std::string version_;  // of the kind
  std::string source_entry_;
  std::optional<uint64_t> deadline_;
  /// -V of glslangValidator compiles for Vulkan, of spirv-cross it writes GLSL for Vulkan: the input tells which.
  bool has_v_ = false;
  /// glslc's -S: assembly.
  bool has_assembly_ = false;
  bool prints_assembly_ = false;
  /// Whose names outputs have that the call does not name: of -c and -S, or of -V, -G and -H.
  enum class Naming : uint8_t { kNone, kGlslc, kGlslang };
  Naming naming_ = Naming::kNone;
  /// A flag of compilers that make nothing but SPIR-V.
  bool makes_spirv_ = false;
  bool has_16bit_types_ = false;
};

/// Before options are parsed: spellings of other tools that mean one thing or another by what follows them.
void RewriteForeign(std::vector<std::string>& arguments);

/// "NAME=VALUE" at its first '='; the value is `absent` where there is none.
std::pair<std::string, std::string> SplitPair(std::string_view text, std::string_view absent);

}  // namespace kiln::cli
