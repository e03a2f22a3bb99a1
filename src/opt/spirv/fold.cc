// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace kiln::opt::spirv {
namespace {

using Scalar = Module::Scalar;
using Bits = std::optional<uint32_t>;

float AsFloat(uint32_t bits) { return std::bit_cast<float>(bits); }

// A number that every driver keeps as it is.
bool IsPlain(float value) { return value == 0 || std::isnormal(value); }

Bits FromFloat(float value) { return IsPlain(value) ? Bits(std::bit_cast<uint32_t>(value)) : std::nullopt; }

Bits FoldFloats(Op op, float a, float b) {
  if (!IsPlain(a) || !IsPlain(b)) return std::nullopt;
  switch (op) {
    case Op::kFAdd:
      return FromFloat(a + b);
    case Op::kFSub:
      return FromFloat(a - b);
    case Op::kFMul:
      return FromFloat(a * b);
    case Op::kFDiv:
      return b == 0 ? std::nullopt : FromFloat(a / b);
    case Op::kFOrdEqual:
    case Op::kFUnordEqual:
      return a == b;
    case Op::kFOrdNotEqual:
    case Op::kFUnordNotEqual:
      return a != b;
    case Op::kFOrdLessThan:
    case Op::kFUnordLessThan:
      return a < b;
    case Op::kFOrdGreaterThan:
    case Op::kFUnordGreaterThan:
      return a > b;
    case Op::kFOrdLessThanEqual:
    case Op::kFUnordLessThanEqual:
      return a <= b;
    case Op::kFOrdGreaterThanEqual:
    case Op::kFUnordGreaterThanEqual:
      return a >= b;
    default:
      return std::nullopt;
  }
}

Bits FoldBinary(Op op, uint32_t a, uint32_t b) {
  const auto signed_a = static_cast<int32_t>(a);
  const auto signed_b = static_cast<int32_t>(b);
  const bool overflows = signed_a == std::numeric_limits<int32_t>::min() && signed_b == -1;
  switch (op) {
    case Op::kIAdd:
      return a + b;
    case Op::kISub:
      return a - b;
    case Op::kIMul:
      return a * b;
    case Op::kUDiv:
      return b == 0 ? std::nullopt : Bits(a / b);
    case Op::kUMod:
      return b == 0 ? std::nullopt : Bits(a % b);
    case Op::kSDiv:
      return b == 0 || overflows ? std::nullopt : Bits(static_cast<uint32_t>(signed_a / signed_b));
    case Op::kSRem:
    case Op::kSMod: {
      if (b == 0 || overflows) return std::nullopt;
      int32_t rest = signed_a % signed_b;
      if (op == Op::kSMod && rest != 0 && (rest < 0) != (signed_b < 0)) rest += signed_b;
      return static_cast<uint32_t>(rest);
    }
    case Op::kBitwiseOr:
      return a | b;
    case Op::kBitwiseXor:
      return a ^ b;
    case Op::kBitwiseAnd:
      return a & b;
    case Op::kShiftLeftLogical:
      return b > 31 ? std::nullopt : Bits(a << b);
    case Op::kShiftRightLogical:
      return b > 31 ? std::nullopt : Bits(a >> b);
    case Op::kShiftRightArithmetic:
      return b > 31 ? std::nullopt : Bits(static_cast<uint32_t>(signed_a >> b));
    case Op::kIEqual:
    case Op::kLogicalEqual:
      return a == b;
    case Op::kINotEqual:
    case Op::kLogicalNotEqual:
      return a != b;
    case Op::kLogicalAnd:
      return a & b;
    case Op::kLogicalOr:
      return a | b;
    case Op::kUGreaterThan:
      return a > b;
    case Op::kUGreaterThanEqual:
      return a >= b;
    case Op::kULessThan:
      return a < b;
    case Op::kULessThanEqual:
      return a <= b;
    case Op::kSGreaterThan:
      return signed_a > signed_b;
    case Op::kSGreaterThanEqual:
      return signed_a >= signed_b;
    case Op::kSLessThan:
      return signed_a < signed_b;
    case Op::kSLessThanEqual:
      return signed_a <= signed_b;
    default:
      return FoldFloats(op, AsFloat(a), AsFloat(b));
  }
}

// Whole numbers that a float has exactly; others may round.
Bits ToFloat(double value) {
  return static_cast<double>(static_cast<float>(value)) == value ? FromFloat(static_cast<float>(value)) : std::nullopt;
}

Bits FoldUnary(Op op, uint32_t a, Scalar from, Scalar to) {
  const float value = AsFloat(a);
  switch (op) {
    case Op::kSNegate:
      return 0u - a;
    case Op::kNot:
      return ~a;
    case Op::kLogicalNot:
      return a ^ 1u;
    case Op::kFNegate:
      return IsPlain(value) ? FromFloat(-value) : std::nullopt;
    case Op::kConvertSToF:
      return ToFloat(static_cast<int32_t>(a));
    case Op::kConvertUToF:
      return ToFloat(a);
    case Op::kConvertFToS:
      if (!(value > -2147483648.0f && value < 2147483648.0f)) return std::nullopt;
      return static_cast<uint32_t>(static_cast<int32_t>(value));
    case Op::kConvertFToU:
      if (!(value >= 0.0f && value < 4294967296.0f)) return std::nullopt;
      return static_cast<uint32_t>(value);
    case Op::kBitcast:
      if (to == Scalar::kFloat32 && !IsPlain(value)) return std::nullopt;
      if (from == Scalar::kBool || to == Scalar::kBool) return std::nullopt;
      return a;
    default:
      return std::nullopt;
  }
}

// What the operands are numbers of: a comparison of floats must not be taken for one of integers.
bool Fits(Op op, Scalar operand) {
  const uint32_t code = static_cast<uint32_t>(op);
  const bool wants_float = op == Op::kFAdd || op == Op::kFSub || op == Op::kFMul || op == Op::kFDiv ||
                           op == Op::kFNegate || op == Op::kConvertFToS || op == Op::kConvertFToU ||
                           (code >= 180 && code <= 191);
  const bool wants_bool = code >= 164 && code <= 168;
  if (op == Op::kBitcast) return operand != Scalar::kOther;
  if (wants_float) return operand == Scalar::kFloat32;
  if (wants_bool) return operand == Scalar::kBool;
  return operand == Scalar::kInt32 || operand == Scalar::kUint32;
}

// One component of a constant; of a scalar, the scalar.
Bits ComponentOf(const Module& module, Id id, uint32_t at, bool is_vector) {
  const Inst* inst = module.Find(id);
  if (is_vector && inst != nullptr && inst->op == Op::kConstantNull) {
    return module.ScalarOf(inst->type) == Scalar::kOther ? std::nullopt : Bits(0);
  }
  if (is_vector) {
    if (inst == nullptr || inst->op != Op::kConstantComposite || at >= inst->count) return std::nullopt;
    id = inst->operands[at];
  }
  uint32_t bits = 0;
  return module.ConstantBits(id, bits) ? Bits(bits) : std::nullopt;
}

// A vector times a number: each component of its own.
Id FoldScaled(Module& module, const Inst& inst) {
  const Inst* type = module.Find(inst.type);
  if (inst.count != 2 || type->op != Op::kTypeVector || module.ScalarOf(inst.type) != Scalar::kFloat32) return 0;
  if (module.TypeOf(inst.operands[0]) != inst.type || module.TypeOf(inst.operands[1]) != type->operands[0]) return 0;
  const Bits scale = ComponentOf(module, inst.operands[1], 0, false);
  if (!scale) return 0;
  std::vector<uint32_t> parts;
  for (uint32_t at = 0; at < type->operands[1]; ++at) {
    const Bits component = ComponentOf(module, inst.operands[0], at, true);
    const Bits product = component ? FoldFloats(Op::kFMul, AsFloat(*component), AsFloat(*scale)) : std::nullopt;
    if (!product) return 0;
    parts.push_back(module.Constant(type->operands[0], *product));
  }
  return module.CompositeConstant(inst.type, parts);
}

}  // namespace

Id FoldConstant(Module& module, const Inst& inst) {
  if (inst.op == Op::kVectorTimesScalar) return FoldScaled(module, inst);
  const uint32_t code = static_cast<uint32_t>(inst.op);
  const bool is_candidate = (code >= 109 && code <= 141) || (code >= 164 && code <= 200 && inst.op != Op::kSelect);
  if (!is_candidate || inst.count == 0 || inst.count > 2) return 0;
  for (const Id operand : inst.words()) {
    const Inst* constant = module.Find(operand);
    if (constant == nullptr || constant->op < Op::kConstantTrue || constant->op > Op::kConstantNull) return 0;
  }
  const Scalar to = module.ScalarOf(inst.type);
  const Inst* type = module.Find(inst.type);
  const bool is_vector = type->op == Op::kTypeVector;
  const Id from_type = module.TypeOf(inst.operands[0]);
  const Scalar from = module.ScalarOf(from_type);
  if (to == Scalar::kOther || !Fits(inst.op, from)) return 0;
  if (inst.count == 2 && !Fits(inst.op, module.ScalarOf(module.TypeOf(inst.operands[1])))) return 0;
  const uint32_t count = is_vector ? type->operands[1] : 1;
  if (is_vector != (module.Find(from_type)->op == Op::kTypeVector)) return 0;
  if (is_vector && module.Find(from_type)->operands[1] != count) return 0;
  std::vector<uint32_t> parts;
  for (uint32_t at = 0; at < count; ++at) {
    const Bits a = ComponentOf(module, inst.operands[0], at, is_vector);
    if (!a) return 0;
    Bits folded;
    if (inst.count == 1) {
      folded = FoldUnary(inst.op, *a, from, to);
    } else {
      const Bits b = ComponentOf(module, inst.operands[1], at, is_vector);
      if (!b) return 0;
      folded = FoldBinary(inst.op, *a, *b);
    }
    if (!folded) return 0;
    parts.push_back(module.Constant(is_vector ? type->operands[0] : inst.type, *folded));
  }
  return is_vector ? module.CompositeConstant(inst.type, parts) : parts[0];
}

}  // namespace kiln::opt::spirv
