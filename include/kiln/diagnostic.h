// SPDX-License-Identifier: Apache-2.0
// Part of Kiln's public interface. A diagnostic is plain data: what is wrong, where, and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

enum class Severity : uint8_t {
  kError,    ///< nothing was made
  kWarning,  ///< something was made, and it is likely not what was meant
  kInfo,
};

/// A place in a source text. Lines and columns are 1-based, columns count Unicode code points, the end is exclusive;
/// 0 where unknown. `file` is the name that was given to the source; empty where there is no place.
struct SourceLocation {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;
};

struct DiagnosticNote {
  SourceLocation location;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  /// Stable, lower-case, hyphenated: "type-mismatch". Messages may change between versions, codes do not.
  std::string code;
  SourceLocation location;
  std::string message;
  /// As "did you mean 'binding'?"; empty where nothing is certain.
  std::string hint;
  std::vector<DiagnosticNote> notes;
  /// The text of the line of the location, for drawing a caret.
  std::string source_line;
};

/// The diagnostic as compilers print it: "shader.wgsl:3:7: error: ... [code]", the line, a caret, the notes; UTF-8,
/// ends with a line break.
std::string ToString(const Diagnostic& diagnostic);

}  // namespace kiln
