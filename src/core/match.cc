// SPDX-License-Identifier: Apache-2.0
// How one overload is tried: its patterns against the types of a query, which binds its variables.
#include "core/match.h"

#include <algorithm>

namespace kiln::core::signature {

namespace {

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

}  // namespace

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

}  // namespace kiln::core::signature
