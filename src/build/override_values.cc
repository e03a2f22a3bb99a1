// SPDX-License-Identifier: Apache-2.0
#include "build/override_values.h"

#include <charconv>
#include <cmath>

#include "base/outcome.h"
#include "diag/sink.h"

namespace kiln::build {

std::optional<double> OverrideNumber(std::string_view text, std::string& why) {
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error == std::errc::invalid_argument || end != text.data() + text.size()) {
    why =
        text.empty() ? "the value is missing" : "'" + Printable(text) + "' is no number, as 2.5, and not true or false";
    return std::nullopt;
  }
  // Numbers next to zero are out of range too; no type of an override tells them from it.
  if (error == std::errc::result_out_of_range) {
    const size_t exponent = text.find_first_of("eE");
    if (exponent != std::string_view::npos && text.substr(exponent + 1, 1) == "-") return 0;
    why = "'" + Printable(text) + "' is larger than any type of an override can hold";
    return std::nullopt;
  }
  if (std::isfinite(number)) return number;
  why = "'" + Printable(text) + "' is not finite";
  return std::nullopt;
}

void ExplainOverrides(std::vector<diag::Diagnostic>& diagnostics, const std::vector<GivenOverride>& given,
                      const diag::SourceSet& manifest) {
  for (diag::Diagnostic& each : diagnostics) {
    if (each.code == "no-override-value") {
      each.hint = "give the program \"overrides\" with it";
      continue;
    }
    if (each.code != "unknown-override" && each.code != "bad-override-value") continue;
    for (const GivenOverride& row : given) {
      const bool is_meant = each.message.find("'" + row.key + "'") != std::string::npos ||
                            each.message.find("@id(" + row.key + ")") != std::string::npos;
      if (!is_meant) continue;
      const bool is_unknown = each.code == "unknown-override";
      diag::Sink sink(manifest);
      {
        auto error = sink.Error(is_unknown ? row.key_where : row.where, "bad-override-value");
        error << each.message;
        error.Hint(each.hint);
      }
      diag::Diagnostic moved = std::move(sink.TakeDiagnostics().front());
      moved.code = each.code;
      moved.notes.push_back({each.location, is_unknown ? "this is the module" : "it is declared here"});
      each = std::move(moved);
      break;
    }
  }
}

}  // namespace kiln::build
