// SPDX-License-Identifier: Apache-2.0
// Expressions. A pointer of the IR that leads from a variable is a memory view in WGSL (`v.a[i]`), with `&` where the
// pointer itself is meant; one that a let, a parameter or a call gives is a pointer in WGSL too, with `*` where the
// memory is meant.
#include <cmath>

#include "emit/wgsl/writer.h"
#include "ir/print.h"

namespace kiln::emit::wgsl {
namespace {

using ir::Expr;
using ir::ExprKind;

bool IsPointer(const Expr& expr) { return expr.type->Is(core::TypeKind::kPointer); }

bool IsVar(const Expr& expr) { return expr.Is(ExprKind::kRef) && expr.decl()->Is(ir::DeclKind::kVar); }

/// A part of a memory view: not a pointer in WGSL's sense.
bool IsView(const Expr& expr) {
  return IsPointer(expr) && (IsVar(expr) || expr.Is(ExprKind::kIndex) || expr.Is(ExprKind::kMember));
}

Form FormOfOperator(core::BinaryOp op) {
  switch (op) {
    case core::BinaryOp::kMul:
    case core::BinaryOp::kDiv:
    case core::BinaryOp::kMod:
      return Form::kProduct;
    case core::BinaryOp::kAdd:
    case core::BinaryOp::kSub:
      return Form::kSum;
    case core::BinaryOp::kShiftLeft:
    case core::BinaryOp::kShiftRight:
      return Form::kShift;
    case core::BinaryOp::kAnd:
      return Form::kBitAnd;
    case core::BinaryOp::kOr:
      return Form::kBitOr;
    case core::BinaryOp::kXor:
      return Form::kBitXor;
    default:
      return Form::kComparison;
  }
}

/// Whether an operand of the form may stand beside an operator of `form` as it is.
bool IsBare(Form operand, Form form, bool is_left) {
  if (operand <= Form::kUnary) return true;
  switch (form) {
    case Form::kProduct:
      return is_left && operand == Form::kProduct;
    case Form::kSum:
      return operand == Form::kProduct || (is_left && operand == Form::kSum);
    case Form::kComparison:
      return operand <= Form::kShift;
    case Form::kBitAnd:
    case Form::kBitOr:
    case Form::kBitXor:
      return is_left && operand == form;
    case Form::kLogicalAnd:
    case Form::kLogicalOr:
      return operand <= Form::kComparison || (is_left && operand == form);
    default:
      return false;
  }
}

/// Whether the text of the expression has one of the characters outside of all brackets.
bool HasAngle(const Expr& expr, bool is_opening) {
  if (expr.Is(ExprKind::kBinary)) {
    const core::BinaryOp op = expr.binary_op();
    const bool opens = op == core::BinaryOp::kLess;
    const bool closes =
        op == core::BinaryOp::kGreater || op == core::BinaryOp::kGreaterEqual || op == core::BinaryOp::kShiftRight;
    if (is_opening ? opens : closes) return true;
  } else if (!expr.Is(ExprKind::kUnary) && !expr.Is(ExprKind::kLogicalAnd) && !expr.Is(ExprKind::kLogicalOr)) {
    return false;
  }
  for (const Expr* operand : expr.operands()) {
    if (HasAngle(*operand, is_opening)) return true;
  }
  return false;
}

bool IsNegative(const core::Constant* constant) {
  if (constant->form != core::Constant::Form::kScalar) return false;
  if (constant->type->is_float_scalar()) return std::signbit(constant->f());
  // i32 has no literal for its least value: it is written as a call.
  return constant->type == core::I32() && constant->i() < 0 && constant->i() != INT32_MIN;
}

}  // namespace

Form Writer::FormOfView(const Expr& pointer) { return IsView(pointer) ? Form::kPostfix : Form::kUnary; }

Form Writer::FormOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kConstant:
      return expr.constant_name() == nullptr && IsNegative(expr.constant()) ? Form::kUnary : Form::kPostfix;
    case ExprKind::kRef:
    case ExprKind::kIndex:
    case ExprKind::kMember:
      return IsView(expr) ? Form::kUnary : Form::kPostfix;
    case ExprKind::kLoad:
      return FormOfView(*expr.operand(0));
    case ExprKind::kUnary:
      return Form::kUnary;
    case ExprKind::kBinary:
      return FormOfOperator(expr.binary_op());
    case ExprKind::kLogicalAnd:
      return Form::kLogicalAnd;
    case ExprKind::kLogicalOr:
      return Form::kLogicalOr;
    default:
      return Form::kPostfix;
  }
}

void Writer::Operand(const Expr& expr, bool is_bare) {
  if (!is_bare) out_ += '(';
  Value(expr);
  if (!is_bare) out_ += ')';
}

void Writer::Postfix(const Expr& expr) { Operand(expr, FormOf(expr) == Form::kPostfix); }

void Writer::Binary(const Expr& expr, std::string_view op, Form form) {
  Operand(*expr.operand(0), IsBare(FormOf(*expr.operand(0)), form, true));
  Write(" ", op, " ");
  Operand(*expr.operand(1), IsBare(FormOf(*expr.operand(1)), form, false));
}

/// A pointer as the memory that it leads to.
void Writer::View(const Expr& pointer) {
  if (IsVar(pointer)) return Append(names_.Of(*pointer.decl()));
  if (!IsView(pointer)) {
    out_ += '*';
    return Postfix(pointer);
  }
  const Expr& base = *pointer.operand(0);
  const bool is_bare = FormOfView(base) == Form::kPostfix;
  if (!is_bare) out_ += '(';
  View(base);
  if (!is_bare) out_ += ')';
  Access(pointer, base.type->To<core::PointerType>().store);
}

/// What follows the base of an index or member expression.
void Writer::Access(const Expr& expr, const core::Type* base) {
  if (expr.Is(ExprKind::kMember)) {
    const auto& structure = base->To<core::StructType>();
    const ir::StructDecl* decl = names_.StructOf(structure);
    return Write(".", decl ? decl->member_name(expr.member()) : structure.members[expr.member()].name);
  }
  const Expr& index = *expr.operand(1);
  const bool is_component = base->Is(core::TypeKind::kVec) && index.Is(ExprKind::kConstant) && IsPointer(expr);
  if (is_component && index.constant()->u32() < 4) {
    out_ += '.';
    out_ += "xyzw"[index.constant()->u32()];
    return;
  }
  out_ += '[';
  Value(index);
  out_ += ']';
}

void Writer::Value(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kConstant:
      if (const ir::NamedConst* name = expr.constant_name()) return Append(names_.Of(*name));
      return Constant(expr.constant());
    case ExprKind::kRef:
      if (IsVar(expr)) out_ += '&';
      return Append(names_.Of(*expr.decl()));
    case ExprKind::kLoad:
      return View(*expr.operand(0));
    case ExprKind::kIndex:
    case ExprKind::kMember:
      if (IsPointer(expr)) {
        out_ += '&';
        return View(expr);
      }
      Postfix(*expr.operand(0));
      return Access(expr, expr.operand(0)->type);
    case ExprKind::kSwizzle: {
      Postfix(*expr.operand(0));
      out_ += '.';
      const ir::Swizzle swizzle = expr.swizzle();
      for (uint8_t i = 0; i < swizzle.count; ++i) out_ += "xyzw"[swizzle.component[i] & 3];
      return;
    }
    case ExprKind::kUnary: {
      const std::string_view op = core::Name(expr.unary_op());
      Append(op);
      const Form form = FormOf(*expr.operand(0));
      // `--` is a token.
      return Operand(*expr.operand(0), form == Form::kPostfix || (form == Form::kUnary && op != "-"));
    }
    case ExprKind::kBinary:
      return Binary(expr, core::Name(expr.binary_op()), FormOfOperator(expr.binary_op()));
    case ExprKind::kLogicalAnd:
      return Binary(expr, "&&", Form::kLogicalAnd);
    case ExprKind::kLogicalOr:
      return Binary(expr, "||", Form::kLogicalOr);
    case ExprKind::kConstruct:
    case ExprKind::kConvert:
      Type(expr.type);
      return Arguments(expr.operands());
    case ExprKind::kBitcast:
      out_ += "bitcast<";
      Type(expr.type);
      out_ += '>';
      return Arguments(expr.operands());
    case ExprKind::kBuiltin:
      return Builtin(expr);
    case ExprKind::kCall:
      Append(names_.Of(*expr.callee()));
      return Arguments(expr.operands());
  }
}

/// A `<` after a name and a `>` in a later argument would be taken for a template list.
/// https://www.w3.org/TR/WGSL/#template-list-discovery
void Writer::Arguments(std::span<Expr* const> arguments) {
  out_ += '(';
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i != 0) out_ += ", ";
    bool is_bare = true;
    if (HasAngle(*arguments[i], true)) {
      for (size_t later = i; later < arguments.size(); ++later) {
        if (HasAngle(*arguments[later], false)) is_bare = false;
      }
    }
    Operand(*arguments[i], is_bare);
  }
  out_ += ')';
}

void Writer::Builtin(const Expr& expr) {
  const core::BuiltinFn fn = expr.builtin();
  Append(core::Name(fn));
  if (fn == core::BuiltinFn::kBufferView || fn == core::BuiltinFn::kBufferArrayView) {
    out_ += '<';
    const auto* pointer = expr.type->As<core::PointerType>();
    Type(pointer ? pointer->store : expr.type);
    out_ += '>';
  }
  Arguments(expr.operands());
}

// --------------------------------------------------------------------------------------------------------- constants

void Writer::Scalar(const core::Type* type, core::Scalar64 value) {
  if (type == core::I32() && value.i == INT32_MIN) return Append("i32(-2147483648)");
  ir::AppendScalar(out_, type, value);
}

void Writer::Constant(const core::Constant* constant) {
  const core::Type* type = constant->type;
  if (type->is_scalar()) return Scalar(type, constant->scalar());
  const auto* structure = type->As<core::StructType>();
  if (structure && structure->is_builtin_result) return ResultConstant(constant);
  Type(type);
  out_ += '(';
  if (constant->IsZero()) {
    out_ += ')';
    return;
  }
  if (const core::Type* scalar = core::ScalarOf(type)) {
    const bool is_splat = constant->form == core::Constant::Form::kSplat && type->Is(core::TypeKind::kVec);
    const uint32_t count = is_splat ? 1 : constant->ScalarCount();
    for (uint32_t i = 0; i < count; ++i) {
      if (i != 0) out_ += ", ";
      Scalar(scalar, constant->ScalarAt(i));
    }
  } else {
    for (uint32_t i = 0; i < core::ElementCountOf(type); ++i) {
      if (i != 0) out_ += ", ";
      Constant(constant->Element(scratch_, i));
    }
  }
  out_ += ')';
}

/// The results of frexp and modf have no name: the call that gives the value is written again.
void Writer::ResultConstant(const core::Constant* constant) {
  const core::Constant* fract = constant->Element(scratch_, 0);
  const core::Constant* second = constant->Element(scratch_, 1);
  const bool is_frexp = core::ScalarOf(second->type)->is_integer_scalar();
  const core::Type* scalar = core::ScalarOf(fract->type);
  std::vector<core::Scalar64> values(fract->ScalarCount());
  for (uint32_t i = 0; i < values.size(); ++i) {
    const double part = fract->ScalarAt(i).f;
    if (is_frexp) {
      values[i].f = std::ldexp(part, static_cast<int>(second->ScalarAt(i).i));
    } else {
      const double whole = second->ScalarAt(i).f;
      values[i].f = part == 0 ? whole : part + whole;  // keeps the sign of a negative zero
    }
  }
  Append(is_frexp ? "frexp(" : "modf(");
  if (fract->type->is_scalar()) {
    Scalar(scalar, values[0]);
  } else {
    Constant(core::Constant::Scalars(scratch_, fract->type, values));
  }
  out_ += ')';
}

}  // namespace kiln::emit::wgsl
