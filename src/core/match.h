// SPDX-License-Identifier: Apache-2.0
// The matcher's inside: how one overload is tried (match.cc), for builtin.cc (which overload) and builtin_explain.cc
// (why none). The tables are in signature_tables.inc. Nothing outside core includes this file.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/builtin.h"
#include "core/signature.h"
#include "core/type.h"

namespace kiln::core::signature {

/// The overloads of a name, and the tables behind them.
std::span<const Overload> OverloadsOf(BuiltinFn fn);
std::span<const Overload> OverloadsOf(UnaryOp op);
std::span<const Overload> OverloadsOf(BinaryOp op);
std::span<const Overload> OverloadsOf(Constructor constructor);
/// The patterns of the template parameters, then of the parameters.
const Pattern* PatternsOf(const Overload& overload);
uint16_t IndexOf(const Overload& overload);
/// Whose overload it is, from its number.
UnaryOp UnaryOpOf(uint16_t overload);
BinaryOp BinaryOpOf(uint16_t overload);
bool IsBinaryOp(uint16_t overload);
bool IsConstructor(uint16_t overload);

/// What is asked: value arguments, explicit template arguments, and the component type of a constructor.
struct Query {
  std::span<const Type* const> args;
  std::span<const Type* const> template_args;
  const Type* element = nullptr;
  bool is_constructor = false;
  bool all_const = true;
};

/// What the variables of an overload are for one query.
struct Binding {
  std::array<uint8_t, kMaxWidthVars> widths{};    ///< 0: not bound
  std::array<uint8_t, kMaxScalarVars> scalars{};  ///< TypeKind, 0: not bound
  std::array<bool, kMaxScalarVars> is_exact{};    ///< bound by an explicit template argument: no further conversion
  const Type* whole = nullptr;
  const PointerType* pointer = nullptr;  ///< of parameter 0, if it is one
};

/// How far a query got with one overload.
enum class Step : uint8_t { kCount, kTemplate, kArgument, kVariable, kMatched };
struct Attempt {
  Step step = Step::kCount;
  uint8_t argument = 0;  ///< of kArgument: the first that does not fit
  uint8_t variable = 0;  ///< of kVariable: the scalar variable that can be nothing
  Binding binding;
  /// Conversion ranks of the arguments, if it matched; all 0 if `is_exact`.
  std::array<uint8_t, kMaxParams> ranks;
  bool is_exact = true;
};
void Try(const Overload& overload, const Query& query, Attempt& attempt);

/// What a pattern is once the variables are bound.
const Type* ValueType(const Binding& binding, const Pattern& pattern);
const Type* ResultType(TypeTable& types, const Overload& overload, const Binding& binding);

/// Columns, rows and scalar of a value type; all 0 of any other.
struct Shape {
  uint8_t columns = 0;
  uint8_t rows = 0;
  uint8_t scalar = 0;
};

/// Of each static type below 64.
constexpr std::array<Shape, 64> MakeShapes() {
  std::array<Shape, 64> shapes{};
  for (uint8_t kind = 0; kind < 16; ++kind) {
    if (kind >= static_cast<uint8_t>(TypeKind::kAbstractInt)) shapes[kind] = {1, 1, kind};
  }
  constexpr uint8_t kFirst = static_cast<uint8_t>(TypeKind::kAbstractInt);
  for (uint8_t scalar = 0; scalar < 7; ++scalar) {
    for (uint8_t width = 2; width <= 4; ++width) {
      shapes[16u + scalar * 3u + width - 2u] = {1, width, static_cast<uint8_t>(kFirst + scalar)};
    }
  }
  constexpr TypeKind kFloats[] = {TypeKind::kAbstractFloat, TypeKind::kF32, TypeKind::kF16};
  for (uint8_t scalar = 0; scalar < 3; ++scalar) {
    for (uint8_t columns = 2; columns <= 4; ++columns) {
      for (uint8_t rows = 2; rows <= 4; ++rows) {
        shapes[37u + scalar * 9u + (columns - 2u) * 3u + rows - 2u] = {columns, rows,
                                                                       static_cast<uint8_t>(kFloats[scalar])};
      }
    }
  }
  return shapes;
}
inline constexpr std::array<Shape, 64> kShapes = MakeShapes();

/// What earlier queries of one compilation came to: shaders ask the same few things over and over. Direct mapped, so a
/// collision only costs the match again. Only matches with few arguments are kept.
class MatchCache {
 public:
  static constexpr size_t kMostArgs = 4;
  struct Entry {
    uint32_t head = 0;  ///< the group, the argument count and whether all are constants; never 0 in use
    uint16_t overload = 0;
    const Type* element = nullptr;
    std::array<const Type*, kMostArgs> args{};
    const Type* result = nullptr;
    std::array<const Type*, kMostArgs> params{};
  };
  Entry& Slot(uint64_t hash) { return entries_[(hash >> 32) % entries_.size()]; }

 private:
  std::array<Entry, 64> entries_{};
};

}  // namespace kiln::core::signature
