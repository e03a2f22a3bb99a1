// SPDX-License-Identifier: Apache-2.0
// Drives the uniformity analysis: once for each scope that the module's collective operations ask for, over the
// functions that matter to them, callees first. https://www.w3.org/TR/WGSL/#uniformity-overview
#include "wgsl/validate/uniformity.h"

namespace kiln::wgsl::validate {
namespace {

void CheckAtScope(Context& context, UniformityScope scope) {
  const auto& functions = context.module.functions;
  // A function matters if it or a callee has requirements, or if one that matters calls it.
  std::vector<bool> matters(functions.size());
  bool any = false;
  for (const resolve::FunctionInfo* info : functions) {
    bool is_collective = IsCollective(context.facts[info->index].builtin_effects, scope);
    for (size_t i = 0; i < info->calls.size() && !is_collective; ++i) {
      is_collective = matters[info->calls[i].callee->index];
    }
    matters[info->index] = is_collective;
    any = any || is_collective;
  }
  if (!any) return;
  for (size_t i = functions.size(); i-- > 0;) {
    if (!matters[i]) continue;
    for (const resolve::CallSite& site : functions[i]->calls) matters[site.callee->index] = true;
  }
  UniformityAnalysis analysis(context, scope);
  for (const resolve::FunctionInfo* info : functions) {
    if (matters[info->index]) analysis.Analyze(*info);
  }
}

}  // namespace

void CheckUniformity(Context& context) {
  CheckAtScope(context, UniformityScope::kWorkgroup);
  CheckAtScope(context, UniformityScope::kSubgroup);
}

}  // namespace kiln::wgsl::validate
