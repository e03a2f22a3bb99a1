// SPDX-License-Identifier: Apache-2.0
// Turns diagnostics into text: for people and editors (GCC, MSVC), for programs (JSON, one object a line), for review
// tools (SARIF 2.1.0). Rendering reads the diagnostic alone, never a file, so that what a cache repeats looks as it did
// when it was new. Whatever stands in a source or a message, the output holds no control character that could drive a
// terminal, and a range that makes no sense costs its caret and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "diag/diagnostic.h"

namespace kiln::diag {

enum class Format : uint8_t { kGcc, kMsvc, kJson, kSarif };

/// "gcc", "msvc", "json", "sarif"; empty for another word.
std::optional<Format> ParseFormat(std::string_view word);

enum class ColorMode : uint8_t { kAuto, kAlways, kNever };

/// "auto", "always", "never"; empty for another word.
std::optional<ColorMode> ParseColorMode(std::string_view word);

/// What the environment says about colour; null where a variable is not set. An empty NO_COLOR counts as not set.
struct ColorEnvironment {
  const char* no_color = nullptr;
  const char* clicolor_force = nullptr;
  const char* clicolor = nullptr;
  const char* term = nullptr;
};

/// The mode decides where it is explicit; then NO_COLOR, CLICOLOR_FORCE, CLICOLOR in this order; then the terminal.
bool WantsColor(ColorMode mode, const ColorEnvironment& environment, bool is_terminal);

struct RenderOptions {
  bool color = false;
  /// Columns of the drawn source line, at least 40; a longer one is cut around the caret.
  uint32_t width = 120;
};

/// One diagnostic with its notes and hint; ends in a line break. kSarif has no form for one diagnostic: see
/// RenderSarif.
std::string Render(const Diagnostic& diagnostic, Format format, const RenderOptions& options = {});

/// A complete SARIF 2.1.0 document with one run; ends in a line break. `version` is Kiln's own.
std::string RenderSarif(std::span<const Diagnostic> diagnostics, std::string_view version);

/// `text` with control characters, line breaks, bidirectional overrides and broken UTF-8 written out as <U+001B> or
/// <FF>, so that it is safe to print and stays on its line.
std::string Visible(std::string_view text);

}  // namespace kiln::diag
