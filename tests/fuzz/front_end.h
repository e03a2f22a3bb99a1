// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: a text as far through the front end as it goes, with all that its IR stands on.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/names.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "ir/module.h"
#include "ir/verify.h"
#include "wgsl/lower/lower.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/validate/validate.h"

namespace kiln::fuzz {

/// Ends the process with a finding: something that must hold whatever the input is does not.
[[noreturn]] inline void Finding(const char* what, const diag::Sink& sink, std::string_view text) {
  std::fprintf(stderr, "finding: %s\n", what);
  for (const diag::Diagnostic& diagnostic : sink.diagnostics()) {
    std::fprintf(stderr, "  line %u: %s\n", static_cast<unsigned>(diagnostic.location.begin.line),
                 diagnostic.message.c_str());
  }
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
  std::abort();
}

/// A WGSL text; `module` is there if the text is valid, and then it is verified.
struct FrontEnd {
  explicit FrontEnd(std::string_view text) {
    auto tree = wgsl::Parse(sources.AddView("fuzz.wgsl", text), names, arena, sink);
    if (!tree) return;
    auto info = wgsl::resolve::Resolve(**tree, names, types, arena, sink, {});
    if (!info || !wgsl::validate::Validate(**info, names, arena, sink)) return;
    module.emplace(types);
    wgsl::lower::Lower(**info, names, {}, *module);
    if (!ir::Verify(*module, sink)) Finding("a valid text became IR that Verify refuses", sink, text);
  }

  Arena arena;
  NameTable names{wgsl::Words()};
  diag::SourceSet sources;
  diag::Sink sink{sources};
  core::TypeTable types{arena};
  std::optional<ir::Module> module;
};

inline std::string_view TextOf(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

}  // namespace kiln::fuzz
