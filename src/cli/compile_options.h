// SPDX-License-Identifier: Apache-2.0
// How one file is compiled, as users of glslc, glslangValidator, spirv-cross and naga type it; for the commands that
// take a file and no manifest.
#pragma once

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
  /// Target, optimisation, debug information, options of the target.
  void AddOutputOptions(OptionTable& table);

  /// Sets the fields of `options` the tables stand for. Returns what does not go together, empty if nothing.
  std::string Apply(const Session& session, build::TranslateOptions& options) const;

  build::TranslateOptions options;

 private:
  std::string SetKind(std::string_view kind);
  std::string SetEnvironment(std::string_view text);

  std::string kind_;     // "msl" of --msl
  std::string version_;  // of the kind
};

/// "NAME=VALUE" at its first '='; the value is `absent` where there is none.
std::pair<std::string, std::string> SplitPair(std::string_view text, std::string_view absent);

}  // namespace kiln::cli
