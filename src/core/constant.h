// SPDX-License-Identifier: Apache-2.0
// Constant values: immutable, in an arena, of any constructible type, abstract ones too. A scalar is 8 bytes: integers
// (and bool as 0 or 1) as int64, floats of every width as the double that has exactly their value. Zero values and
// repeated elements are stored compactly, so that array<f32, 1000000>() costs one node. Floats are always finite:
// https://www.w3.org/TR/WGSL/#floating-point-evaluation makes anything else an error in constant expressions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/arena.h"
#include "core/type.h"

namespace kiln::core {

/// The payload of one scalar; which member counts follows from the type.
union Scalar64 {
  int64_t i;  ///< integers (u32 zero-extended, i32 sign-extended), bool 0 or 1
  double f;   ///< abstract-float, f32, f16, f64
};

class Constant {
 public:
  enum class Form : uint8_t {
    kScalar,    ///< one scalar
    kZero,      ///< a composite whose every scalar is zero (or false)
    kSplat,     ///< a vector or array whose elements all are `*splat`
    kScalars,   ///< a vector or matrix; its scalars, a matrix column by column
    kElements,  ///< an array or structure; one constant an element
  };

  const Type* type;
  Form form;

  int64_t i() const {
    KILN_CHECK(form == Form::kScalar);
    return payload_.scalar.i;
  }
  double f() const {
    KILN_CHECK(form == Form::kScalar);
    return payload_.scalar.f;
  }
  bool b() const { return i() != 0; }
  uint32_t u32() const { return static_cast<uint32_t>(i()); }
  Scalar64 scalar() const {
    KILN_CHECK(form == Form::kScalar);
    return payload_.scalar;
  }

  /// Scalar number `index` of a scalar, vector or matrix (column by column).
  Scalar64 ScalarAt(uint32_t index) const;
  /// How many scalars a scalar, vector or matrix has.
  uint32_t ScalarCount() const;
  /// Whether every scalar in it is zero; -0.0 is not.
  bool IsZero() const;

  // Makers. Types are the caller's; values must fit them (f32 and f16 already rounded).
  static const Constant* Int(Arena& arena, const Type* type, int64_t value);
  static const Constant* Float(Arena& arena, const Type* type, double value);
  static const Constant* Bool(bool value);
  static const Constant* OfScalar(Arena& arena, const Type* type, Scalar64 value);
  /// The zero value of a constructible type: https://www.w3.org/TR/WGSL/#zero-value
  static const Constant* Zero(Arena& arena, const Type* type);
  /// A vector or array with all elements `element`.
  static const Constant* Splat(Arena& arena, const Type* type, const Constant* element);
  /// A vector or matrix; the scalars are copied.
  static const Constant* Scalars(Arena& arena, const Type* type, std::span<const Scalar64> scalars);
  /// A vector, matrix (of columns), array or structure; the pointers are copied.
  static const Constant* Composite(Arena& arena, const Type* type, std::span<const Constant* const> elements);

  /// Element `index` of a vector, matrix (a column), array or structure; in range.
  const Constant* Element(Arena& arena, uint32_t index) const;

 private:
  friend class Arena;
  Constant(const Type* t, Form f) : type(t), form(f) {}
  constexpr Constant(const Type* t, Scalar64 value) : type(t), form(Form::kScalar), payload_{value} {}
  union Payload {
    Scalar64 scalar;
    const Scalar64* scalars;
    const Constant* splat;
    const Constant* const* elements;
  } payload_{};

  static Constant* Make(Arena& arena, const Type* type, Form form);
};

/// Equal type and equal scalars (floats by bits: -0.0 differs from 0.0), whatever the forms.
bool SameConstant(const Constant* a, const Constant* b);

/// As WGSL text that gives the value back: "1.5f", "vec2<i32>(1, 2)", "array<u32, 3>()". Abstract floats and f32 with
/// the fewest digits that round-trip.
std::string ConstantText(const Constant* constant);
void AppendConstantText(std::string& out, const Constant* constant);

}  // namespace kiln::core
