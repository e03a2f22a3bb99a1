// SPDX-License-Identifier: Apache-2.0
// How much memory variables take: https://www.w3.org/TR/WGSL/#limits. Workgroup memory is the device's affair and is
// checked when a pipeline is made (wgsl/resolve/specialize.h).
#include "wgsl/resolve/limits.h"
#include "wgsl/validate/context.h"

namespace kiln::wgsl::validate {

void CheckMemory(Context& context) {
  for (const resolve::FunctionInfo* function : context.module.functions) {
    const FunctionFacts& facts = context.facts[function->index];
    if (facts.memory <= resolve::kMaxFunctionBytes) continue;
    context.sink.Error(facts.past_memory->name_range, "too-much-function-memory")
            .Hint("use a buffer, or workgroup memory")
            .Note(function->decl->name_range, "this is the function")
        << "with " << context.Quoted(facts.past_memory->name) << " the variables of "
        << context.Quoted(function->decl->name) << " take " << facts.memory << " bytes in all; at most "
        << resolve::kMaxFunctionBytes << " are possible";
  }
  for (const resolve::FunctionInfo* entry : context.module.entry_points) {
    uint64_t total = 0;
    const ast::Variable* past = nullptr;
    for (const ast::Variable* variable : entry->all_globals) {
      const resolve::VariableInfo* info = resolve::InfoOf(*variable);
      if (info == nullptr || info->space != core::AddressSpace::kPrivate) continue;
      total += variable->type->size;
      if (total > resolve::kMaxPrivateBytes && past == nullptr) past = variable;
    }
    if (past == nullptr) continue;
    context.sink.Error(past->name_range, "too-much-private-memory")
            .Hint("use a buffer, or workgroup memory")
            .Note(entry->decl->name_range, "this is the entry point")
        << "with " << context.Quoted(past->name) << " the private variables that " << context.Quoted(entry->decl->name)
        << " uses take " << total << " bytes in all; at most " << resolve::kMaxPrivateBytes << " are possible";
  }
}

}  // namespace kiln::wgsl::validate
