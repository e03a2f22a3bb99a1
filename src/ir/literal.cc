// SPDX-License-Identifier: Apache-2.0
// Scalars as text that gives the same value back, with the fewest digits.
#include <charconv>
#include <cmath>

#include "core/eval.h"
#include "ir/print.h"

namespace kiln::ir {
namespace {

template <typename T>
void AppendNumber(std::string& out, T value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

/// The fewest digits that round to the same f16: five always do.
void AppendF16(std::string& out, double value) {
  char digits[40];
  for (int precision = 1;; ++precision) {
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, precision);
    double back = 0;
    std::from_chars(digits, end.ptr, back);
    if (core::RoundToF16(back) == value || precision == 17) return AppendNumber(out, back);
  }
}

std::string_view IntegerSuffix(core::TypeKind kind) {
  switch (kind) {
    case core::TypeKind::kI32:
      return "i";
    case core::TypeKind::kU32:
      return "u";
    case core::TypeKind::kI8:
      return "i8";
    case core::TypeKind::kU8:
      return "u8";
    case core::TypeKind::kI16:
      return "i16";
    case core::TypeKind::kU16:
      return "u16";
    case core::TypeKind::kI64:
      return "i64";
    case core::TypeKind::kU64:
      return "u64";
    default:
      return "";  // abstract
  }
}

}  // namespace

void AppendScalar(std::string& out, const core::Type* type, core::Scalar64 value) {
  switch (type->kind) {
    case core::TypeKind::kBool:
      out += value.i ? "true" : "false";
      return;
    case core::TypeKind::kF32:
      AppendNumber(out, static_cast<float>(value.f));
      out += 'f';
      return;
    case core::TypeKind::kF16:
      AppendF16(out, value.f);
      out += 'h';
      return;
    case core::TypeKind::kF64:
      AppendNumber(out, value.f);
      out += "lf";
      return;
    case core::TypeKind::kU64:
      AppendNumber(out, static_cast<uint64_t>(value.i));
      out += "u64";
      return;
    default:
      AppendNumber(out, value.i);
      out += IntegerSuffix(type->kind);
      return;
  }
}

}  // namespace kiln::ir
