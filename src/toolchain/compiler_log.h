// SPDX-License-Identifier: Apache-2.0
// Turns glslang's information log into diagnostics: one message an error, a stable code, the place in the author's
// module, a column where the log has one or the token it names is unambiguous, readable words for grammar tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.h"

namespace kiln::toolchain {

/// One text of the compilation: what the compiler calls it, which module that is, and its text.
struct NamedText {
  std::string shown;
  std::string module;
  std::string_view text;
};

struct LogContext {
  const std::vector<NamedText>& texts;
  /// The module that messages without a place are about.
  std::string root;
  bool has_columns = false;
  std::string entry_point;
};

/// Errors come before warnings of the same log only if the log has them so. Equal messages are given once, at most
/// `limit` in all.
std::vector<diag::Diagnostic> ReadCompilerLog(std::string_view log, const LogContext& context, size_t limit = 200);

}  // namespace kiln::toolchain
