// SPDX-License-Identifier: Apache-2.0
// Bindings of resources, and which of them stand side by side in one shader.
// https://www.w3.org/TR/WGSL/#resource-interface
#include <algorithm>

#include "wgsl/validate/context.h"

namespace kiln::wgsl::validate {
namespace {

bool IsResource(core::AddressSpace space) {
  return space == core::AddressSpace::kUniform || space == core::AddressSpace::kStorage ||
         space == core::AddressSpace::kHandle;
}

void CheckBinding(Context& context, const ast::Variable* variable, const resolve::VariableInfo& info) {
  const ast::Attribute* group = ast::Find(variable->attributes, ast::AttributeKind::kGroup);
  const ast::Attribute* binding = ast::Find(variable->attributes, ast::AttributeKind::kBinding);
  if (!IsResource(info.space)) {
    if (const ast::Attribute* attribute = group != nullptr ? group : binding) {
      context.sink.Error(variable->name_range, "binding-not-allowed")
          << "@" << ast::AttributeName(attribute->attribute) << " can stand on a resource only, and "
          << context.Quoted(variable->name) << " is in the address space '" << core::Name(info.space) << "'";
    }
    return;
  }
  if (group != nullptr && binding != nullptr) return;
  context.sink.Error(variable->name_range, "no-binding")
      << "the resource " << context.Quoted(variable->name) << " needs "
      << (group == nullptr && binding == nullptr ? "@group and @binding"
          : group == nullptr                     ? "@group"
                                                 : "@binding");
}

void CheckEntryPoint(Context& context, const resolve::FunctionInfo* entry_point) {
  struct Bound {
    uint64_t place;
    const ast::Variable* variable;
  };
  std::vector<Bound> bound;
  const ast::Variable* immediate = nullptr;
  for (const ast::Variable* variable : entry_point->all_globals) {
    const resolve::VariableInfo* info = resolve::InfoOf(*variable);
    if (info == nullptr || variable->variable_kind != ast::VariableKind::kVar) continue;
    if (info->group && info->binding) bound.push_back({uint64_t{*info->group} << 32 | *info->binding, variable});
    if (info->space != core::AddressSpace::kImmediate) continue;
    if (immediate != nullptr) {  // https://www.w3.org/TR/WGSL/#address-spaces-immediate
      context.sink.Error(entry_point->decl->name_range, "two-immediates")
              .Note(immediate->name_range, "the first")
              .Note(variable->name_range, "the second")
          << "the entry point " << context.Quoted(entry_point->decl->name)
          << " uses more than one variable of the address space 'immediate'";
    }
    immediate = variable;
  }
  std::sort(bound.begin(), bound.end(), [](const Bound& a, const Bound& b) {
    return a.place != b.place ? a.place < b.place : a.variable->range.begin < b.variable->range.begin;
  });
  for (size_t i = 1; i < bound.size(); ++i) {
    if (bound[i].place != bound[i - 1].place) continue;
    context.sink.Error(bound[i].variable->name_range, "binding-collision")
            .Note(bound[i - 1].variable->name_range, "the other resource")
            .Note(entry_point->decl->name_range, "the entry point " + context.Quoted(entry_point->decl->name))
        << "two resources of one entry point have @group(" << (bound[i].place >> 32) << ") @binding("
        << (bound[i].place & UINT32_MAX) << ")";
  }
}

}  // namespace

void CheckResources(Context& context) {
  for (const ast::Variable* variable : context.module.globals) {
    if (variable->variable_kind != ast::VariableKind::kVar) continue;
    if (const resolve::VariableInfo* info = resolve::InfoOf(*variable)) CheckBinding(context, variable, *info);
  }
  for (const resolve::FunctionInfo* entry_point : context.module.entry_points) CheckEntryPoint(context, entry_point);
}

}  // namespace kiln::wgsl::validate
