// SPDX-License-Identifier: Apache-2.0
#include "core/constant.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "core/type_table.h"

namespace kiln::core {

namespace {

bool IsFloat(const Type* scalar) { return scalar->is_float_scalar(); }

bool IsZeroScalar(const Type* scalar, Scalar64 value) {
  // +0.0 has no bits set; -0.0 has.
  return IsFloat(scalar) ? std::bit_cast<uint64_t>(value.f) == 0 : value.i == 0;
}

bool SameScalar(const Type* scalar, Scalar64 a, Scalar64 b) {
  return IsFloat(scalar) ? std::bit_cast<uint64_t>(a.f) == std::bit_cast<uint64_t>(b.f) : a.i == b.i;
}

bool IsVecOrMat(const Type* type) { return type->kind == TypeKind::kVec || type->kind == TypeKind::kMat; }

constexpr Scalar64 kZeroBits{0};

Scalar64 ZeroOf(const Type* scalar) {
  Scalar64 zero = kZeroBits;
  if (IsFloat(scalar)) zero.f = 0.0;
  return zero;
}

}  // namespace

Constant* Constant::Make(Arena& arena, const Type* type, Form form) {
  return new (arena.Allocate(sizeof(Constant), alignof(Constant))) Constant(type, form);
}

const Constant* Constant::OfScalar(Arena& arena, const Type* type, Scalar64 value) {
  KILN_CHECK(type->is_scalar());
  if (type->kind == TypeKind::kBool) return Bool(value.i != 0);
  Constant* constant = Make(arena, type, Form::kScalar);
  constant->payload_.scalar = value;
  return constant;
}

const Constant* Constant::Int(Arena& arena, const Type* type, int64_t value) {
  Scalar64 scalar;
  scalar.i = value;
  return OfScalar(arena, type, scalar);
}

const Constant* Constant::Float(Arena& arena, const Type* type, double value) {
  Scalar64 scalar;
  scalar.f = value;
  return OfScalar(arena, type, scalar);
}

const Constant* Constant::Bool(bool value) {
  static constexpr Constant kFalse(core::Bool(), Scalar64{0});
  static constexpr Constant kTrue(core::Bool(), Scalar64{1});
  return value ? &kTrue : &kFalse;
}

const Constant* Constant::Zero(Arena& arena, const Type* type) {
  if (type->is_scalar()) return OfScalar(arena, type, ZeroOf(type));
  return Make(arena, type, Form::kZero);
}

const Constant* Constant::Splat(Arena& arena, const Type* type, const Constant* element) {
  KILN_CHECK(type->kind == TypeKind::kVec || type->kind == TypeKind::kArray);
  if (element->IsZero()) return Make(arena, type, Form::kZero);
  Constant* constant = Make(arena, type, Form::kSplat);
  constant->payload_.splat = element;
  return constant;
}

const Constant* Constant::Scalars(Arena& arena, const Type* type, std::span<const Scalar64> scalars) {
  KILN_CHECK(IsVecOrMat(type));
  const Type* scalar = ScalarOf(type);
  bool is_zero = true;
  for (Scalar64 value : scalars) is_zero &= IsZeroScalar(scalar, value);
  if (is_zero) return Make(arena, type, Form::kZero);
  Constant* constant = Make(arena, type, Form::kScalars);
  constant->payload_.scalars = arena.Copy(scalars).data();
  KILN_CHECK(scalars.size() == constant->ScalarCount());
  return constant;
}

const Constant* Constant::Composite(Arena& arena, const Type* type, std::span<const Constant* const> elements) {
  if (IsVecOrMat(type)) {
    Scalar64 scalars[16];
    uint32_t count = 0;
    for (const Constant* element : elements) {
      for (uint32_t i = 0; i < element->ScalarCount(); ++i) scalars[count++] = element->ScalarAt(i);
    }
    return Scalars(arena, type, {scalars, count});
  }
  bool is_zero = true;
  for (const Constant* element : elements) is_zero = is_zero && element->IsZero();
  if (is_zero) return Make(arena, type, Form::kZero);
  Constant* constant = Make(arena, type, Form::kElements);
  constant->payload_.elements = arena.Copy(elements).data();
  return constant;
}

uint32_t Constant::ScalarCount() const {
  switch (type->kind) {
    case TypeKind::kVec:
      return static_cast<const VecType*>(type)->width;
    case TypeKind::kMat:
      return static_cast<const MatType*>(type)->columns * static_cast<const MatType*>(type)->rows;
    default:
      KILN_CHECK(type->is_scalar());
      return 1;
  }
}

Scalar64 Constant::ScalarAt(uint32_t index) const {
  switch (form) {
    case Form::kScalar:
      return payload_.scalar;
    case Form::kZero:
      return ZeroOf(ScalarOf(type));
    case Form::kSplat:
      return payload_.splat->scalar();
    case Form::kScalars:
      return payload_.scalars[index];
    case Form::kElements:
      break;
  }
  KILN_UNREACHABLE("arrays and structures have no scalars");
}

bool Constant::IsZero() const {
  switch (form) {
    case Form::kScalar:
      return IsZeroScalar(type, payload_.scalar);
    case Form::kZero:
      return true;
    default:
      return false;  // the makers turn anything else that is zero into kZero
  }
}

const Constant* Constant::Element(Arena& arena, uint32_t index) const {
  if (type->kind == TypeKind::kStruct) {
    const StructType& structure = type->To<StructType>();
    KILN_CHECK(index < structure.members.size());
    return form == Form::kZero ? Zero(arena, structure.members[index].type) : payload_.elements[index];
  }
  KILN_CHECK(index < ElementCountOf(type));
  switch (form) {
    case Form::kZero:
      return Zero(arena, ElementOf(type));
    case Form::kSplat:
      return payload_.splat;
    case Form::kScalars: {
      const Type* element = ElementOf(type);
      if (type->kind == TypeKind::kVec) return OfScalar(arena, element, payload_.scalars[index]);
      const uint32_t rows = static_cast<const MatType*>(type)->rows;
      return Scalars(arena, element, {payload_.scalars + size_t{index} * rows, rows});
    }
    case Form::kElements:
      return payload_.elements[index];
    case Form::kScalar:
      break;
  }
  KILN_UNREACHABLE("a scalar has no elements");
}

bool SameConstant(const Constant* a, const Constant* b) {
  if (a == b) return true;
  if (a->type != b->type) return false;
  if (a->form == Constant::Form::kZero && b->form == Constant::Form::kZero) return true;
  const Type* type = a->type;
  if (type->is_scalar()) return SameScalar(type, a->scalar(), b->scalar());
  if (IsVecOrMat(type)) {
    for (uint32_t i = 0; i < a->ScalarCount(); ++i) {
      if (!SameScalar(ScalarOf(type), a->ScalarAt(i), b->ScalarAt(i))) return false;
    }
    return true;
  }
  // The makers store each zero value as kZero, so a mixed pair differs; splats are compared by their element.
  if (a->IsZero() != b->IsZero()) return false;
  Arena scratch;
  if (a->form == Constant::Form::kSplat && b->form == Constant::Form::kSplat) {
    return SameConstant(a->Element(scratch, 0), b->Element(scratch, 0));
  }
  for (uint32_t i = 0; i < ElementCountOf(type); ++i) {
    if (!SameConstant(a->Element(scratch, i), b->Element(scratch, i))) return false;
  }
  return true;
}

namespace {

void AppendFloat(std::string& out, const Type* type, double value) {
  char digits[64];
  std::to_chars_result end{};
  if (type->kind == TypeKind::kF32 || type->kind == TypeKind::kF16) {
    end = std::to_chars(digits, digits + sizeof digits, static_cast<float>(value));
  } else {
    end = std::to_chars(digits, digits + sizeof digits, value);
  }
  const std::string_view text(digits, static_cast<size_t>(end.ptr - digits));
  out += text;
  if (text.find_first_of(".en") == std::string_view::npos) out += ".0";
  if (type->kind == TypeKind::kF32) out += 'f';
  if (type->kind == TypeKind::kF16) out += 'h';
}

void AppendScalar(std::string& out, const Type* type, Scalar64 value) {
  switch (type->kind) {
    case TypeKind::kBool:
      out += value.i != 0 ? "true" : "false";
      return;
    case TypeKind::kU32:
      out += std::to_string(value.i) + "u";
      return;
    case TypeKind::kI32:
      // -2147483648i is a negation of a literal that does not fit.
      out += value.i == INT32_MIN ? std::string("i32(-2147483648)") : std::to_string(value.i) + "i";
      return;
    default:
      if (IsFloat(type)) {
        AppendFloat(out, type, value.f);
      } else if (value.i == INT64_MIN) {
        out += "(-9223372036854775807 - 1)";
      } else {
        out += std::to_string(value.i);
      }
      return;
  }
}

// An abstract composite has no name that can be written: vec2(1, 2) infers it.
void AppendConstructor(std::string& out, const Type* type) {
  std::string name = TypeName(type);
  if (type->is_abstract()) name.resize(name.find('<'));
  out += name;
}

}  // namespace

void AppendConstantText(std::string& out, const Constant* constant) {
  const Type* type = constant->type;
  if (type->is_scalar()) {
    AppendScalar(out, type, constant->scalar());
    return;
  }
  AppendConstructor(out, type);
  out += '(';
  if (IsVecOrMat(type)) {
    const bool is_splat =
        type->kind == TypeKind::kVec &&
        (constant->form == Constant::Form::kSplat || (constant->form == Constant::Form::kZero && type->is_abstract()));
    const uint32_t count = constant->form == Constant::Form::kZero && !type->is_abstract() ? 0
                           : is_splat                                                      ? 1
                                                                                           : constant->ScalarCount();
    for (uint32_t i = 0; i < count; ++i) {
      if (i != 0) out += ", ";
      AppendScalar(out, ScalarOf(type), constant->ScalarAt(i));
    }
  } else if (constant->form != Constant::Form::kZero || type->is_abstract()) {
    Arena scratch;
    for (uint32_t i = 0; i < ElementCountOf(type); ++i) {
      if (i != 0) out += ", ";
      AppendConstantText(out, constant->Element(scratch, i));
    }
  }
  out += ')';
}

std::string ConstantText(const Constant* constant) {
  std::string out;
  AppendConstantText(out, constant);
  return out;
}

}  // namespace kiln::core
