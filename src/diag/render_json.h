// SPDX-License-Identifier: Apache-2.0
// The two forms for programs. Both are ASCII: what is beyond it, or broken, is escaped.
#pragma once

#include <string>
#include <string_view>

#include "diag/diagnostic.h"

namespace kiln::diag {

/// One JSON object and a line break:
/// {"severity","code","message","file","line","column","endLine","endColumn","hint","notes":[{"message","file",...}]}.
/// Members without a value are left out.
std::string RenderJsonLine(const Diagnostic& diagnostic);

/// `text` as a JSON string with its quotes. Broken UTF-8 becomes U+FFFD.
std::string JsonString(std::string_view text);

/// A path as the relative reference of a URI (RFC 3986).
std::string UriOf(std::string_view path);

}  // namespace kiln::diag
