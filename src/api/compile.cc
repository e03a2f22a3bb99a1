// SPDX-License-Identifier: Apache-2.0
#include "api/compile.h"

#include "ir/verify.h"
#include "wgsl/lower/lower.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/validate/validate.h"

namespace kiln::api {
namespace {

struct Checked {
  wgsl::resolve::ModuleInfo* info = nullptr;
  const wgsl::resolve::FunctionInfo* entry_point = nullptr;
};

Result<Checked> Check(const diag::SourceFile& file, const CompileOptions& options, NameTable& names,
                      core::TypeTable& types, Arena& arena, diag::Sink& sink) {
  Checked checked;
  const size_t errors_before = sink.error_count();
  const auto tree = wgsl::Parse(file, names, arena, sink);
  if (!tree) return sink.FailedBecauseReported();
  const auto info = wgsl::resolve::Resolve(**tree, names, types, arena, sink, options.resolve);
  if (!info) return sink.FailedBecauseReported();
  checked.info = *info;
  if (!wgsl::validate::Validate(**info, names, arena, sink)) return sink.FailedBecauseReported();
  if (options.pipeline) {
    const auto entry = wgsl::resolve::Specialize(**info, names, types, arena, sink, *options.pipeline);
    if (!entry) return sink.FailedBecauseReported();
    checked.entry_point = *entry;
  }
  KILN_CHECK(sink.error_count() == errors_before);
  return checked;
}

}  // namespace

Result<std::unique_ptr<CompiledModule>> CompileWgsl(const diag::SourceFile& file, const CompileOptions& options,
                                                    diag::Sink& sink) {
  auto compiled = std::make_unique<CompiledModule>();
  NameTable names(wgsl::Words());
  const auto checked = Check(file, options, names, compiled->types, compiled->arena, sink);
  if (!checked) return sink.FailedBecauseReported();
  wgsl::lower::Options lower;
  lower.entry_point = checked->entry_point;
  wgsl::lower::Lower(*checked->info, names, lower, compiled->ir);
#ifndef NDEBUG
  ir::CheckValid(compiled->ir, "after lowering");
#endif
  return compiled;
}

Result<Done> CheckWgsl(const diag::SourceFile& file, const CompileOptions& options, diag::Sink& sink) {
  Arena arena;
  core::TypeTable types(arena);
  NameTable names(wgsl::Words());
  if (!Check(file, options, names, types, arena, sink)) return sink.FailedBecauseReported();
  return Done{};
}

}  // namespace kiln::api
