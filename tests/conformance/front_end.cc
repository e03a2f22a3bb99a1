// SPDX-License-Identifier: Apache-2.0
#include "front_end.h"

#include <cstdio>
#include <cstring>

#include "base/arena.h"
#include "base/names.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/resolve/specialize.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/syntax/words.h"
#include "wgsl/validate/validate.h"

namespace kiln::conformance {
namespace {

template <size_t N>
void CopyText(char (&to)[N], const std::string& from) {
  std::snprintf(to, N, "%s", from.c_str());
}

void Reject(const diag::Sink& sink, Outcome& outcome) {
  outcome.state = State::kRejected;
  for (const diag::Diagnostic& diagnostic : sink.diagnostics()) {
    if (diagnostic.severity != diag::Severity::kError) continue;
    outcome.line = diagnostic.location.begin.line;
    CopyText(outcome.code, diagnostic.code);
    CopyText(outcome.message, diagnostic.message);
    return;
  }
}

}  // namespace

void CheckRow(const Row& row, Outcome& outcome) {
  Arena arena;
  NameTable names(wgsl::Words());
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const diag::SourceFile& file = sources.AddView("row.wgsl", row.code);
  auto module = wgsl::Parse(file, names, arena, sink);
  if (!module) return Reject(sink, outcome);
  core::TypeTable types(arena);
  auto info = wgsl::resolve::Resolve(**module, names, types, arena, sink, {});
  if (!info) return Reject(sink, outcome);
  if (!wgsl::validate::Validate(**info, names, arena, sink)) return Reject(sink, outcome);
  if (row.has_pipeline) {
    std::vector<wgsl::resolve::OverrideValue> overrides;
    for (const auto& [key, value] : row.constants) overrides.push_back({key, value});
    wgsl::resolve::Pipeline pipeline;
    pipeline.entry_point = row.entry_point;
    pipeline.overrides = overrides;
    if (!wgsl::resolve::Specialize(**info, names, types, arena, sink, pipeline)) return Reject(sink, outcome);
  }
  outcome.state = State::kAccepted;
}

}  // namespace kiln::conformance
