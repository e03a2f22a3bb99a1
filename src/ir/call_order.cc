// SPDX-License-Identifier: Apache-2.0
#include "ir/call_order.h"

#include "ir/walk.h"

namespace kiln::ir {

CallOrder CalleesFirst(const Module& module) {
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Frame {
    Function* function;
    std::vector<Function*> callees;
    size_t next = 0;
  };
  CallOrder order;
  std::vector<State> states(module.decl_count);
  std::vector<Frame> stack;
  const auto open = [&](Function* function) {
    states[function->id] = State::kOpen;
    Frame& frame = stack.emplace_back(Frame{function, {}});
    WalkExprs(function->body, [&](Expr*& expr) {
      if (expr->Is(ExprKind::kCall) && states[expr->callee()->id] != State::kDone) {
        frame.callees.push_back(expr->callee());
      }
    });
  };
  for (Function* root : module.functions) {
    if (states[root->id] != State::kNew) continue;
    open(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.callees.size()) {
        states[top.function->id] = State::kDone;
        order.functions.push_back(top.function);
        stack.pop_back();
        continue;
      }
      Function* callee = top.callees[top.next++];
      if (states[callee->id] == State::kNew) {
        open(callee);
      } else if (states[callee->id] == State::kOpen) {
        // Everything on the stack from the callee on takes part in the cycle.
        for (size_t i = stack.size(); i-- > 0;) {
          order.in_cycles.push_back(stack[i].function);
          if (stack[i].function == callee) break;
        }
      }
    }
  }
  return order;
}

}  // namespace kiln::ir
