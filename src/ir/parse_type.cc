// SPDX-License-Identifier: Apache-2.0
// Types and constants of the text form.
#include <charconv>
#include <cmath>

#include "core/eval.h"
#include "core/predeclared.h"
#include "ir/parser.h"

namespace kiln::ir {
namespace {

struct Suffix {
  std::string_view text;
  core::TypeKind kind;
};
// Longer ones first where one is the end of another.
constexpr Suffix kSuffixes[] = {
    {"lf", core::TypeKind::kF64},  {"f", core::TypeKind::kF32},   {"h", core::TypeKind::kF16},
    {"i8", core::TypeKind::kI8},   {"u8", core::TypeKind::kU8},   {"i16", core::TypeKind::kI16},
    {"u16", core::TypeKind::kU16}, {"i64", core::TypeKind::kI64}, {"u64", core::TypeKind::kU64},
    {"i", core::TypeKind::kI32},   {"u", core::TypeKind::kU32},
};

/// Bits of an integer kind, and whether it is signed.
std::pair<int, bool> WidthOf(core::TypeKind kind) {
  switch (kind) {
    case core::TypeKind::kI8:
      return {8, true};
    case core::TypeKind::kU8:
      return {8, false};
    case core::TypeKind::kI16:
      return {16, true};
    case core::TypeKind::kU16:
      return {16, false};
    case core::TypeKind::kI32:
      return {32, true};
    case core::TypeKind::kU32:
      return {32, false};
    case core::TypeKind::kI64:
      return {64, true};
    default:
      return {64, false};
  }
}

bool IsResultType(std::string_view name) {
  return name == "frexp_result" || name == "modf_result" || name == "atomic_exchange_result";
}

const core::Type* WideScalar(std::string_view name) {
  constexpr std::pair<std::string_view, core::TypeKind> kNames[] = {
      {"i8", core::TypeKind::kI8},   {"u8", core::TypeKind::kU8},     {"i16", core::TypeKind::kI16},
      {"u16", core::TypeKind::kU16}, {"i64", core::TypeKind::kI64},   {"u64", core::TypeKind::kU64},
      {"f64", core::TypeKind::kF64}, {"void", core::TypeKind::kVoid},
  };
  for (const auto& [text, kind] : kNames) {
    if (text == name) return core::Scalar(kind);
  }
  return nullptr;
}

/// Shape of the vector and matrix generators: columns (1 for vectors), rows.
std::optional<std::pair<uint32_t, uint32_t>> ShapeOf(core::TypeGenerator generator) {
  using G = core::TypeGenerator;
  if (generator >= G::kVec2 && generator <= G::kVec4) {
    return std::pair{1u, 2 + static_cast<uint32_t>(generator) - static_cast<uint32_t>(G::kVec2)};
  }
  if (generator >= G::kMat2x2 && generator <= G::kMat4x4) {
    const uint32_t number = static_cast<uint32_t>(generator) - static_cast<uint32_t>(G::kMat2x2);
    return std::pair{2 + number / 3, 2 + number % 3};
  }
  return std::nullopt;
}

std::optional<core::TextureDim> DimOf(core::TypeGenerator generator) {
  using G = core::TypeGenerator;
  switch (generator) {
    case G::kTexture1d:
    case G::kTextureStorage1d:
      return core::TextureDim::k1d;
    case G::kTexture2d:
    case G::kTextureStorage2d:
    case G::kTextureMultisampled2d:
      return core::TextureDim::k2d;
    case G::kTexture2dArray:
    case G::kTextureStorage2dArray:
    case G::kTextureMultisampled2dArray:
      return core::TextureDim::k2dArray;
    case G::kTexture3d:
    case G::kTextureStorage3d:
      return core::TextureDim::k3d;
    case G::kTextureCube:
      return core::TextureDim::kCube;
    case G::kTextureCubeArray:
      return core::TextureDim::kCubeArray;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool Parser::IsType(const Token& token) const {
  if (token.kind == Token::Kind::kValue) return structs_.contains(token.text);
  if (token.kind != Token::Kind::kWord) return false;
  if (structs_.contains(token.text) || IsResultType(token.text) || WideScalar(token.text)) return true;
  const core::PredeclaredKind kind = core::LookupPredeclared(token.text).kind;
  return kind == core::PredeclaredKind::kType || kind == core::PredeclaredKind::kGenerator;
}

const core::Type* Parser::Type() {
  if (++type_depth_ > kMaxTypeDepth) {
    Error("types are nested too deeply");
    return nullptr;
  }
  const Token name = Peek();
  const core::Type* type = nullptr;
  if (!IsType(name)) {
    Error("expected a type");
  } else if (const auto found = structs_.find(name.text); found != structs_.end()) {
    Next();
    type = found->second->type;
  } else if (const core::Type* wide = WideScalar(name.text)) {
    Next();
    type = wide;
  } else {
    Next();
    type = GeneratedType(name);
  }
  --type_depth_;
  return type;
}

const core::Type* Parser::GeneratedType(const Token& name) {
  using G = core::TypeGenerator;
  core::TypeTable& types = module_.types;
  const bool is_result = IsResultType(name.text);
  const core::Predeclared predeclared = core::LookupPredeclared(name.text);
  if (!is_result && predeclared.kind == core::PredeclaredKind::kType) return predeclared.type;
  if (!is_result && predeclared.generator == G::kBuffer && !Peek().Is('<')) return types.Buffer();
  if (!Expect('<')) return nullptr;
  const core::Type* type = nullptr;
  if (is_result) {
    type = ResultType(name);
  } else if (const auto shape = ShapeOf(predeclared.generator)) {
    const core::Type* element = Type();
    if (element == nullptr) return nullptr;
    const bool fits = shape->first == 1 ? element->is_scalar() && !element->is_abstract()
                                        : element == core::F32() || element == core::F16();
    if (!fits) {
      ErrorAt(name, "wrong component type");
      return nullptr;
    }
    type = shape->first == 1 ? static_cast<const core::Type*>(types.Vec(element, shape->second))
                             : types.Mat(element, shape->first, shape->second);
  } else if (predeclared.generator == G::kArray) {
    type = ArrayType();
  } else if (predeclared.generator == G::kPtr) {
    type = PointerType();
  } else if (predeclared.generator == G::kAtomic) {
    const core::Type* element = Type();
    if (element == nullptr) return nullptr;
    const bool fits = element == core::I32() || element == core::U32() || element == core::StaticVec(core::U32(), 2);
    type = fits ? types.Atomic(element) : nullptr;
    if (!fits) ErrorAt(name, "wrong type of an atomic");
  } else if (predeclared.generator == G::kBindingArray) {
    const core::Type* element = Type();
    if (element == nullptr) return nullptr;
    std::optional<uint32_t> count = 0;
    if (Accept(',')) count = Number();
    if (!count) return nullptr;
    type = types.BindingArray(element, *count);
  } else if (predeclared.generator == G::kBuffer) {
    if (Peek().kind == Token::Kind::kCount) {
      const core::OverrideCount* count = CountOfToken();
      type = count ? types.OverrideBuffer(count) : nullptr;
    } else {
      const auto bytes = Number();
      if (!bytes) return nullptr;
      type = types.Buffer(*bytes);
    }
  } else {
    type = TextureType(predeclared.generator);
  }
  return type != nullptr && Expect('>') ? type : nullptr;
}

const core::Type* Parser::ResultType(const Token& name) {
  const core::Type* value = Type();
  if (value == nullptr) return nullptr;
  const bool is_shape = value->is_scalar() || value->Is(core::TypeKind::kVec);
  if (name.text == "atomic_exchange_result") {
    if (value == core::I32() || value == core::U32()) return module_.types.AtomicExchangeResult(value);
  } else if (is_shape && core::ScalarOf(value)->is_float_scalar() && !value->is_abstract()) {
    return name.text == "frexp_result" ? module_.types.FrexpResult(value) : module_.types.ModfResult(value);
  }
  ErrorAt(name, "no built-in function has this result");
  return nullptr;
}

/// `T`, `T, count`, `T, $count`, `T, count, stride`, `T, *, stride`.
const core::Type* Parser::ArrayType() {
  const core::Type* element = Type();
  if (element == nullptr) return nullptr;
  if (!element->is_storable()) {
    Error("this type cannot be the element of an array");
    return nullptr;
  }
  if (!Accept(',')) return module_.types.RuntimeArray(element);
  if (Peek().kind == Token::Kind::kCount) {
    const core::OverrideCount* count = CountOfToken();
    return count ? module_.types.OverrideArray(element, count) : nullptr;
  }
  std::optional<uint32_t> count = 0;
  const bool is_runtime = Accept('*');
  if (!is_runtime) {
    count = Number();
    if (!count) return nullptr;
    if (*count == 0) {
      Error("an array has at least one element");
      return nullptr;
    }
  }
  std::optional<uint32_t> stride = 0;
  if (Accept(',')) stride = Number();
  if (!stride) return nullptr;
  return is_runtime ? module_.types.RuntimeArray(element, *stride) : module_.types.Array(element, *count, *stride);
}

const core::Type* Parser::PointerType() {
  const Token word = Next();
  std::optional<core::AddressSpace> space = core::ParseAddressSpace(word.text);
  for (const auto hidden : {core::AddressSpace::kHandle, core::AddressSpace::kIn, core::AddressSpace::kOut}) {
    if (word.text == core::Name(hidden)) space = hidden;
  }
  if (word.kind != Token::Kind::kWord || !space) {
    ErrorAt(word, "expected an address space");
    return nullptr;
  }
  if (!Expect(',')) return nullptr;
  const core::Type* store = Type();
  if (store == nullptr) return nullptr;
  std::optional<core::Access> access = core::DefaultAccess(*space);
  if (Accept(',')) access = Access();
  return access ? module_.types.Pointer(*space, store, *access) : nullptr;
}

const core::Type* Parser::TextureType(core::TypeGenerator generator) {
  using G = core::TypeGenerator;
  core::TypeTable& types = module_.types;
  const bool is_storage = generator >= G::kTextureStorage1d && generator <= G::kTextureStorage3d;
  if (is_storage || generator == G::kTexelBuffer) {
    const auto format = Format();
    if (!format || !Expect(',')) return nullptr;
    const auto access = Access();
    if (!access) return nullptr;
    if (!is_storage) return types.TexelBuffer(*format, *access);
    return types.StorageTexture(*DimOf(generator), *format, *access);
  }
  const auto dim = DimOf(generator);
  if (!dim) {
    Error("this type is not known here");
    return nullptr;
  }
  const core::Type* sampled = Type();
  if (sampled == nullptr) return nullptr;
  if (sampled != core::F32() && sampled != core::I32() && sampled != core::U32()) {
    Error("a texture is sampled as f32, i32 or u32");
    return nullptr;
  }
  const bool is_multisampled = generator == G::kTextureMultisampled2d || generator == G::kTextureMultisampled2dArray;
  return is_multisampled ? types.MultisampledTexture(sampled, *dim) : types.SampledTexture(*dim, sampled);
}

std::optional<core::Access> Parser::Access() {
  const Token word = Next();
  const auto access = core::ParseAccess(word.text);
  if (!access) ErrorAt(word, "expected read, write or read_write");
  return access;
}

std::optional<core::TexelFormat> Parser::Format() {
  const Token word = Next();
  const auto format = core::ParseTexelFormat(word.text);
  if (!format) ErrorAt(word, "expected a texel format");
  return format;
}

const core::OverrideCount* Parser::CountOfToken() {
  const Token token = Next();
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
  if (error != std::errc() || end != token.text.data() + token.text.size() || number > tokens_.size()) {
    ErrorAt(token, "expected the number of a count");
    return nullptr;
  }
  if (number >= counts_.size()) counts_.resize(number + 1);
  DeferredCount& entry = counts_[number];
  if (entry.count == nullptr) {
    entry.count = module_.types.NewOverrideCount("$" + std::string(token.text), nullptr);
    entry.use = token;
  }
  return entry.count;
}

// ----------------------------------------------------------------------------------------------------- constants

const core::Constant* Parser::Literal(const Token& number, bool is_negative) {
  const Suffix* suffix = nullptr;
  for (const Suffix& candidate : kSuffixes) {
    if (suffix == nullptr && number.text.ends_with(candidate.text)) suffix = &candidate;
  }
  if (suffix == nullptr) {
    ErrorAt(number, "a number needs a suffix: i, u, f, h, ...");
    return nullptr;
  }
  const core::Type* type = core::Scalar(suffix->kind);
  const char* first = number.text.data();
  const char* last = first + number.text.size() - suffix->text.size();
  if (type->is_float_scalar()) {
    double value = 0;
    std::from_chars_result read{};
    if (suffix->kind == core::TypeKind::kF32) {
      float narrow = 0;
      read = std::from_chars(first, last, narrow);
      value = narrow;
    } else {
      read = std::from_chars(first, last, value);
      if (suffix->kind == core::TypeKind::kF16) value = core::RoundToF16(value);
    }
    if (read.ec != std::errc() || read.ptr != last || !std::isfinite(value)) {
      ErrorAt(number, "this is no number of its type");
      return nullptr;
    }
    return core::Constant::Float(module_.arena, type, is_negative ? -value : value);
  }
  uint64_t magnitude = 0;
  const auto read = std::from_chars(first, last, magnitude);
  const auto [bits, is_signed] = WidthOf(suffix->kind);
  const uint64_t greatest =
      is_signed ? (uint64_t{1} << (bits - 1)) - (is_negative ? 0 : 1) : ~uint64_t{0} >> (64 - bits);
  if (read.ec != std::errc() || read.ptr != last || magnitude > greatest || (is_negative && !is_signed)) {
    ErrorAt(number, "this is no number of its type");
    return nullptr;
  }
  return core::Constant::Int(module_.arena, type, static_cast<int64_t>(is_negative ? 0 - magnitude : magnitude));
}

/// A literal, `true`, `false`, or `T{...}`.
const core::Constant* Parser::Constant() {
  const Token token = Peek();
  if (token.IsWord("true") || token.IsWord("false")) {
    Next();
    return core::Constant::Bool(token.text == "true");
  }
  if (token.Is('-') && Peek(1).kind == Token::Kind::kNumber) {
    Next();
    return Literal(Next(), true);
  }
  if (token.kind == Token::Kind::kNumber) return Literal(Next(), false);
  const core::Type* type = Type();
  return type && Expect('{') ? Braced(type) : nullptr;
}

/// What follows `{`, with the closing brace.
const core::Constant* Parser::Braced(const core::Type* type) {
  if (!type->is_constructible() || type->is_scalar()) {
    Error("there are no such constants");
    return nullptr;
  }
  if (Accept('}')) return core::Constant::Zero(module_.arena, type);
  if (++type_depth_ > kMaxTypeDepth) {
    Error("constants are nested too deeply");
    return nullptr;
  }
  const core::Constant* constant = nullptr;
  const auto* array = type->As<core::ArrayType>();
  if (array == nullptr && !type->Is(core::TypeKind::kStruct)) {
    constant = ScalarList(type);
  } else if (array != nullptr && AcceptWord("all")) {
    const core::Constant* element = Constant();
    if (element && element->type != array->element) {
      Error("this is no constant of the element type");
    } else if (element) {
      constant = core::Constant::Splat(module_.arena, type, element);
    }
  } else {
    std::vector<const core::Constant*> elements;
    const uint32_t count = core::ElementCountOf(type);
    while (elements.size() < count) {
      if (!elements.empty() && !Expect(',')) return nullptr;
      const core::Type* wanted = array ? array->element : type->To<core::StructType>().members[elements.size()].type;
      const core::Constant* element = Constant();
      if (element == nullptr) return nullptr;
      if (element->type != wanted) {
        Error("this is no constant of the element type");
        return nullptr;
      }
      elements.push_back(element);
    }
    constant = core::Constant::Composite(module_.arena, type, elements);
  }
  --type_depth_;
  return constant && Expect('}') ? constant : nullptr;
}

const core::Constant* Parser::ScalarList(const core::Type* type) {
  const core::Type* element = core::ScalarOf(type);
  const auto* mat = type->As<core::MatType>();
  const uint32_t count = mat ? mat->columns * mat->rows : core::ElementCountOf(type);
  std::vector<core::Scalar64> scalars;
  while (scalars.size() < count) {
    if (!scalars.empty() && !Expect(',')) return nullptr;
    const core::Constant* scalar = Constant();
    if (scalar == nullptr) return nullptr;
    if (scalar->type != element) {
      Error("this is no constant of the component type");
      return nullptr;
    }
    scalars.push_back(scalar->scalar());
  }
  return core::Constant::Scalars(module_.arena, type, scalars);
}

}  // namespace kiln::ir
