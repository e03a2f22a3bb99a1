// SPDX-License-Identifier: Apache-2.0
// A conversion that would make a call right, for hints: each is tried by matching again, so that a hint is certain.
#pragma once

#include <cstddef>
#include <span>

#include "core/type.h"

namespace kiln::wgsl::resolve {

/// Which arguments to convert to which type; null where nothing helps.
struct Suggestion {
  static constexpr size_t kAllScalars = ~size_t{0};
  const core::Type* type = nullptr;
  size_t argument = 0;  ///< or kAllScalars
};

/// Whether `T(e)` with e of type `from` makes a `to`.
inline bool IsConvertible(const core::Type* from, const core::Type* to) {
  if (to->is_abstract() || from == to) return false;
  if (from->is_scalar()) return to->is_scalar() || to->Is(core::TypeKind::kVec);
  const auto* a = from->As<core::VecType>();
  const auto* b = to->As<core::VecType>();
  return a != nullptr && b != nullptr && a->width == b->width;
}

/// `types` are the types of the arguments; `matches` looks at them and says whether an overload takes them. They are as
/// before afterwards.
template <typename Matches>
Suggestion SuggestConversion(std::span<const core::Type*> types, Matches matches) {
  for (size_t i = types.size(); i-- > 0;) {
    const core::Type* before = types[i];
    for (size_t j = 0; j < types.size(); ++j) {
      if (i == j || !IsConvertible(before, types[j])) continue;
      types[i] = types[j];
      const bool fits = matches();
      types[i] = before;
      if (fits) return {types[j], i};
    }
  }
  const core::Type* vec = nullptr;
  for (const core::Type* type : types) {
    if (vec == nullptr && type->Is(core::TypeKind::kVec) && !type->is_abstract()) vec = type;
  }
  constexpr size_t kMost = 8;
  if (vec == nullptr || types.size() > kMost) return {};
  const core::Type* before[kMost] = {};
  for (size_t i = 0; i < types.size(); ++i) {
    before[i] = types[i];
    if (types[i]->is_scalar()) types[i] = vec;
  }
  const bool fits = matches();
  for (size_t i = 0; i < types.size(); ++i) types[i] = before[i];
  return fits ? Suggestion{vec, Suggestion::kAllScalars} : Suggestion{};
}

}  // namespace kiln::wgsl::resolve
