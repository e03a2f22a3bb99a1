// SPDX-License-Identifier: Apache-2.0
// Automatic and explicit conversions, and constructors of scalars, vectors and matrices.
#include <cmath>

#include "core/eval_scalar.h"
#include "core/type_table.h"

namespace kiln::core {

namespace {

std::string DoesNotFit(TypeKind from, Scalar64 value, TypeKind to) {
  return "value " + ScalarText(from, value) + " cannot be represented as '" + TypeName(Scalar(to)) + "'";
}

// https://www.w3.org/TR/WGSL/#floating-point-conversion, "scalar floating point to integral conversion".
int64_t FloatToInt(TypeKind from, double value, TypeKind to) {
  // The nearest value that the float type can hold too: for f32, 4294967040 and 2147483520; f16 is never that large.
  const double lowest = to == TypeKind::kU32 ? 0.0 : -2147483648.0;
  double highest = to == TypeKind::kU32 ? 4294967295.0 : 2147483647.0;
  if (from == TypeKind::kF32) highest = to == TypeKind::kU32 ? 4294967040.0 : 2147483520.0;
  const double truncated = std::trunc(value);
  return static_cast<int64_t>(truncated < lowest ? lowest : truncated > highest ? highest : truncated);
}

Scalar64 ToFloat(TypeKind from, Scalar64 value, double exact, TypeKind to, EvalError& error) {
  const double largest = to == TypeKind::kF32   ? kLargestF32
                         : to == TypeKind::kF16 ? kLargestF16
                                                : std::numeric_limits<double>::max();
  // Values outside the finite range are an error even where they would round to its end.
  if (!(std::fabs(exact) <= largest)) {
    error.Fail(DoesNotFit(from, value, to));
    return FromFloat(0);
  }
  return FromFloat(to == TypeKind::kF32 ? RoundToF32(exact) : to == TypeKind::kF16 ? RoundToF16(exact) : exact);
}

}  // namespace

Scalar64 ConvertScalar(TypeKind from, Scalar64 value, TypeKind to, EvalError& error) {
  if (from == to) return value;
  const bool from_float = IsFloatKind(from);
  switch (to) {
    case TypeKind::kBool:
      return FromInt(from_float ? value.f != 0 : value.i != 0);
    case TypeKind::kI32:
    case TypeKind::kU32:
      if (from_float) return FromInt(FloatToInt(from, value.f, to));
      if (from == TypeKind::kAbstractInt) {
        const int64_t low = to == TypeKind::kU32 ? 0 : INT32_MIN;
        const int64_t high = to == TypeKind::kU32 ? int64_t{UINT32_MAX} : INT32_MAX;
        if (value.i < low || value.i > high) error.Fail(DoesNotFit(from, value, to));
      }
      return FromInt(IntMath(to, error).Wrap(value.i));
    case TypeKind::kAbstractFloat:
    case TypeKind::kF32:
    case TypeKind::kF16:
      return ToFloat(from, value, from_float ? value.f : static_cast<double>(value.i), to, error);
    default:
      KILN_UNREACHABLE("no conversion to this scalar");
  }
}

EvalResult ConvertConstant(TypeTable& types, const Constant* value, const Type* to) {
  const Type* from = value->type;
  if (from == to) return value;
  EvalError error;
  if (from->is_scalar()) {
    const Scalar64 scalar = ConvertScalar(from->kind, value->scalar(), to->kind, error);
    return Finish(types, to, {&scalar, 1}, error);
  }
  if (value->IsZero()) return Constant::Zero(types.arena(), to);
  if (from->kind == TypeKind::kVec || from->kind == TypeKind::kMat) {
    const TypeKind from_kind = ScalarOf(from)->kind;
    const TypeKind to_kind = ScalarOf(to)->kind;
    Scalar64 scalars[16];
    const uint32_t count = value->ScalarCount();
    for (uint32_t i = 0; i < count; ++i) scalars[i] = ConvertScalar(from_kind, value->ScalarAt(i), to_kind, error);
    return Finish(types, to, {scalars, count}, error);
  }
  const uint32_t count = ElementCountOf(from);
  const auto element_type = [to](uint32_t i) {
    const StructType* structure = to->As<StructType>();
    return structure != nullptr ? structure->members[i].type : ElementOf(to);
  };
  if (value->form == Constant::Form::kSplat) {
    EvalResult element = ConvertConstant(types, value->Element(types.arena(), 0), element_type(0));
    return element ? EvalResult(Constant::Splat(types.arena(), to, element.value)) : element;
  }
  const std::span<const Constant*> elements = types.arena().MakeArray<const Constant*>(count);
  for (uint32_t i = 0; i < count; ++i) {
    EvalResult element = ConvertConstant(types, value->Element(types.arena(), i), element_type(i));
    if (!element) return element;
    elements[i] = element.value;
  }
  return Constant::Composite(types.arena(), to, elements);
}

EvalResult EvalConstructor(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  const Type* to = target.result;
  if (args.empty()) return Constant::Zero(types.arena(), to);
  const TypeKind to_kind = ScalarOf(to)->kind;
  EvalError error;
  Scalar64 scalars[16];
  uint32_t count = 0;
  for (const Constant* arg : args) {
    const TypeKind from_kind = ScalarOf(arg->type)->kind;
    for (uint32_t i = 0; i < arg->ScalarCount(); ++i) {
      scalars[count++] = ConvertScalar(from_kind, arg->ScalarAt(i), to_kind, error);
    }
  }
  if (to->kind == TypeKind::kVec && count == 1) {
    if (error.failed()) return error.message();
    return Constant::Splat(types.arena(), to, Constant::OfScalar(types.arena(), ScalarOf(to), scalars[0]));
  }
  return Finish(types, to, {scalars, count}, error);
}

EvalResult EvalIndex(TypeTable& types, const Constant* value, int64_t index) {
  const uint32_t count = ElementCountOf(value->type);
  if (index < 0 || index >= int64_t{count}) {
    return "index " + std::to_string(index) + " is out of range: '" + TypeName(value->type) + "' has " +
           std::to_string(count) + " elements";
  }
  return value->Element(types.arena(), static_cast<uint32_t>(index));
}

const Constant* EvalMember(TypeTable& types, const Constant* value, uint32_t member) {
  return value->Element(types.arena(), member);
}

const Constant* EvalSwizzle(TypeTable& types, const Constant* value, std::span<const uint8_t> lanes) {
  const Type* element = ScalarOf(value->type);
  if (lanes.size() == 1) return Constant::OfScalar(types.arena(), element, value->ScalarAt(lanes[0]));
  Scalar64 scalars[4];
  for (size_t i = 0; i < lanes.size(); ++i) scalars[i] = value->ScalarAt(lanes[i]);
  return Constant::Scalars(types.arena(), types.Vec(element, static_cast<uint32_t>(lanes.size())),
                           {scalars, lanes.size()});
}

}  // namespace kiln::core
