// SPDX-License-Identifier: Apache-2.0
// Module scope: directives, structures, overrides, variables, functions.
#include "wgsl/lower/lower.h"

#include <algorithm>

#include "base/inline_vector.h"
#include "ir/effects.h"
#include "wgsl/lower/lowering.h"

namespace kiln::wgsl::lower {

void Lower(const resolve::ModuleInfo& info, const NameTable& names, const Options& options, ir::Module& into) {
  Lowering(info, names, options, into).Run();
}

void Lowering::Run() {
  decls_.push_back(nullptr);  // 0: what was never bound
  decls_.reserve(256);
  functions_.resize(info_.functions.size());
  for (ast::Node* node : info_.module->decls) {
    auto* variable = node->TryAs<ast::Variable>();
    if (variable != nullptr) variable->index = 0;
  }
  Directives();
  Structs();

  const resolve::FunctionInfo* entry = options_.entry_point;
  InlineVector<bool, 64> is_used(info_.functions.size(), entry == nullptr);
  InlineVector<ast::Variable*, 32> variables;
  if (entry == nullptr) {
    for (ast::Node* node : info_.module->decls) {
      if (auto* variable = node->TryAs<ast::Variable>()) variables.push_back(variable);
    }
  } else {
    for (ast::Variable* variable : entry->all_globals) variables.push_back(variable);
    is_used[entry->index] = true;
    for (const resolve::FunctionInfo* callee : entry->all_callees) is_used[callee->index] = true;
  }

  // Overrides first: initialisers and types may name one that stands later.
  for (ast::Variable* variable : variables) {
    const bool is_override = variable->variable_kind == ast::VariableKind::kOverride;
    if (is_override && (entry == nullptr || variable->value == nullptr)) Override(*variable);
  }
  for (ast::Variable* variable : variables) {
    ir::Decl* decl = DeclOf(*variable);
    if (decl == nullptr || !decl->Is(ir::DeclKind::kOverride)) continue;
    if (variable->initializer) decl->As<ir::Override>()->init = Value(variable->initializer);
  }
  for (ast::Variable* variable : variables) {
    if (variable->variable_kind == ast::VariableKind::kVar) GlobalVar(*variable);
  }
  // In source order.
  for (ast::Node* node : info_.module->decls) {
    auto* function = node->TryAs<ast::Function>();
    if (function && is_used[resolve::InfoOf(*function)->index]) Signature(*resolve::InfoOf(*function));
  }
  // Callees first, so that the effects of a body can be found while it is still in the caches.
  for (resolve::FunctionInfo* info : info_.functions) {
    if (!is_used[info->index]) continue;
    Body(*info);
    ir::ComputeEffects(std::span(&functions_[info->index], 1));
  }
}

void Lowering::Directives() {
  module_.enables = info_.extensions;
  for (ast::Node* node : info_.module->directives) {
    if (auto* requires_ = node->TryAs<ast::RequiresDirective>()) {
      for (const ast::WordAt& word : requires_->names) {
        if (const auto feature = core::ParseLanguageFeature(names_.Text(word.name))) module_.requirements.Add(*feature);
      }
    } else if (auto* diagnostic = node->TryAs<ast::DiagnosticDirective>()) {
      const auto filter = Filter(diagnostic->control);
      const auto is_same = [&](const ir::DiagnosticFilter& known) { return known.rule == filter->rule; };
      auto& known = module_.diagnostics;
      if (filter && std::none_of(known.begin(), known.end(), is_same)) known.push_back(*filter);
    }
  }
}

// https://www.w3.org/TR/WGSL/#diagnostic-filtering
std::optional<ir::DiagnosticFilter> Lowering::Filter(const ast::DiagnosticControl& control) {
  const auto severity = core::ParseFilterSeverity(names_.Text(control.severity));
  if (!severity) return std::nullopt;
  std::string rule;
  if (control.rule_first) rule.append(names_.Text(control.rule_first)).append(".");
  rule.append(names_.Text(control.rule));
  return ir::DiagnosticFilter{*severity, module_.arena.Copy(std::string_view(rule))};
}

std::span<const ir::DiagnosticFilter> Lowering::Filters(const ast::Attributes& attributes,
                                                        const ast::Attributes& inner) {
  if (attributes.empty() && inner.empty()) return {};
  std::vector<ir::DiagnosticFilter> filters;
  for (const ast::Attributes* list : {&inner, &attributes}) {
    for (const ast::Attribute* attribute : *list) {
      if (attribute->control == nullptr) continue;
      const auto filter = Filter(*attribute->control);
      if (!filter) continue;
      const auto is_same = [&](const ir::DiagnosticFilter& known) { return known.rule == filter->rule; };
      if (std::none_of(filters.begin(), filters.end(), is_same)) filters.push_back(*filter);
    }
  }
  // Normal form: the order in the source says nothing.
  std::sort(filters.begin(), filters.end(), [](const auto& a, const auto& b) { return a.rule < b.rule; });
  return module_.arena.Copy(filters);
}

void Lowering::Structs() {
  for (const ast::Struct* decl : info_.structs) {
    const auto& type = decl->type->To<core::StructType>();
    builder_.range = decl->name_range;
    ir::StructDecl* made = builder_.AddStruct(&type);
    made->abi = false;  // MarkAbi finds those that the module shows
    made->member_ranges = module_.arena.MakeArray<diag::Range>(decl->members.size());
    for (size_t i = 0; i < decl->members.size(); ++i) made->member_ranges[i] = decl->members[i]->name_range;
    structs_.emplace(&type, made);
  }
}

void Lowering::Override(ast::Variable& variable) {
  builder_.range = variable.name_range;
  ir::Override* decl = builder_.AddOverride(names_.Text(variable.name), variable.type, nullptr);
  if (const auto id = resolve::InfoOf(variable)->id) decl->override_id = static_cast<uint16_t>(*id);
  Bind(variable, decl);
}

void Lowering::GlobalVar(ast::Variable& variable) {
  const resolve::VariableInfo& info = *resolve::InfoOf(variable);
  const core::PointerType* type = PointerTo(info.reference);
  ir::Expr* init = variable.initializer ? Value(variable.initializer) : nullptr;
  builder_.range = variable.name_range;
  ir::Var* decl = builder_.AddVar(names_.Text(variable.name), type, init);
  if (info.group && info.binding) decl->binding = ir::BindingPoint{*info.group, *info.binding};
  decl->abi = decl->binding.has_value() || info.space == core::AddressSpace::kImmediate;
  if (decl->abi) MarkAbi(type->store);
  Bind(variable, decl);
}

const core::IoAttributes* Lowering::Keep(const core::IoAttributes& io) {
  return io.is_empty() ? nullptr : module_.arena.Make<core::IoAttributes>(io);
}

/// Structures of buffers and of stage inputs and outputs, with those inside: the host or another stage sees them.
void Lowering::MarkAbi(const core::Type* type) {
  while (const core::Type* element = core::ElementOf(type)) type = element;
  const auto* structure = type->As<core::StructType>();
  const auto found = structure ? structs_.find(structure) : structs_.end();
  if (found == structs_.end() || found->second->abi) return;
  found->second->abi = true;
  for (const core::StructMember& member : structure->members) MarkAbi(member.type);
}

void Lowering::Signature(resolve::FunctionInfo& function) {
  const ast::Function& decl = *function.decl;
  InlineVector<ir::Param*> params;
  for (ast::Variable* param : decl.params) {
    builder_.range = param->name_range;
    ir::Param* made = builder_.NewParam(names_.Text(param->name), Type(param->type));
    if (const resolve::ParamInfo* info = resolve::ParamInfoOf(*param)) made->io = Keep(info->io);
    Bind(*param, made);
    params.push_back(made);
  }
  builder_.range = decl.name_range;
  ir::Function* made = builder_.AddFunction(names_.Text(decl.name), decl.return_type, params);
  made->must_use = function.is_must_use;
  made->result_io = Keep(function.return_io);
  functions_[function.index] = made;
  const resolve::EntryPointInfo* entry = function.entry_point;
  if (entry == nullptr) return;
  made->abi = true;
  made->entry = module_.arena.Make<ir::EntryPoint>();
  made->entry->stage = entry->stage;
  if (entry->stage == core::Stage::kCompute) {
    for (size_t i = 0; i < 3; ++i) {
      const ast::Expr* size = entry->workgroup_size[i];
      made->entry->workgroup_size[i] =
          size ? Value(size)
               : builder_.Constant(core::Constant::Int(module_.arena, made->entry->workgroup_size[0]->type, 1));
    }
  }
  if (entry->subgroup_size) made->entry->subgroup_size = Value(entry->subgroup_size);
  for (const ir::Param* param : params) MarkAbi(param->type);
  MarkAbi(made->type);
}

void Lowering::Body(resolve::FunctionInfo& function) {
  ir::Function* made = functions_[function.index];
  made->body.filters = Filters(function.decl->attributes, function.decl->body->attributes);
  Statements(function.decl->body, made->body);
}

// ------------------------------------------------------------------------------------------------------------- types

const core::PointerType* Lowering::PointerTo(const core::Type* reference) {
  CachedPointer& slot = pointers_[(reinterpret_cast<uintptr_t>(reference) >> 4) % pointers_.size()];
  if (slot.reference == reference) return slot.pointer;
  const auto& view = reference->To<core::ReferenceType>();
  slot = {reference, types_.Pointer(view.space, Type(view.store), view.access)};
  return slot.pointer;
}

const core::Type* Lowering::Type(const core::Type* type) {
  if (const auto* array = type->As<core::ArrayType>()) {
    if (!array->is_override_sized()) return type;
    if (const auto count = FixedCount(*array->override_count)) return types_.Array(array->element, *count);
    UseCount(*array->override_count);
  } else if (const auto* buffer = type->As<core::BufferType>(); buffer && buffer->override_bytes) {
    if (const auto bytes = FixedCount(*buffer->override_bytes)) return types_.Buffer(*bytes);
    UseCount(*buffer->override_bytes);
  } else if (const auto* pointer = type->As<core::PointerType>()) {
    const core::Type* store = Type(pointer->store);
    return store == pointer->store ? type : types_.Pointer(pointer->space, store, pointer->access);
  }
  return type;
}

std::optional<uint32_t> Lowering::FixedCount(const core::OverrideCount& count) {
  const auto* expr = static_cast<const ast::Expr*>(count.owner);
  if (options_.entry_point == nullptr || expr == nullptr || expr->value == nullptr) return std::nullopt;
  return static_cast<uint32_t>(expr->value->i());
}

void Lowering::UseCount(const core::OverrideCount& count) {
  for (const core::OverrideCount* known : counts_) {
    if (known == &count) return;
  }
  counts_.push_back(&count);
  builder_.AddCount(&count, Value(static_cast<const ast::Expr*>(count.owner)));
}

}  // namespace kiln::wgsl::lower
