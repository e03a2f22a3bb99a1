// SPDX-License-Identifier: Apache-2.0
// What the adapters need to know about a text in a C-like language without parsing it: its lines, where code stands and
// where comments do, #line and #pragma once directives, how deep its brackets nest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::toolchain {

/// A copy in which comments are spaces (line breaks stay), so that offsets, lines and columns are those of the text.
/// Texts in double quotes (the names of #include and #line) stay.
std::string WithoutComments(std::string_view text);

/// The 1-based line without its line break; empty past the end.
std::string_view LineOf(std::string_view text, uint32_t line);

/// 1-based column in code points of a byte of a line.
uint32_t ColumnOf(std::string_view line, size_t byte);

/// Byte offsets of `token` in `line`; a token that is a name is found as a whole name only.
std::vector<size_t> FindToken(std::string_view line, std::string_view token);

/// A #line directive: the line after `after` is line `line` of `file` (which is a number's digits, a name, or empty for
/// "the same file").
struct LineDirective {
  uint32_t after = 0;
  uint32_t line = 0;
  std::string file;
};
std::vector<LineDirective> FindLineDirectives(std::string_view text);

bool HasPragmaOnce(std::string_view text);
bool HasDirective(std::string_view text, std::string_view name);

/// The place where ( [ { nest deeper than `limit`; npos where they do not.
size_t FindTooDeep(std::string_view text, size_t limit);

/// Without a UTF-8 byte order mark at its start.
std::string_view WithoutMark(std::string_view text);

}  // namespace kiln::toolchain
