// SPDX-License-Identifier: Apache-2.0
// One-line expectations for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/type_table.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/syntax/words.h"
#include "wgsl/validate/validate.h"

namespace kiln::wgsl::validate {

/// A module that has been through the whole front end.
struct Validated {
  explicit Validated(std::string_view text) : sink(sources), names(Words()), types(arena) {
    const auto module = Parse(sources.Add("test.wgsl", std::string(text)), names, arena, sink);
    if (!module) return;
    const auto info = resolve::Resolve(**module, names, types, arena, sink, {});
    if (!info) return;
    was_resolved = true;
    is_valid = static_cast<bool>(Validate(**info, names, arena, sink));
  }

  static std::string Place(diag::Position position) {
    return std::to_string(position.line) + ":" + std::to_string(position.column);
  }
  /// "3:5 code: message" a line; notes as "  3:5: message". Warnings and infos begin with that word.
  std::string Messages() const {
    std::string out;
    for (const diag::Diagnostic& d : sink.diagnostics()) {
      if (d.severity == diag::Severity::kWarning) out += "warning ";
      if (d.severity == diag::Severity::kInfo) out += "info ";
      out += Place(d.location.begin) + " " + d.code + ": " + d.message + "\n";
      for (const diag::Note& note : d.notes) out += "  " + Place(note.location.begin) + ": " + note.message + "\n";
    }
    if (!out.empty()) out.pop_back();
    return out;
  }
  /// "3:5 code" of each message, with spaces between.
  std::string Codes() const {
    std::string out;
    for (const diag::Diagnostic& d : sink.diagnostics()) {
      if (!out.empty()) out += ' ';
      if (d.severity == diag::Severity::kWarning) out += "warning ";
      if (d.severity == diag::Severity::kInfo) out += "info ";
      out += Place(d.location.begin) + " " + d.code;
    }
    return out;
  }

  Arena arena;
  diag::SourceSet sources;
  diag::Sink sink;
  NameTable names;
  core::TypeTable types;
  bool was_resolved = false;
  bool is_valid = false;
};

/// Valid, without any message.
inline void ExpectValid(std::string_view text) {
  const Validated validated(text);
  EXPECT_TRUE(validated.is_valid) << text;
  EXPECT_EQ(validated.Messages(), "") << text;
}
/// Refused by a rule of this folder, with these codes.
inline void ExpectCodes(std::string_view text, std::string_view codes) {
  const Validated validated(text);
  EXPECT_TRUE(validated.was_resolved) << text;
  EXPECT_FALSE(validated.is_valid) << text;
  EXPECT_EQ(validated.Codes(), codes) << text << "\n" << validated.Messages();
}
inline void ExpectMessages(std::string_view text, std::string_view messages) {
  const Validated validated(text);
  EXPECT_TRUE(validated.was_resolved) << text;
  EXPECT_EQ(validated.Messages(), messages) << text;
}

}  // namespace kiln::wgsl::validate
