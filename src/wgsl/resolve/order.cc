// SPDX-License-Identifier: Apache-2.0
// Over the whole module: callees before callers, recursion, and what each entry point reaches.
#include <algorithm>

#include "base/inline_vector.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

// https://www.w3.org/TR/WGSL/#function-restriction: recursion is a cycle among declarations. With a stack of its own:
// call chains may be long.
void Resolver::OrderFunctions() {
  constexpr uint32_t kUnseen = 0xffff'ffff;
  constexpr uint32_t kOpen = 0xffff'fffe;
  struct Frame {
    FunctionInfo* function;
    size_t next = 0;
  };
  InlineVector<FunctionInfo*> in_source;
  for (ast::Node* node : module_.decls) {
    auto* function = node->TryAs<ast::Function>();
    if (function == nullptr || function->info == nullptr) continue;
    in_source.push_back(InfoOf(*function));
    in_source.back()->index = kUnseen;
  }
  InlineVector<FunctionInfo*> ordered;
  InlineVector<Frame> stack;
  for (FunctionInfo* root : in_source) {
    if (root->index != kUnseen) continue;
    root->index = kOpen;
    stack.push_back({root});
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.function->calls.size()) {
        top.function->index = static_cast<uint32_t>(ordered.size());
        ordered.push_back(top.function);
        stack.pop_back();
        continue;
      }
      const CallSite& site = top.function->calls[top.next++];
      FunctionInfo* callee = site.callee;
      if (callee->index == kUnseen) {
        callee->index = kOpen;
        stack.push_back({callee});
      } else if (callee->index == kOpen) {
        size_t start = stack.size() - 1;
        while (stack[start].function != callee) --start;
        auto error = Error(callee->decl->name_range, "dependency-cycle");
        error << "recursion is not allowed: ";
        for (size_t i = start; i < stack.size(); ++i) {
          const Frame& frame = stack[i];
          error << Quoted(frame.function->decl->name) << " -> ";
          const CallSite& step = frame.function->calls[frame.next - 1];
          if (i - start < 8) {
            error.Note(step.call->range,
                       Quoted(frame.function->decl->name) + " calls " + Quoted(step.callee->decl->name) + " here");
          }
        }
        error << Quoted(callee->decl->name);
      }
    }
  }
  info_->functions = arena_.Copy(ordered.span());
  InlineVector<FunctionInfo*> entry_points;
  for (FunctionInfo* function : in_source) {
    if (function->entry_point != nullptr) entry_points.push_back(function);
  }
  info_->entry_points = arena_.Copy(entry_points.span());
}

void Resolver::CloseEntryPoints() {
  InlineVector<const FunctionInfo*> reached_by(info_->functions.size());
  std::fill(mentioned_by_.begin(), mentioned_by_.end(), nullptr);
  InlineVector<FunctionInfo*> functions, work;
  InlineVector<ast::Variable*> globals;
  for (FunctionInfo* entry : info_->entry_points) {
    functions.clear();
    globals.clear();
    const auto add = [&](ast::Variable* variable) {
      if (mentioned_by_[variable->index] == entry) return;
      mentioned_by_[variable->index] = entry;
      globals.push_back(variable);
    };
    for (ast::Variable* variable : entry->globals) add(variable);
    reached_by[entry->index] = entry;
    work.push_back(entry);
    while (!work.empty()) {
      FunctionInfo* function = work.back();
      work.pop_back();
      for (const CallSite& site : function->calls) {
        if (reached_by[site.callee->index] == entry) continue;
        reached_by[site.callee->index] = entry;
        functions.push_back(site.callee);
        work.push_back(site.callee);
      }
    }
    std::sort(functions.begin(), functions.end(), [](const auto* a, const auto* b) { return a->index < b->index; });
    for (const FunctionInfo* function : functions) {
      for (ast::Variable* variable : function->globals) add(variable);
    }
    for (size_t i = 0; i < globals.size(); ++i) {
      for (ast::Variable* variable : InfoOf(*globals[i])->mentions) add(variable);
    }
    entry->all_callees = arena_.Copy(functions.span());
    entry->all_globals = arena_.Copy(globals.span());
  }
}

}  // namespace kiln::wgsl::resolve
