// SPDX-License-Identifier: Apache-2.0
// The public library over the inner interfaces: what it gives away are copies of plain data.
#include "kiln/shader.h"

#include <mutex>

#include "api/compile.h"
#include "diag/render.h"
#include "emit/spirv/emit.h"
#include "emit/wgsl/emit.h"
#include "ir/print.h"
#include "reflect/from_ir.h"
#include "reflect/json.h"
#include "run/run.h"

namespace kiln {

class ShaderModule::Impl {
 public:
  std::string name;
  std::string source;  // Specialize compiles it again
  diag::SourceSet sources;
  std::unique_ptr<api::CompiledModule> compiled;
  /// Emitting and running leave the module as it is, but may make types and constants in its tables.
  mutable std::mutex tables;
};

namespace {

SourceLocation ToPublic(const diag::Location& location) {
  return {location.file, location.begin.line, location.begin.column, location.end.line, location.end.column};
}

Diagnostic ToPublic(const diag::Diagnostic& diagnostic) {
  Diagnostic out;
  out.severity = static_cast<Severity>(diagnostic.severity);
  out.code = diagnostic.code;
  out.location = ToPublic(diagnostic.location);
  out.message = diagnostic.message;
  out.hint = diagnostic.hint;
  for (const diag::Note& note : diagnostic.notes) out.notes.push_back({ToPublic(note.location), note.message});
  out.source_line = diagnostic.source_line;
  return out;
}

std::vector<Diagnostic> ToPublic(const diag::Sink& sink) {
  std::vector<Diagnostic> out;
  out.reserve(sink.diagnostics().size());
  for (const diag::Diagnostic& diagnostic : sink.diagnostics()) out.push_back(ToPublic(diagnostic));
  return out;
}

diag::Location FromPublic(const SourceLocation& location) {
  return {location.file, {location.line, location.column}, {location.end_line, location.end_column}};
}

Compiled Compile(std::string name, std::string source, const wgsl::resolve::Pipeline* pipeline) {
  auto impl = std::make_unique<ShaderModule::Impl>();
  impl->name = std::move(name);
  impl->source = std::move(source);
  const diag::SourceFile& file = impl->sources.AddView(impl->name, impl->source);
  diag::Sink sink(impl->sources);
  api::CompileOptions options;
  options.pipeline = pipeline;
  auto compiled = api::CompileWgsl(file, options, sink);
  Compiled result;
  result.diagnostics = ToPublic(sink);
  if (!compiled) return result;
  impl->compiled = *std::move(compiled);
  result.module.emplace(std::move(impl));
  return result;
}

std::string_view ScalarName(const core::Type* type) {
  switch (type->kind) {
    case core::TypeKind::kBool:
      return "bool";
    case core::TypeKind::kI32:
      return "i32";
    case core::TypeKind::kU32:
      return "u32";
    case core::TypeKind::kF16:
      return "f16";
    default:
      return "f32";
  }
}

}  // namespace

std::string ToString(const Diagnostic& diagnostic) {
  diag::Diagnostic inner;
  inner.severity = static_cast<diag::Severity>(diagnostic.severity);
  inner.code = diagnostic.code;
  inner.location = FromPublic(diagnostic.location);
  inner.message = diagnostic.message;
  inner.hint = diagnostic.hint;
  for (const DiagnosticNote& note : diagnostic.notes) inner.notes.push_back({FromPublic(note.location), note.message});
  inner.source_line = diagnostic.source_line;
  return diag::Render(inner, diag::Format::kGcc);
}

Compiled CompileWgsl(std::string_view source, const WgslOptions& options) {
  return Compile(options.name, std::string(source), nullptr);
}

ShaderModule::ShaderModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ShaderModule::ShaderModule(ShaderModule&&) noexcept = default;
ShaderModule& ShaderModule::operator=(ShaderModule&&) noexcept = default;
ShaderModule::~ShaderModule() = default;

std::vector<EntryPointInfo> ShaderModule::entry_points() const {
  std::vector<EntryPointInfo> out;
  for (const ir::Function* function : impl_->compiled->ir.functions) {
    if (function->entry == nullptr) continue;
    EntryPointInfo& info = out.emplace_back();
    info.name = function->name;
    info.stage = static_cast<ShaderStage>(function->entry->stage);
    if (function->entry->workgroup_size[0] == nullptr) continue;
    std::array<uint32_t, 3> size{};
    bool is_known = true;
    for (size_t i = 0; i < 3; ++i) {
      const ir::Expr* expr = function->entry->workgroup_size[i];
      is_known = is_known && expr->Is(ir::ExprKind::kConstant);
      if (is_known) size[i] = expr->constant()->u32();
    }
    if (is_known) info.workgroup_size = size;
  }
  return out;
}

std::vector<OverrideInfo> ShaderModule::overrides() const {
  std::vector<OverrideInfo> out;
  for (const ir::Override* override : impl_->compiled->ir.overrides) {
    OverrideInfo& info = out.emplace_back();
    info.name = override->name;
    info.key = override->override_id ? std::to_string(*override->override_id) : info.name;
    info.type = ScalarName(override->type);
    info.has_default = override->init != nullptr;
    if (override->init && override->init->Is(ir::ExprKind::kConstant)) {
      const core::Constant* value = override->init->constant();
      info.default_value = override->type->is_float_scalar() ? value->f() : static_cast<double>(value->i());
    }
  }
  return out;
}

Compiled ShaderModule::Specialize(const PipelineOptions& options) const {
  std::vector<wgsl::resolve::OverrideValue> values;
  for (const OverrideValue& value : options.overrides) values.push_back({value.key, value.value});
  wgsl::resolve::Pipeline pipeline;
  pipeline.entry_point = options.entry_point;
  pipeline.overrides = values;
  for (size_t i = 0; i < 3; ++i) pipeline.limits.workgroup_size[i] = options.max_workgroup_size[i];
  pipeline.limits.workgroup_invocations = options.max_workgroup_invocations;
  pipeline.limits.workgroup_storage_bytes = options.max_workgroup_storage_bytes;
  return Compile(impl_->name, impl_->source, &pipeline);
}

SpirvOutput ShaderModule::EmitSpirv(const SpirvOptions& options) const {
  emit::spirv::Options inner;
  inner.version = static_cast<uint32_t>(options.version);
  inner.entry_points = options.entry_points;
  inner.protections = {options.clamp_indices,    options.zero_workgroup, options.zero_variables,
                       options.integer_division, options.mask_shifts,    options.saturate_conversions,
                       options.bound_loops,      options.texture_bounds};
  inner.external_textures =
      options.external_planes ? emit::spirv::ExternalTextures::kPlanes : emit::spirv::ExternalTextures::kOnePlane;
  inner.names = options.debug_names;
  inner.derivative_control = options.derivative_control;
  inner.block_rules = static_cast<emit::spirv::BlockRules>(options.block_rules);
  inner.texture_counts_from_uniform = options.texture_counts_from_uniform;
  inner.line_info = options.debug_lines;
  inner.sources = &impl_->sources;
  diag::Sink sink(impl_->sources);
  SpirvOutput out;
  const std::lock_guard lock(impl_->tables);
  if (auto words = emit::spirv::Emit(impl_->compiled->ir, inner, sink)) out.words = *std::move(words);
  out.diagnostics = ToPublic(sink);
  return out;
}

TextOutput ShaderModule::EmitWgsl() const {
  diag::Sink sink(impl_->sources);
  TextOutput out;
  const std::lock_guard lock(impl_->tables);
  if (auto text = emit::wgsl::Emit(impl_->compiled->ir, sink)) out.text = *std::move(text);
  out.diagnostics = ToPublic(sink);
  return out;
}

RunOutput ShaderModule::Run(const RunOptions& options) const {
  std::vector<run::Buffer> buffers;
  for (const BufferBinding& buffer : options.buffers) {
    buffers.push_back({{buffer.group, buffer.binding}, buffer.bytes});
  }
  run::Options inner;
  inner.entry_point = options.entry_point;
  inner.workgroups = options.workgroups;
  inner.buffers = buffers;
  inner.immediates = options.immediates;
  inner.max_steps = options.max_steps;
  inner.max_memory = options.max_memory;
  diag::Sink sink(impl_->sources);
  RunOutput out;
  const std::lock_guard lock(impl_->tables);
  if (const auto steps = run::Run(impl_->compiled->ir, inner, sink)) {
    out.finished = true;
    out.steps = *steps;
  }
  out.diagnostics = ToPublic(sink);
  return out;
}

std::string ShaderModule::ReflectJson() const {
  const std::lock_guard lock(impl_->tables);
  return reflect::ToJson(reflect::FromIr(impl_->compiled->ir));
}
std::string ShaderModule::IrText() const {
  const std::lock_guard lock(impl_->tables);
  return ir::Print(impl_->compiled->ir);
}

size_t ShaderModule::MemoryUse() const {
  return impl_->compiled->arena.reserved_bytes() + impl_->compiled->ir.arena.reserved_bytes() + impl_->source.size();
}

}  // namespace kiln
