// SPDX-License-Identifier: Apache-2.0
// Overload resolution: https://www.w3.org/TR/WGSL/#overload-resolution-section. A variable of an overload stands for a
// family of candidates; since ConversionRank is monotonic, at most one member of a family can be preferred, so each
// overload is tried once, with the best binding of its variables, and overloads are compared after that.
#include "core/builtin.h"

#include <algorithm>

#include "core/match.h"

namespace kiln::core {

namespace signature {

namespace {

#include "core/signature_tables.inc"

// Whether `a` is preferred over `b`: nowhere worse, somewhere better.
bool IsPreferred(const Attempt& a, const Attempt& b, size_t count) {
  bool is_better = false;
  for (size_t i = 0; i < count; ++i) {
    if (a.ranks[i] > b.ranks[i]) return false;
    is_better |= a.ranks[i] < b.ranks[i];
  }
  return is_better;
}

bool MatchSlowly(TypeTable& types, std::span<const Overload> overloads, const Query& query, CallTarget& target) {
  Attempt attempts[2];
  Attempt* best = nullptr;
  Attempt* next = &attempts[0];
  const Overload* best_overload = nullptr;
  bool is_ambiguous = false;
  for (const Overload& overload : overloads) {
    if (overload.param_count != query.args.size()) continue;
    Try(overload, query, *next);
    if (next->step != Step::kMatched) continue;
    if (best == nullptr || IsPreferred(*next, *best, query.args.size())) {
      best = next;
      best_overload = &overload;
      is_ambiguous = false;
      next = best == &attempts[0] ? &attempts[1] : &attempts[0];
      if (best->is_exact) break;  // nothing can be preferred over it
    } else if (!IsPreferred(*best, *next, query.args.size())) {
      // Equal ranks mean that two rows say the same (as bitcast to the own type): the first counts.
      is_ambiguous |= !std::equal(best->ranks.begin(), best->ranks.begin() + query.args.size(), next->ranks.begin());
    }
  }
  if (best == nullptr || is_ambiguous) return false;

  target.overload = IndexOf(*best_overload);
  target.param_count = best_overload->param_count;
  const Pattern* params = PatternsOf(*best_overload) + best_overload->template_count;
  for (size_t i = 0; i < query.args.size(); ++i) {
    const bool is_converted = !best->is_exact && best->ranks[i] != 0;
    target.params[i] = is_converted ? ValueType(best->binding, params[i]) : query.args[i];
  }
  target.result = ResultType(types, *best_overload, best->binding);
  return true;
}

// The usual case of operators and most functions: (T, T) with arguments that all have the same type already.
bool MatchUniform(const Overload& overload, const Query& query, CallTarget& target) {
  if (!overload.is_uniform || query.args.size() != overload.param_count) return false;
  const Type* type = query.args[0];
  for (const Type* arg : query.args) {
    if (arg != type) return false;
  }
  if (type->static_index >= kShapes.size()) return false;
  const Shape shape = kShapes[type->static_index];
  if (shape.columns != 1 || (overload.widths[0] >> shape.rows & 1) == 0) return false;
  if ((overload.scalars[0] >> shape.scalar & 1) == 0 || shape.scalar <= static_cast<uint8_t>(TypeKind::kAbstractFloat))
    return false;
  const Pattern& result = overload.result;
  if (result.form != Form::kValue || (result.b & 0x7f) > 1 || !query.template_args.empty() || query.is_constructor) {
    return false;
  }
  target.overload = IndexOf(overload);
  target.param_count = overload.param_count;
  for (size_t i = 0; i < query.args.size(); ++i) target.params[i] = type;
  if (result.b == kVar && result.c == kVar) {
    target.result = type;
  } else {
    const uint32_t rows = result.b == kVar ? shape.rows : result.b;
    target.result = StaticValue(1, rows, static_cast<TypeKind>(result.c == kVar ? shape.scalar : result.c));
  }
  return true;
}

uint64_t Hash(uint32_t head, const Type* element, std::span<const Type* const> args) {
  uint64_t hash = (head ^ reinterpret_cast<uintptr_t>(element)) * 0x9e3779b97f4a7c15u;
  for (const Type* arg : args) hash = (hash ^ (hash >> 29) ^ reinterpret_cast<uintptr_t>(arg)) * 0xff51afd7ed558ccdu;
  return hash;
}

bool Match(TypeTable& types, std::span<const Overload> overloads, const Query& query, CallTarget& target) {
  const size_t count = query.args.size();
  if (count != 0 && MatchUniform(overloads[0], query, target)) return true;
  if (count > MatchCache::kMostArgs || !query.template_args.empty()) {
    return MatchSlowly(types, overloads, query, target);
  }
  MatchCache*& cache = types.match_cache();
  if (cache == nullptr) cache = types.arena().Make<MatchCache>();
  const uint32_t head =
      1u + (uint32_t{IndexOf(overloads[0])} << 8) + (static_cast<uint32_t>(count) << 2) + (query.all_const ? 2u : 0u);
  MatchCache::Entry& entry = cache->Slot(Hash(head, query.element, query.args));
  if (entry.head == head && entry.element == query.element &&
      std::equal(query.args.begin(), query.args.end(), entry.args.begin())) {
    target.overload = entry.overload;
    target.param_count = static_cast<uint8_t>(count);
    target.result = entry.result;
    std::copy_n(entry.params.begin(), count, target.params.begin());
    return true;
  }
  if (!MatchSlowly(types, overloads, query, target)) return false;
  entry.head = head;
  entry.element = query.element;
  entry.overload = target.overload;
  entry.result = target.result;
  std::copy_n(query.args.begin(), count, entry.args.begin());
  std::copy_n(target.params.begin(), count, entry.params.begin());
  return true;
}

}  // namespace

template <size_t N>
static std::span<const Overload> Slice(const Group (&groups)[N], size_t at) {
  return std::span<const Overload>(kOverloads).subspan(groups[at].first, groups[at].count);
}

std::span<const Overload> OverloadsOf(BuiltinFn fn) { return Slice(kFnGroups, static_cast<size_t>(fn)); }
std::span<const Overload> OverloadsOf(UnaryOp op) { return Slice(kUnaryGroups, static_cast<size_t>(op)); }
std::span<const Overload> OverloadsOf(BinaryOp op) { return Slice(kBinaryGroups, static_cast<size_t>(op)); }
std::span<const Overload> OverloadsOf(Constructor constructor) {
  return Slice(kConstructorGroups, static_cast<size_t>(constructor));
}
const Pattern* PatternsOf(const Overload& overload) { return &kPatterns[overload.first_param]; }
uint16_t IndexOf(const Overload& overload) { return static_cast<uint16_t>(&overload - kOverloads); }

UnaryOp UnaryOpOf(uint16_t overload) {
  size_t at = 0;
  while (overload >= kUnaryGroups[at].first + kUnaryGroups[at].count) ++at;
  return static_cast<UnaryOp>(at);
}

BinaryOp BinaryOpOf(uint16_t overload) {
  size_t at = 0;
  while (overload >= kBinaryGroups[at].first + kBinaryGroups[at].count) ++at;
  return static_cast<BinaryOp>(at);
}

// The tool writes functions, unary operators, binary operators and constructors, in this order.
bool IsBinaryOp(uint16_t overload) {
  return overload >= kBinaryGroups[0].first && overload < kConstructorGroups[0].first;
}
bool IsConstructor(uint16_t overload) { return overload >= kConstructorGroups[0].first; }

}  // namespace signature

using signature::OverloadsOf;
using signature::Query;

bool MatchBuiltin(TypeTable& types, BuiltinFn fn, const CallArgs& args, CallTarget& target) {
  if (args.types.size() > kMaxParams) return false;
  const Query query{args.types, args.template_types, nullptr, false, args.all_const};
  return signature::Match(types, OverloadsOf(fn), query, target);
}

bool MatchUnary(TypeTable& types, UnaryOp op, const Type* operand, bool all_const, CallTarget& target) {
  const Query query{{&operand, 1}, {}, nullptr, false, all_const};
  return signature::Match(types, OverloadsOf(op), query, target);
}

bool MatchBinary(TypeTable& types, BinaryOp op, const Type* left, const Type* right, bool all_const,
                 CallTarget& target) {
  const Type* const operands[] = {left, right};
  const Query query{operands, {}, nullptr, false, all_const};
  return signature::Match(types, OverloadsOf(op), query, target);
}

bool MatchConstructor(TypeTable& types, Constructor constructor, const Type* element, const CallArgs& args,
                      CallTarget& target) {
  if (args.types.size() > kMaxParams) return false;
  const Query query{args.types, {}, element, true, args.all_const};
  return signature::Match(types, OverloadsOf(constructor), query, target);
}

const OverloadFacts& Facts(const CallTarget& target) {
  return signature::kFacts[signature::kOverloads[target.overload].facts];
}

std::string SignatureText(uint16_t overload) { return &signature::kText[signature::kOverloads[overload].text]; }

std::string_view Name(ParamUsage usage) {
  static constexpr std::string_view kNames[] = {
      "value", "pointer",   "texture", "sampler", "coords",       "array_index", "offset", "component", "level",
      "bias",  "depth_ref", "ddx",     "ddy",     "sample_index", "id",          "delta",  "mask"};
  return kNames[static_cast<size_t>(usage)];
}

std::string_view Name(Constructor constructor) {
  static constexpr std::string_view kNames[] = {"bool",   "i32",    "u32",    "f32",    "f16",    "vec2",
                                                "vec3",   "vec4",   "mat2x2", "mat2x3", "mat2x4", "mat3x2",
                                                "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4"};
  return kNames[static_cast<size_t>(constructor)];
}

std::optional<Constructor> ConstructorOf(const Type* type) {
  switch (type->kind) {
    case TypeKind::kBool:
      return Constructor::kBool;
    case TypeKind::kI32:
      return Constructor::kI32;
    case TypeKind::kU32:
      return Constructor::kU32;
    case TypeKind::kF32:
      return Constructor::kF32;
    case TypeKind::kF16:
      return Constructor::kF16;
    case TypeKind::kVec:
      return static_cast<Constructor>(static_cast<uint32_t>(Constructor::kVec2) + type->To<VecType>().width - 2);
    case TypeKind::kMat: {
      const MatType& mat = type->To<MatType>();
      return static_cast<Constructor>(static_cast<uint32_t>(Constructor::kMat2x2) + (mat.columns - 2) * 3 + mat.rows -
                                      2);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace kiln::core
