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

struct Shape {
  uint8_t columns = 0;
  uint8_t rows = 0;
  uint8_t scalar = 0;
};

// Shape of each static type below 64.
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
constexpr std::array<Shape, 64> kShapes = MakeShapes();

constexpr uint8_t kAI = static_cast<uint8_t>(TypeKind::kAbstractInt);
constexpr uint8_t kAF = static_cast<uint8_t>(TypeKind::kAbstractFloat);
constexpr uint8_t kI = static_cast<uint8_t>(TypeKind::kI32);
constexpr uint8_t kU = static_cast<uint8_t>(TypeKind::kU32);
constexpr uint8_t kF = static_cast<uint8_t>(TypeKind::kF32);
constexpr uint8_t kH = static_cast<uint8_t>(TypeKind::kF16);
constexpr uint8_t kFail = 255;

// ConversionRank of scalars.
constexpr uint8_t Rank(uint8_t from, uint8_t to) {
  if (from == to) return 0;
  if (from == kAF) return to == kF ? 1 : to == kH ? 2 : kFail;
  if (from != kAI) return kFail;
  switch (to) {
    case kI:
      return 3;
    case kU:
      return 4;
    case kAF:
      return 5;
    case kF:
      return 6;
    case kH:
      return 7;
    default:
      return kFail;
  }
}

// The scalar to which both convert with the least ranks; kFail if there is none.
constexpr uint8_t Join(uint8_t a, uint8_t b) {
  if (a == b || a == 0) return b;
  if (Rank(b, a) != kFail) return a;
  return Rank(a, b) != kFail ? b : kFail;
}

// The best scalar of `domain` to which `common` converts; kFail if there is none.
uint8_t Resolve(uint8_t common, uint16_t domain, bool may_be_abstract) {
  static constexpr uint8_t kFromInt[] = {kAI, kI, kU, kAF, kF, kH};
  static constexpr uint8_t kFromFloat[] = {kAF, kF, kH};
  if (common > kAF) return (domain >> common & 1) != 0 ? common : kFail;
  const std::span<const uint8_t> chain =
      common == kAI ? std::span<const uint8_t>(kFromInt) : std::span<const uint8_t>(kFromFloat);
  for (uint8_t kind : chain) {
    if ((domain >> kind & 1) != 0 && (may_be_abstract || kind > kAF)) return kind;
  }
  return kFail;
}

bool BindWidth(const Overload& overload, Binding& binding, uint8_t field, uint8_t width) {
  if ((field & kVar) == 0) return field == width;
  const uint8_t variable = field & 0x7f;
  if (binding.widths[variable] != 0) return binding.widths[variable] == width;
  if ((overload.widths[variable] >> width & 1) == 0) return false;
  binding.widths[variable] = width;
  return true;
}

// A scalar of an argument that may still be converted.
bool BindScalar(Binding& binding, uint8_t field, uint8_t scalar) {
  if ((field & kVar) == 0) return Rank(scalar, field) != kFail;
  const uint8_t variable = field & 0x7f;
  if (binding.is_exact[variable]) return Rank(scalar, binding.scalars[variable]) != kFail;
  const uint8_t joined = Join(binding.scalars[variable], scalar);
  if (joined == kFail) return false;
  binding.scalars[variable] = joined;
  return true;
}

// A scalar that must be the variable itself: of a texture, an atomic, a template argument.
bool BindExactScalar(Binding& binding, uint8_t field, uint8_t scalar) {
  if ((field & kVar) == 0) return field == scalar;
  const uint8_t variable = field & 0x7f;
  if (binding.scalars[variable] != 0 && Rank(binding.scalars[variable], scalar) == kFail) return false;
  if (binding.is_exact[variable] && binding.scalars[variable] != scalar) return false;
  binding.scalars[variable] = scalar;
  binding.is_exact[variable] = true;
  return true;
}

bool IsWhole(Whole whole, const Type* type) {
  switch (whole) {
    case Whole::kConstructible:
      return type->is_constructible() && !type->is_abstract();
    case Whole::kViewable:
    case Whole::kRuntimeViewable:
      if (!type->is_host_shareable() || type->Has(Type::kHoldsAtomic) || type->Is(TypeKind::kBuffer)) return false;
      return whole == Whole::kViewable || !type->Has(Type::kFixedFootprint);
  }
  KILN_UNREACHABLE("whole");
}

bool MatchPointer(const Pattern& pattern, const Type* type, Binding& binding) {
  const PointerType* pointer = type->As<PointerType>();
  if (pointer == nullptr) return false;
  if ((pattern.a >> static_cast<int>(pointer->space) & 1) == 0) return false;
  if ((pattern.d >> static_cast<int>(pointer->access) & 1) == 0) return false;
  binding.pointer = pointer;
  switch (static_cast<Pointee>(pattern.b)) {
    case Pointee::kAtomic: {
      const AtomicType* atomic = pointer->store->As<AtomicType>();
      return atomic != nullptr && atomic->element->is_scalar() &&
             BindExactScalar(binding, pattern.c, static_cast<uint8_t>(atomic->element->kind));
    }
    case Pointee::kAtomicVec2: {
      const AtomicType* atomic = pointer->store->As<AtomicType>();
      return atomic != nullptr && atomic->element == StaticValue(1, 2, TypeKind::kU32);
    }
    case Pointee::kRuntimeArray: {
      const ArrayType* array = pointer->store->As<ArrayType>();
      return array != nullptr && array->is_runtime_sized();
    }
    case Pointee::kWhole:
      if (!IsWhole(static_cast<Whole>(pattern.c), pointer->store)) return false;
      binding.whole = pointer->store;
      return true;
    case Pointee::kBuffer:
      return pointer->store->Is(TypeKind::kBuffer);
  }
  KILN_UNREACHABLE("pointee");
}

bool MatchTexture(const Pattern& pattern, const Type* type, Binding& binding) {
  const TextureType* texture = type->As<TextureType>();
  if (texture == nullptr) return false;
  if (static_cast<uint8_t>(texture->texture) != pattern.a || static_cast<uint8_t>(texture->dim) != pattern.b) {
    return false;
  }
  if (texture->texture == TextureKind::kStorage && (pattern.d >> static_cast<int>(texture->access) & 1) == 0) {
    return false;
  }
  return BindExactScalar(binding, pattern.c, static_cast<uint8_t>(texture->sampled->kind));
}

bool MatchParam(const Overload& overload, const Pattern& pattern, const Type* type, Binding& binding) {
  switch (pattern.form) {
    case Form::kValue: {
      if (type->static_index >= kShapes.size()) return false;
      const Shape shape = kShapes[type->static_index];
      if (shape.scalar == 0) return false;
      if (!BindWidth(overload, binding, pattern.a, shape.columns)) return false;
      if (!BindWidth(overload, binding, pattern.b, shape.rows)) return false;
      return BindScalar(binding, pattern.c, shape.scalar);
    }
    case Form::kSampler: {
      const SamplerType* sampler = type->As<SamplerType>();
      return sampler != nullptr && sampler->is_comparison == (pattern.a != 0);
    }
    case Form::kTexture:
      return MatchTexture(pattern, type, binding);
    case Form::kTexelBuffer: {
      const TexelBufferType* buffer = type->As<TexelBufferType>();
      return buffer != nullptr && (pattern.d >> static_cast<int>(buffer->access) & 1) != 0 &&
             BindExactScalar(binding, pattern.c, static_cast<uint8_t>(buffer->sampled->kind));
    }
    case Form::kPointer:
      return MatchPointer(pattern, type, binding);
    default:
      KILN_UNREACHABLE("not a parameter pattern");
  }
}

bool MatchTemplate(const Overload& overload, const Pattern& pattern, const Type* type, Binding& binding) {
  if (pattern.form == Form::kWhole) {
    if (!IsWhole(static_cast<Whole>(pattern.a), type)) return false;
    binding.whole = type;
    return true;
  }
  if (type->static_index >= kShapes.size()) return false;
  const Shape shape = kShapes[type->static_index];
  return shape.scalar != 0 && BindWidth(overload, binding, pattern.a, shape.columns) &&
         BindWidth(overload, binding, pattern.b, shape.rows) && BindExactScalar(binding, pattern.c, shape.scalar);
}

// Explicit template arguments, and the explicit component type of a constructor.
bool MatchTemplates(const Overload& overload, const Pattern* patterns, const Query& query, Binding& binding) {
  if (query.is_constructor) {
    if (query.element == nullptr) return overload.template_count == 0;
    if ((overload.result.c & kVar) == 0) return false;
    return BindExactScalar(binding, overload.result.c, static_cast<uint8_t>(query.element->kind));
  }
  if (query.template_args.size() != overload.template_count) return false;
  for (size_t i = 0; i < query.template_args.size(); ++i) {
    if (!MatchTemplate(overload, patterns[i], query.template_args[i], binding)) return false;
  }
  return true;
}

uint8_t Width(const Binding& binding, uint8_t field) {
  return (field & kVar) != 0 ? binding.widths[field & 0x7f] : field;
}
uint8_t ScalarKind(const Binding& binding, uint8_t field) {
  return (field & kVar) != 0 ? binding.scalars[field & 0x7f] : field;
}

const Type* ValueType(const Binding& binding, const Pattern& pattern) {
  return StaticValue(Width(binding, pattern.a), Width(binding, pattern.b),
                     static_cast<TypeKind>(ScalarKind(binding, pattern.c)));
}

const Type* ResultType(TypeTable& types, const Overload& overload, const Binding& binding) {
  const Pattern& result = overload.result;
  switch (result.form) {
    case Form::kValue:
      return ValueType(binding, result);
    case Form::kVoid:
      return Void();
    case Form::kWhole:
      return binding.whole;
    case Form::kFrexp:
      return types.FrexpResult(ValueType(binding, result));
    case Form::kModf:
      return types.ModfResult(ValueType(binding, result));
    case Form::kExchange:
      return types.AtomicExchangeResult(ValueType(binding, result));
    case Form::kView:
      return types.Pointer(binding.pointer->space, binding.whole, binding.pointer->access);
    default:
      KILN_UNREACHABLE("not a result pattern");
  }
}

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
  if ((overload.scalars[0] >> shape.scalar & 1) == 0 || shape.scalar <= kAF) return false;
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

void Try(const Overload& overload, const Query& query, Attempt& attempt) {
  Binding& binding = attempt.binding;
  binding = Binding{};
  attempt.is_exact = true;
  const Pattern* patterns = PatternsOf(overload);
  attempt.step = Step::kTemplate;
  if (!MatchTemplates(overload, patterns, query, binding)) return;
  attempt.step = Step::kCount;
  if (query.args.size() != overload.param_count) return;

  attempt.step = Step::kArgument;
  const Pattern* params = patterns + overload.template_count;
  bool has_abstract = false;
  for (size_t i = 0; i < query.args.size(); ++i) {
    attempt.argument = static_cast<uint8_t>(i);
    if (!MatchParam(overload, params[i], query.args[i], binding)) return;
    has_abstract |= query.args[i]->is_abstract();
  }

  attempt.step = Step::kVariable;
  for (size_t i = 0; i < kMaxScalarVars; ++i) {
    if (overload.scalars[i] == 0) break;
    attempt.variable = static_cast<uint8_t>(i);
    if (binding.scalars[i] == 0) return;  // nothing says what it is
    const uint8_t kind = Resolve(binding.scalars[i], overload.scalars[i], query.all_const);
    if (kind == kFail || (binding.is_exact[i] && kind != binding.scalars[i])) return;
    binding.scalars[i] = kind;
  }

  if (has_abstract) {
    for (size_t i = 0; i < query.args.size(); ++i) {
      attempt.ranks[i] = 0;
      if (params[i].form != Form::kValue) continue;
      const uint8_t to = ScalarKind(binding, params[i].c);
      if (to <= kAF && !query.all_const) return;
      const uint8_t rank = Rank(kShapes[query.args[i]->static_index].scalar, to);
      if (rank == kFail) return;
      attempt.ranks[i] = rank;
      attempt.is_exact &= rank == 0;
    }
  } else {
    std::fill_n(attempt.ranks.begin(), query.args.size(), uint8_t{0});
  }
  attempt.step = Step::kMatched;
}

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
