// SPDX-License-Identifier: Apache-2.0
#include "ir/evaluate.h"

#include "core/eval.h"

namespace kiln::ir {
namespace {

class Evaluator {
 public:
  Evaluator(core::TypeTable& types, const OverrideValues& overrides) : types_(types), overrides_(overrides) {}

  const core::Constant* Run(const Expr& expr) {
    if (expr.Is(ExprKind::kConstant)) return expr.constant();
    if (expr.Is(ExprKind::kRef)) {
      return expr.decl()->Is(DeclKind::kOverride) ? overrides_(*expr.decl()->As<Override>()) : nullptr;
    }
    if (expr.Is(ExprKind::kLoad) || expr.Is(ExprKind::kCall)) return nullptr;
    if (expr.Is(ExprKind::kLogicalAnd) || expr.Is(ExprKind::kLogicalOr)) {
      const core::Constant* lhs = Run(*expr.operand(0));
      if (lhs == nullptr || lhs->b() == expr.Is(ExprKind::kLogicalOr)) return lhs;
      return Run(*expr.operand(1));
    }
    std::vector<const core::Constant*> values;
    for (const Expr* operand : expr.operands()) {
      values.push_back(Run(*operand));
      if (values.back() == nullptr) return nullptr;
    }
    return Combine(expr, values);
  }

 private:
  const core::Constant* Combine(const Expr& expr, std::span<const core::Constant* const> values) {
    core::CallTarget target;
    switch (expr.kind) {
      case ExprKind::kUnary:
        if (!core::MatchUnary(types_, expr.unary_op(), values[0]->type, true, target)) return nullptr;
        return core::EvalUnary(types_, target, values[0]).value;
      case ExprKind::kBinary:
        if (!core::MatchBinary(types_, expr.binary_op(), values[0]->type, values[1]->type, true, target))
          return nullptr;
        return core::EvalBinary(types_, target, values[0], values[1]).value;
      case ExprKind::kIndex:
        return core::EvalIndex(types_, values[0], values[1]->i()).value;
      case ExprKind::kMember:
        return core::EvalMember(types_, values[0], expr.member());
      case ExprKind::kSwizzle: {
        const Swizzle swizzle = expr.swizzle();
        return core::EvalSwizzle(types_, values[0], std::span<const uint8_t>(swizzle.component, swizzle.count));
      }
      case ExprKind::kConstruct:
        if (expr.type->Is(core::TypeKind::kArray) || expr.type->Is(core::TypeKind::kStruct)) {
          return core::Constant::Composite(types_.arena(), expr.type, values);
        }
        return Make(expr.type, values);
      case ExprKind::kConvert:
        return Make(expr.type, values);
      case ExprKind::kBitcast:
        return Built(core::BuiltinFn::kBitcast, values, {&expr.type, 1});
      case ExprKind::kBuiltin:
        return Built(expr.builtin(), values, {});
      default:
        return nullptr;
    }
  }

  const core::Constant* Make(const core::Type* type, std::span<const core::Constant* const> values) {
    const auto constructor = core::ConstructorOf(type);
    if (!constructor) return nullptr;
    std::vector<const core::Type*> types;
    for (const core::Constant* value : values) types.push_back(value->type);
    core::CallArgs args;
    args.types = types;
    core::CallTarget target;
    const core::Type* element = type->is_scalar() ? nullptr : core::ScalarOf(type);
    if (!core::MatchConstructor(types_, *constructor, element, args, target)) return nullptr;
    return core::EvalCall(types_, target, values).value;
  }

  const core::Constant* Built(core::BuiltinFn fn, std::span<const core::Constant* const> values,
                              std::span<const core::Type* const> template_types) {
    std::vector<const core::Type*> types;
    for (const core::Constant* value : values) types.push_back(value->type);
    core::CallArgs args;
    args.types = types;
    args.template_types = template_types;
    core::CallTarget target;
    if (!core::MatchBuiltin(types_, fn, args, target)) return nullptr;
    if (core::Facts(target).earliest != core::Phase::kConst) return nullptr;
    return core::EvalCall(types_, target, values).value;
  }

  core::TypeTable& types_;
  const OverrideValues& overrides_;
};

}  // namespace

const core::Constant* Evaluate(core::TypeTable& types, const Expr& expr, const OverrideValues& overrides) {
  return Evaluator(types, overrides).Run(expr);
}

const core::Constant* EvaluateWithDefaults(core::TypeTable& types, const Expr& expr) {
  // Defaults may name other overrides; a chain is no longer than the module has overrides, but hostile ones are long.
  constexpr int kMaxChain = 256;
  int depth = 0;
  OverrideValues defaults = [&](const Override& override) -> const core::Constant* {
    if (override.init == nullptr || depth >= kMaxChain) return nullptr;
    ++depth;
    const core::Constant* value = Evaluate(types, *override.init, defaults);
    --depth;
    return value;
  };
  return Evaluate(types, expr, defaults);
}

}  // namespace kiln::ir
