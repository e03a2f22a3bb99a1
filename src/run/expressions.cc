// SPDX-License-Identifier: Apache-2.0
// Expressions: operators, construction, conversion, calls. https://www.w3.org/TR/WGSL/#arithmetic-expr
#include <algorithm>
#include <bit>
#include <cmath>

#include "run/interpreter.h"

namespace kiln::run {

using core::BinaryOp;
using core::TypeKind;
using ir::ExprKind;

Scalar64* Interpreter::Eval(const ir::Expr* expr) {
  const uint32_t slots = SlotsOf(expr->type);
  Scalar64* to = Scratch(slots);
  if (++depth_ > kMostDepth) Fault(expr->range, "run-depth", "the code is nested too deeply to be run");
  if (has_failed_) {
    --depth_;
    return to;
  }
  switch (expr->kind) {
    case ExprKind::kConstant:
      EvalConstant(expr->constant(), to);
      break;
    case ExprKind::kRef: {
      const ir::Decl* decl = expr->decl();
      if (decl->Is(ir::DeclKind::kOverride)) {
        const core::Constant* value = Known(expr);
        if (value == nullptr) {
          Fault(expr->range, "run-override", "the override '" + std::string(decl->name) + "' needs a value");
        } else {
          EvalConstant(value, to);
        }
      } else {
        std::copy_n(values_[decl->id].data(), std::min(values_[decl->id].size(), size_t{slots} * lanes_), to);
      }
      break;
    }
    case ExprKind::kLoad: {
      const core::Type* type = expr->type;
      if (slots == 0) {
        Fault(expr->range, "run-unsupported", "'" + core::TypeName(type) + "' cannot be run");
        break;
      }
      const Pointer from = PointerOf(expr->operand(0));
      if (!has_failed_) Load(from, to);
      break;
    }
    case ExprKind::kIndex:
      EvalIndex(expr, to);
      break;
    case ExprKind::kMember: {
      const ir::Expr* base = expr->operand(0);
      const Scalar64* from = Eval(base);
      size_t offset = 0;
      for (uint32_t i = 0; i < expr->member(); ++i)
        offset += SlotsOf(base->type->To<core::StructType>().members[i].type);
      std::copy_n(from + offset * lanes_, size_t{slots} * lanes_, to);
      break;
    }
    case ExprKind::kSwizzle: {
      const Scalar64* from = Eval(expr->operand(0));
      for (uint32_t i = 0; i < slots; ++i) {
        std::copy_n(from + size_t{expr->swizzle().component[i]} * lanes_, lanes_, to + size_t{i} * lanes_);
      }
      break;
    }
    case ExprKind::kUnary:
      EvalUnary(expr, to);
      break;
    case ExprKind::kBinary:
      EvalBinary(expr, to);
      break;
    case ExprKind::kLogicalAnd:
    case ExprKind::kLogicalOr:
      EvalLogical(expr, to);
      break;
    case ExprKind::kConstruct:
      EvalConstruct(expr, to);
      break;
    case ExprKind::kConvert:
      EvalConvert(expr, to);
      break;
    case ExprKind::kBitcast:
      EvalBitcast(expr, to);
      break;
    case ExprKind::kBuiltin:
      EvalBuiltin(expr, to);
      break;
    case ExprKind::kCall:
      EvalCall(expr, to);
      break;
  }
  --depth_;
  return to;
}

void Interpreter::EvalConstant(const core::Constant* constant, Scalar64* to) {
  FromConstant(constant, to, 0);
  const uint32_t slots = SlotsOf(constant->type);
  for (uint32_t i = 0; i < slots; ++i) {
    std::fill_n(to + size_t{i} * lanes_ + 1, lanes_ - 1, to[size_t{i} * lanes_]);
  }
}

namespace {

int64_t Wrap(const core::Type* type, int64_t value) {
  return type->Is(TypeKind::kI32) ? int64_t{static_cast<int32_t>(static_cast<uint32_t>(value))}
                                  : int64_t{static_cast<uint32_t>(value)};
}

}  // namespace

void Interpreter::EvalUnary(const ir::Expr* expr, Scalar64* to) {
  const Scalar64* from = Eval(expr->operand(0));
  const core::Type* scalar = core::ScalarOf(expr->type);
  const size_t count = size_t{SlotsOf(expr->type)} * lanes_;
  for (size_t i = 0; i < count; ++i) {
    switch (expr->unary_op()) {
      case core::UnaryOp::kNegate:
        if (scalar->is_float_scalar()) {
          to[i].f = -from[i].f;
        } else {
          to[i].i = Wrap(scalar, -from[i].i);
        }
        break;
      case core::UnaryOp::kComplement:
        to[i].i = Wrap(scalar, ~from[i].i);
        break;
      case core::UnaryOp::kNot:
        to[i].i = from[i].i == 0 ? 1 : 0;
        break;
    }
  }
}

Scalar64 Interpreter::Operate(BinaryOp op, const core::Type* type, Scalar64 a, Scalar64 b) {
  const auto truth = [](bool value) { return Scalar64{.i = value ? 1 : 0}; };
  if (type->is_float_scalar()) {
    switch (op) {
      case BinaryOp::kAdd:
        return {.f = Round(type, a.f + b.f)};
      case BinaryOp::kSub:
        return {.f = Round(type, a.f - b.f)};
      case BinaryOp::kMul:
        return {.f = Round(type, a.f * b.f)};
      case BinaryOp::kDiv:
        return {.f = Round(type, a.f / b.f)};
      case BinaryOp::kMod:
        return {.f = Round(type, std::fmod(a.f, b.f))};
      case BinaryOp::kEqual:
        return truth(a.f == b.f);
      case BinaryOp::kNotEqual:
        return truth(a.f != b.f);
      case BinaryOp::kLess:
        return truth(a.f < b.f);
      case BinaryOp::kLessEqual:
        return truth(a.f <= b.f);
      case BinaryOp::kGreater:
        return truth(a.f > b.f);
      case BinaryOp::kGreaterEqual:
        return truth(a.f >= b.f);
      default:
        KILN_UNREACHABLE("an operator of floats");
    }
  }
  // x / 0 is x, x % 0 is 0; the least i32 by -1 wraps.
  const auto wrap = [&](int64_t value) { return Scalar64{.i = Wrap(type, value)}; };
  switch (op) {
    case BinaryOp::kAdd:
      return wrap(a.i + b.i);
    case BinaryOp::kSub:
      return wrap(a.i - b.i);
    case BinaryOp::kMul:
      return wrap(static_cast<int64_t>(static_cast<uint64_t>(a.i) * static_cast<uint64_t>(b.i)));
    case BinaryOp::kDiv:
      return b.i == 0 ? a : wrap(a.i / b.i);
    case BinaryOp::kMod:
      return b.i == 0 ? Scalar64{.i = 0} : wrap(a.i % b.i);
    case BinaryOp::kAnd:
      return {.i = a.i & b.i};
    case BinaryOp::kOr:
      return {.i = a.i | b.i};
    case BinaryOp::kXor:
      return {.i = a.i ^ b.i};
    case BinaryOp::kShiftLeft:
      return wrap(static_cast<int64_t>(static_cast<uint64_t>(a.i) << (b.i & 31)));
    case BinaryOp::kShiftRight:
      return {.i = a.i >> (b.i & 31)};
    case BinaryOp::kEqual:
      return truth(a.i == b.i);
    case BinaryOp::kNotEqual:
      return truth(a.i != b.i);
    case BinaryOp::kLess:
      return truth(a.i < b.i);
    case BinaryOp::kLessEqual:
      return truth(a.i <= b.i);
    case BinaryOp::kGreater:
      return truth(a.i > b.i);
    case BinaryOp::kGreaterEqual:
      return truth(a.i >= b.i);
    case BinaryOp::kLogicalAnd:
    case BinaryOp::kLogicalOr:
      break;
  }
  KILN_UNREACHABLE("a binary operator");
}

void Interpreter::EvalBinary(const ir::Expr* expr, Scalar64* to) {
  const ir::Expr* left = expr->operand(0);
  const ir::Expr* right = expr->operand(1);
  const Scalar64* a = Eval(left);
  const Scalar64* b = Eval(right);
  if (has_failed_) return;
  const bool is_mat = left->type->Is(TypeKind::kMat) || right->type->Is(TypeKind::kMat);
  const bool has_scalar = left->type->is_scalar() || right->type->is_scalar();
  if (is_mat && !has_scalar && expr->binary_op() == BinaryOp::kMul) return EvalProduct(expr, a, b, to);
  const core::Type* scalar = core::ScalarOf(left->type);
  const uint32_t slots = SlotsOf(expr->type);
  for (uint32_t i = 0; i < slots; ++i) {
    const Scalar64* x = a + (left->type->is_scalar() ? 0 : size_t{i} * lanes_);
    const Scalar64* y = b + (right->type->is_scalar() ? 0 : size_t{i} * lanes_);
    Scalar64* out = to + size_t{i} * lanes_;
    EachLane([&](uint32_t lane) { out[lane] = Operate(expr->binary_op(), scalar, x[lane], y[lane]); });
  }
}

/// mat * mat, mat * vec, vec * mat.
void Interpreter::EvalProduct(const ir::Expr* expr, const Scalar64* a, const Scalar64* b, Scalar64* to) {
  const auto* left = expr->operand(0)->type->As<core::MatType>();
  const auto* right = expr->operand(1)->type->As<core::MatType>();
  const core::Type* scalar = core::ScalarOf(expr->type);
  // As matrices: a vector on the left is one row, on the right one column.
  const uint32_t rows = left != nullptr ? left->rows : 1;
  const uint32_t inner = left != nullptr ? left->columns : core::ElementCountOf(expr->operand(0)->type);
  const uint32_t columns = right != nullptr ? right->columns : 1;
  for (uint32_t column = 0; column < columns; ++column) {
    for (uint32_t row = 0; row < rows; ++row) {
      EachLane([&](uint32_t lane) {
        double sum = 0;
        for (uint32_t k = 0; k < inner; ++k) {
          const double x = a[(size_t{k} * rows + row) * lanes_ + lane].f;
          const double y = b[(size_t{column} * inner + k) * lanes_ + lane].f;
          const double product = Round(scalar, x * y);
          sum = k == 0 ? product : Round(scalar, sum + product);
        }
        to[(size_t{column} * rows + row) * lanes_ + lane].f = sum;
      });
    }
  }
}

/// The right side is evaluated by those lanes only that the left side does not decide.
void Interpreter::EvalLogical(const ir::Expr* expr, Scalar64* to) {
  const bool is_and = expr->Is(ExprKind::kLogicalAnd);
  const Scalar64* left = Eval(expr->operand(0));
  if (has_failed_) return;
  const Mask before = active_;
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    to[lane] = left[lane];
    active_[lane] = before[lane] != 0 && (left[lane].i != 0) == is_and ? 1 : 0;
  }
  if (AnyActive()) {
    const Scalar64* right = Eval(expr->operand(1));
    EachLane([&](uint32_t lane) { to[lane] = right[lane]; });
  }
  active_ = before;
}

void Interpreter::EvalIndex(const ir::Expr* expr, Scalar64* to) {
  const ir::Expr* base = expr->operand(0);
  const Scalar64* from = Eval(base);
  const Scalar64* index = Eval(expr->operand(1));
  if (has_failed_) return;
  const uint32_t slots = SlotsOf(expr->type);
  const uint64_t count = CountOf(base->type);
  EachLane([&](uint32_t lane) {
    const uint64_t at = std::min<uint64_t>(static_cast<uint32_t>(index[lane].i), count - 1);
    for (uint32_t i = 0; i < slots; ++i) to[size_t{i} * lanes_ + lane] = from[(at * slots + i) * lanes_ + lane];
  });
}

void Interpreter::EvalConstruct(const ir::Expr* expr, Scalar64* to) {
  const uint32_t slots = SlotsOf(expr->type);
  uint32_t done = 0;
  for (const ir::Expr* operand : expr->operands()) {
    const Scalar64* from = Eval(operand);
    const uint32_t part = SlotsOf(operand->type);
    if (has_failed_ || done + part > slots) return;
    std::copy_n(from, size_t{part} * lanes_, to + size_t{done} * lanes_);
    done += part;
  }
  // One scalar fills a vector.
  for (uint32_t i = done; i < slots && done == 1; ++i) std::copy_n(to, lanes_, to + size_t{i} * lanes_);
}

Scalar64 Interpreter::ConvertScalar(Scalar64 value, const core::Type* from, const core::Type* to) {
  if (from == to) return value;
  const bool is_float = from->is_float_scalar();
  if (to->Is(TypeKind::kBool)) return {.i = (is_float ? value.f != 0 : value.i != 0) ? 1 : 0};
  if (to->is_float_scalar()) return {.f = Round(to, is_float ? value.f : static_cast<double>(value.i))};
  if (!is_float) return {.i = Wrap(to, value.i)};
  // As the SPIR-V emitter saturates: to the last value that the float type has in range.
  const bool is_signed = to->Is(TypeKind::kI32);
  const bool is_half = from->Is(TypeKind::kF16);
  const double most = is_half ? 65504.0 : is_signed ? 2147483520.0 : 4294967040.0;
  const double least = is_signed ? (is_half ? -65504.0 : -2147483648.0) : 0.0;
  if (std::isnan(value.f)) return {.i = 0};
  return {.i = static_cast<int64_t>(std::clamp(value.f, least, most))};
}

void Interpreter::EvalConvert(const ir::Expr* expr, Scalar64* to) {
  const ir::Expr* operand = expr->operand(0);
  const Scalar64* from = Eval(operand);
  const core::Type* source = core::ScalarOf(operand->type);
  const core::Type* target = core::ScalarOf(expr->type);
  const size_t count = size_t{SlotsOf(expr->type)} * lanes_;
  for (size_t i = 0; i < count; ++i) to[i] = ConvertScalar(from[i], source, target);
}

// https://www.w3.org/TR/WGSL/#bitcast-builtin: the parts as 16 bits each, the first the low ones.
void Interpreter::EvalBitcast(const ir::Expr* expr, Scalar64* to) {
  const ir::Expr* operand = expr->operand(0);
  const Scalar64* from = Eval(operand);
  const core::Type* source = core::ScalarOf(operand->type);
  const core::Type* target = core::ScalarOf(expr->type);
  const uint32_t from_slots = SlotsOf(operand->type), to_slots = SlotsOf(expr->type);
  EachLane([&](uint32_t lane) {
    uint16_t halves[8] = {};
    size_t count = 0;
    for (uint32_t i = 0; i < from_slots && count < 8; ++i) {
      const Scalar64 value = from[size_t{i} * lanes_ + lane];
      if (source->Is(TypeKind::kF16)) {
        halves[count++] = core::F16Bits(value.f);
        continue;
      }
      const uint32_t word = source->Is(TypeKind::kF32) ? std::bit_cast<uint32_t>(static_cast<float>(value.f))
                                                       : static_cast<uint32_t>(value.i);
      halves[count++] = static_cast<uint16_t>(word);
      halves[count++] = static_cast<uint16_t>(word >> 16);
    }
    count = 0;
    for (uint32_t i = 0; i < to_slots; ++i) {
      Scalar64& out = to[size_t{i} * lanes_ + lane];
      if (target->Is(TypeKind::kF16)) {
        out.f = core::F16FromBits(halves[count++]);
        continue;
      }
      const uint32_t word = halves[count] | static_cast<uint32_t>(halves[count + 1]) << 16;
      count += 2;
      if (target->Is(TypeKind::kF32)) {
        out.f = static_cast<double>(std::bit_cast<float>(word));
      } else {
        out.i = Wrap(target, word);
      }
    }
  });
}

void Interpreter::EvalCall(const ir::Expr* expr, Scalar64* to) {
  const ir::Function* callee = expr->callee();
  // All arguments before any parameter: an argument may call the function itself.
  std::vector<const Scalar64*> values(expr->operand_count);
  std::vector<Pointer> pointers(expr->operand_count);
  for (uint32_t i = 0; i < expr->operand_count; ++i) {
    if (callee->params[i]->type->Is(TypeKind::kPointer)) {
      pointers[i] = PointerOf(expr->operand(i));
    } else {
      values[i] = Eval(expr->operand(i));
    }
    if (has_failed_) return;
  }
  for (uint32_t i = 0; i < expr->operand_count; ++i) {
    const ir::Param* param = callee->params[i];
    if (const auto* pointer = param->type->As<core::PointerType>()) {
      pointers_[param->id] = std::move(pointers[i]);
      // A buffer is as long as the least parameter on the way says.
      if (const auto* buffer = pointer->store->As<core::BufferType>(); buffer != nullptr && buffer->bytes != 0) {
        pointers_[param->id].limit = std::min<uint64_t>(pointers_[param->id].limit, buffer->bytes);
      }
    } else {
      values_[param->id].assign(values[i], values[i] + size_t{SlotsOf(param->type)} * lanes_);
    }
  }
  const Mask before = active_;
  Scalar64* const outer_result = result_;
  Mask* const outer_breaks = breaks_;
  Mask* const outer_continues = continues_;
  result_ = to;
  Exec(callee->body);
  result_ = outer_result;
  breaks_ = outer_breaks;
  continues_ = outer_continues;
  active_ = before;
}

}  // namespace kiln::run
