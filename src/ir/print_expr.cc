// SPDX-License-Identifier: Apache-2.0
// Expressions and constants as text.
#include <cmath>
#include <vector>

#include "core/builtin.h"
#include "ir/print.h"
#include "ir/printer.h"

namespace kiln::ir {

void Printer::Constant(const core::Constant* constant) {
  if (constant->form == core::Constant::Form::kScalar) return AppendScalar(out_, constant->type, constant->scalar());
  Type(constant->type);
  Text("{");
  if (!constant->IsZero()) {
    if (const core::Type* scalar = core::ScalarOf(constant->type)) {
      for (uint32_t i = 0; i < constant->ScalarCount(); ++i) {
        if (i) Text(", ");
        AppendScalar(out_, scalar, constant->ScalarAt(i));
      }
    } else if (constant->form == core::Constant::Form::kSplat) {
      Text("all ");
      Constant(constant->Element(scratch_, 0));
    } else {
      for (uint32_t i = 0; i < core::ElementCountOf(constant->type); ++i) {
        if (i) Text(", ");
        Constant(constant->Element(scratch_, i));
      }
    }
  }
  Text("}");
}

void Printer::Arguments(const Expr& expr) {
  Text("(");
  bool is_first = true;
  for (const Expr* operand : expr.operands()) {
    if (!is_first) Text(", ");
    is_first = false;
    Expression(*operand);
  }
  Text(")");
}

void Printer::Primary(const Expr& expr) {
  const bool is_closed = !expr.Is(ExprKind::kUnary) && !IsNegative(expr);
  if (!is_closed) Text("(");
  Expression(expr);
  if (!is_closed) Text(")");
}

bool Printer::IsNegative(const Expr& expr) {
  if (!expr.Is(ExprKind::kConstant) || expr.constant_name()) return false;
  const core::Constant* constant = expr.constant();
  if (constant->form != core::Constant::Form::kScalar) return false;
  return constant->type->is_float_scalar() ? std::signbit(constant->f()) : constant->i() < 0;
}

void Printer::Infix(const Expr& expr, std::string_view op) {
  Text("(");
  Expression(*expr.operand(0));
  Write(" ", op, " ");
  Expression(*expr.operand(1));
  Text(")");
}

void Printer::Builtin(const Expr& expr) {
  Text(core::Name(expr.builtin()));
  std::vector<const core::Type*> types;
  for (const Expr* operand : expr.operands()) types.push_back(operand->type);
  core::CallTarget target;
  core::CallArgs args;
  args.types = types;
  args.all_const = false;
  if (!core::MatchBuiltin(module_.types, expr.builtin(), args, target) || target.result != expr.type) {
    Text("<");
    Type(expr.type);
    Text(">");
  }
  Arguments(expr);
}

void Printer::Expression(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kConstant:
      if (const NamedConst* name = expr.constant_name()) return Write("%", names_.Of(*name));
      return Constant(expr.constant());
    case ExprKind::kRef:
      return Write("%", names_.Of(*expr.decl()));
    case ExprKind::kLoad:
      Text("load");
      return Arguments(expr);
    case ExprKind::kIndex:
      Primary(*expr.operand(0));
      Text("[");
      Expression(*expr.operand(1));
      return Text("]");
    case ExprKind::kMember: {
      Primary(*expr.operand(0));
      Text(".");
      const core::Type* base = expr.operand(0)->type;
      if (const auto* pointer = base->As<core::PointerType>()) base = pointer->store;
      const auto& structure = base->To<core::StructType>();
      const StructDecl* decl = names_.StructOf(structure);
      return Text(decl ? decl->member_name(expr.member()) : structure.members[expr.member()].name);
    }
    case ExprKind::kSwizzle: {
      Primary(*expr.operand(0));
      Text(".");
      const Swizzle swizzle = expr.swizzle();
      for (uint8_t i = 0; i < swizzle.count; ++i) out_ += "xyzw"[swizzle.component[i] & 3];
      return;
    }
    case ExprKind::kUnary: {
      Text(core::Name(expr.unary_op()));
      // `-1i` is a constant; the negation of one is `-(1i)`.
      const bool is_literal = expr.operand(0)->Is(ExprKind::kConstant);
      if (is_literal) Text("(");
      Expression(*expr.operand(0));
      if (is_literal) Text(")");
      return;
    }
    case ExprKind::kBinary:
      return Infix(expr, core::Name(expr.binary_op()));
    case ExprKind::kLogicalAnd:
      return Infix(expr, "&&");
    case ExprKind::kLogicalOr:
      return Infix(expr, "||");
    case ExprKind::kConstruct:
      Type(expr.type);
      return Arguments(expr);
    case ExprKind::kConvert:
    case ExprKind::kBitcast:
      Text(expr.Is(ExprKind::kConvert) ? "convert<" : "bitcast<");
      Type(expr.type);
      Text(">");
      return Arguments(expr);
    case ExprKind::kBuiltin:
      return Builtin(expr);
    case ExprKind::kCall:
      Write("%", names_.Of(*expr.callee()));
      return Arguments(expr);
  }
}

}  // namespace kiln::ir
