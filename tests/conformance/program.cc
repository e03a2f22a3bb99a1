// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include "base/arena.h"
#include "base/names.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "emit/spirv/emit.h"
#include "emit/wgsl/emit.h"
#include "ir/module.h"
#include "ir/verify.h"
#include "wgsl/lower/lower.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/resolve/specialize.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/syntax/words.h"
#include "wgsl/validate/validate.h"

namespace kiln::conformance {
namespace {

std::string FirstError(std::string_view stage, const diag::Sink& sink) {
  for (const diag::Diagnostic& diagnostic : sink.diagnostics()) {
    if (diagnostic.severity != diag::Severity::kError) continue;
    return std::string(stage) + ": " + diagnostic.message + " (line " + std::to_string(diagnostic.location.begin.line) +
           ")";
  }
  return std::string(stage) + ": failed without an error";
}

std::string CompileText(const ProgramRequest& request, std::string_view code, bool is_second, Program& program) {
  Arena arena;
  NameTable names(wgsl::Words());
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const diag::SourceFile& file = sources.AddView("program.wgsl", code);
  const std::string prefix = is_second ? "again " : "";
  auto tree = wgsl::Parse(file, names, arena, sink);
  if (!tree) return FirstError(prefix + "parse", sink);
  core::TypeTable types(arena);
  auto info = wgsl::resolve::Resolve(**tree, names, types, arena, sink, {});
  if (!info) return FirstError(prefix + "resolve", sink);
  if (!wgsl::validate::Validate(**info, names, arena, sink)) return FirstError(prefix + "validate", sink);
  wgsl::lower::Options lowering;
  if (request.specialize && !(request.round_trip && !is_second)) {
    std::vector<wgsl::resolve::OverrideValue> overrides;
    for (const auto& [key, value] : request.constants) overrides.push_back({key, value});
    wgsl::resolve::Pipeline pipeline;
    pipeline.entry_point = request.entry_point;
    pipeline.overrides = overrides;
    auto entry = wgsl::resolve::Specialize(**info, names, types, arena, sink, pipeline);
    if (!entry) return FirstError(prefix + "specialize", sink);
    lowering.entry_point = *entry;
  }
  ir::Module module(types);
  wgsl::lower::Lower(**info, names, lowering, module);
  if (!ir::Verify(module, sink)) return FirstError(prefix + "verify", sink);
  if (request.round_trip && !is_second) {
    auto text = emit::wgsl::Emit(module, sink);
    if (!text) return FirstError("emit wgsl", sink);
    program.wgsl = std::move(*text);
    return CompileText(request, program.wgsl, true, program);
  }
  for (const ir::Var* var : module.vars) {
    if (var->binding && var->type->To<core::PointerType>().space == core::AddressSpace::kUniform) {
      program.uniforms.emplace_back(var->binding->group, var->binding->binding);
    }
  }
  for (const ir::Function* function : module.functions) {
    if (function->entry == nullptr) continue;
    if (request.entry_point.empty() || function->name == request.entry_point) program.entry_point = function->name;
  }
  if (is_second && !request.specialize) {  // what is lowered for one entry point is less than the text
    const auto same = emit::wgsl::Emit(module, sink);
    if (!same || *same != program.wgsl) return "emit wgsl: the text that was emitted is not in normal form";
  }
  emit::spirv::Options options;
  options.version = request.version;
  if (request.external_planes) options.external_textures = emit::spirv::ExternalTextures::kPlanes;
  if (request.block_rules == "gl") options.block_rules = emit::spirv::BlockRules::kGl;
  if (request.block_rules == "hlsl") options.block_rules = emit::spirv::BlockRules::kHlsl;
  auto words = emit::spirv::Emit(module, options, sink);
  if (!words) return FirstError(prefix + "emit", sink);
  program.spirv = std::move(*words);
  return "";
}

}  // namespace

std::string Compile(const ProgramRequest& request, Program& program) {
  return CompileText(request, request.code, false, program);
}

}  // namespace kiln::conformance
