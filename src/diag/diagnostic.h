// SPDX-License-Identifier: Apache-2.0
// A diagnostic is data: severity, stable code, place, message, notes. It holds its place as file name, line and column
// rather than as a Range, so that it can be stored with a cached result and repeated on a hit, in a process that never
// had the sources open. Rendering is diag/render.h's alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diag/source.h"

namespace kiln::diag {

enum class Severity : uint8_t { kError, kWarning, kInfo };

/// A stable, lower-case, hyphenated name, as "unknown-key" or "wgsl-type-mismatch". It stands where the diagnostic is
/// issued; a test collects all of them and compares with docs/diagnostics.md.
class Code {
 public:
  consteval Code(const char* text) : text_(text) {  // NOLINT: implicit on purpose
    for (char c : text_) {
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) throw "a code is lower-case and hyphenated";
    }
    if (text_.empty()) throw "a code is not empty";
  }
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// A place in a file. Lines and columns are 1-based, columns count code points, the end is exclusive; 0 is unknown.
struct Location {
  std::string file;
  Position begin;
  Position end;

  bool is_known() const { return !file.empty(); }
  friend bool operator==(const Location&, const Location&) = default;
};

struct Note {
  Location location;
  std::string message;
  friend bool operator==(const Note&, const Note&) = default;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;
  Location location;
  std::string message;
  /// What to do about it, as "did you mean 'binding'?"; empty where nothing is certain.
  std::string hint;
  std::vector<Note> notes;
  /// The text of the line of `location.begin`, kept so that a caret can be drawn later without the file.
  std::string source_line;
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

}  // namespace kiln::diag
