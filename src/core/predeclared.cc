// SPDX-License-Identifier: Apache-2.0
// One open-addressing table over all predeclared names, filled at compile time.
#include "core/predeclared.h"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "core/type_table.h"

namespace kiln::core {

namespace {

// A predeclared name as constant data: `value` is the number of the enumerator; types are made from it on look-up.
enum class TypeWord : uint8_t {
  kBool,
  kI32,
  kU32,
  kF32,
  kF16,
  kSampler,
  kComparisonSampler,
  kDepth2d,
  kDepth2dArray,
  kDepthCube,
  kDepthCubeArray,
  kDepthMultisampled2d,
  kExternal,
  kShort,  // vec3f, mat2x2h: the shape is in the text
};

struct Entry {
  std::string_view name;
  PredeclaredKind kind = PredeclaredKind::kNone;
  uint8_t value = 0;
};

constexpr Entry Of(std::string_view name, TypeWord type) {
  return {name, PredeclaredKind::kType, static_cast<uint8_t>(type)};
}
constexpr Entry Of(std::string_view name, TypeGenerator generator) {
  return {name, PredeclaredKind::kGenerator, static_cast<uint8_t>(generator)};
}

constexpr Entry kEntries[] = {
#define KILN_BUILTIN_FN(id, text) {text, PredeclaredKind::kFunction, static_cast<uint8_t>(BuiltinFn::id)},
#include "core/builtin_names.def"
#define KILN_ACCESS(id, text) {text, PredeclaredKind::kAccess, static_cast<uint8_t>(Access::id)},
#include "core/enums.def"
#define KILN_TEXEL_FORMAT(id, text, channel, count, tier1) \
  {text, PredeclaredKind::kTexelFormat, static_cast<uint8_t>(TexelFormat::id)},
#include "core/enums.def"
    {"function", PredeclaredKind::kAddressSpace, static_cast<uint8_t>(AddressSpace::kFunction)},
    {"private", PredeclaredKind::kAddressSpace, static_cast<uint8_t>(AddressSpace::kPrivate)},
    {"workgroup", PredeclaredKind::kAddressSpace, static_cast<uint8_t>(AddressSpace::kWorkgroup)},
    {"uniform", PredeclaredKind::kAddressSpace, static_cast<uint8_t>(AddressSpace::kUniform)},
    {"storage", PredeclaredKind::kAddressSpace, static_cast<uint8_t>(AddressSpace::kStorage)},
    {"immediate", PredeclaredKind::kAddressSpace, static_cast<uint8_t>(AddressSpace::kImmediate)},
    Of("bool", TypeWord::kBool),
    Of("i32", TypeWord::kI32),
    Of("u32", TypeWord::kU32),
    Of("f32", TypeWord::kF32),
    Of("f16", TypeWord::kF16),
    Of("sampler", TypeWord::kSampler),
    Of("sampler_comparison", TypeWord::kComparisonSampler),
    Of("texture_depth_2d", TypeWord::kDepth2d),
    Of("texture_depth_2d_array", TypeWord::kDepth2dArray),
    Of("texture_depth_cube", TypeWord::kDepthCube),
    Of("texture_depth_cube_array", TypeWord::kDepthCubeArray),
    Of("texture_depth_multisampled_2d", TypeWord::kDepthMultisampled2d),
    Of("texture_external", TypeWord::kExternal),
    Of("array", TypeGenerator::kArray),
    Of("atomic", TypeGenerator::kAtomic),
    Of("ptr", TypeGenerator::kPtr),
    Of("vec2", TypeGenerator::kVec2),
    Of("vec3", TypeGenerator::kVec3),
    Of("vec4", TypeGenerator::kVec4),
    Of("mat2x2", TypeGenerator::kMat2x2),
    Of("mat2x3", TypeGenerator::kMat2x3),
    Of("mat2x4", TypeGenerator::kMat2x4),
    Of("mat3x2", TypeGenerator::kMat3x2),
    Of("mat3x3", TypeGenerator::kMat3x3),
    Of("mat3x4", TypeGenerator::kMat3x4),
    Of("mat4x2", TypeGenerator::kMat4x2),
    Of("mat4x3", TypeGenerator::kMat4x3),
    Of("mat4x4", TypeGenerator::kMat4x4),
    Of("texture_1d", TypeGenerator::kTexture1d),
    Of("texture_2d", TypeGenerator::kTexture2d),
    Of("texture_2d_array", TypeGenerator::kTexture2dArray),
    Of("texture_3d", TypeGenerator::kTexture3d),
    Of("texture_cube", TypeGenerator::kTextureCube),
    Of("texture_cube_array", TypeGenerator::kTextureCubeArray),
    Of("texture_multisampled_2d", TypeGenerator::kTextureMultisampled2d),
    Of("texture_multisampled_2d_array", TypeGenerator::kTextureMultisampled2dArray),
    Of("texture_storage_1d", TypeGenerator::kTextureStorage1d),
    Of("texture_storage_2d", TypeGenerator::kTextureStorage2d),
    Of("texture_storage_2d_array", TypeGenerator::kTextureStorage2dArray),
    Of("texture_storage_3d", TypeGenerator::kTextureStorage3d),
    Of("texel_buffer", TypeGenerator::kTexelBuffer),
    Of("binding_array", TypeGenerator::kBindingArray),
    Of("buffer", TypeGenerator::kBuffer),
#define KILN_SHORT_VEC(n)                                                                                     \
  Of("vec" #n "i", TypeWord::kShort), Of("vec" #n "u", TypeWord::kShort), Of("vec" #n "f", TypeWord::kShort), \
      Of("vec" #n "h", TypeWord::kShort)
#define KILN_SHORT_MAT(c, r) Of("mat" #c "x" #r "f", TypeWord::kShort), Of("mat" #c "x" #r "h", TypeWord::kShort)
    KILN_SHORT_VEC(2),
    KILN_SHORT_VEC(3),
    KILN_SHORT_VEC(4),
    KILN_SHORT_MAT(2, 2),
    KILN_SHORT_MAT(2, 3),
    KILN_SHORT_MAT(2, 4),
    KILN_SHORT_MAT(3, 2),
    KILN_SHORT_MAT(3, 3),
    KILN_SHORT_MAT(3, 4),
    KILN_SHORT_MAT(4, 2),
    KILN_SHORT_MAT(4, 3),
    KILN_SHORT_MAT(4, 4),
#undef KILN_SHORT_VEC
#undef KILN_SHORT_MAT
};
constexpr size_t kCount = std::size(kEntries);

constexpr size_t kSlots = 1024;
static_assert(kCount * 3 < kSlots);

constexpr uint64_t Bytes(const char* at, size_t count) {
  uint64_t bytes = 0;
  if (!std::is_constant_evaluated() && count == 8) {
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&bytes, at, 8);
      return bytes;
    }
  }
  for (size_t i = 0; i < count; ++i) bytes |= uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
  return bytes;
}

// Of the first and the last eight bytes, and the length.
constexpr size_t Hash(std::string_view name) {
  const size_t count = name.size() < 8 ? name.size() : 8;
  const uint64_t first = Bytes(name.data(), count);
  const uint64_t last = name.size() <= 8 ? name.size() : Bytes(name.data() + name.size() - 8, 8);
  const uint64_t hash =
      (first * 0x9e3779b97f4a7c15u ^ (last + name.size()) * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
  return (hash >> 40) & (kSlots - 1);
}

// Number of the entry, plus one; 0 is free.
constexpr std::array<uint16_t, kSlots> MakeSlots() {
  std::array<uint16_t, kSlots> slots{};
  for (size_t i = 0; i < kCount; ++i) {
    size_t at = Hash(kEntries[i].name);
    while (slots[at] != 0) {
      if (kEntries[slots[at] - 1].name == kEntries[i].name) throw "a name is predeclared twice";
      at = (at + 1) & (kSlots - 1);
    }
    slots[at] = static_cast<uint16_t>(i + 1);
  }
  return slots;
}
constexpr std::array<uint16_t, kSlots> kTable = MakeSlots();

// The type of a name like vec3f or mat2x3h.
const Type* ShortType(std::string_view name) {
  TypeKind scalar = TypeKind::kF32;
  switch (name.back()) {
    case 'i':
      scalar = TypeKind::kI32;
      break;
    case 'u':
      scalar = TypeKind::kU32;
      break;
    case 'h':
      scalar = TypeKind::kF16;
      break;
    default:
      break;
  }
  const auto digit = [name](size_t at) { return static_cast<uint32_t>(name[at] - '0'); };
  return name[0] == 'v' ? StaticValue(1, digit(3), scalar) : StaticValue(digit(3), digit(5), scalar);
}

const Type* TypeOf(const Entry& entry) {
  switch (static_cast<TypeWord>(entry.value)) {
    case TypeWord::kBool:
      return Bool();
    case TypeWord::kI32:
      return I32();
    case TypeWord::kU32:
      return U32();
    case TypeWord::kF32:
      return F32();
    case TypeWord::kF16:
      return F16();
    case TypeWord::kSampler:
      return Sampler();
    case TypeWord::kComparisonSampler:
      return ComparisonSampler();
    case TypeWord::kDepth2d:
      return StaticDepthTexture(TextureDim::k2d);
    case TypeWord::kDepth2dArray:
      return StaticDepthTexture(TextureDim::k2dArray);
    case TypeWord::kDepthCube:
      return StaticDepthTexture(TextureDim::kCube);
    case TypeWord::kDepthCubeArray:
      return StaticDepthTexture(TextureDim::kCubeArray);
    case TypeWord::kDepthMultisampled2d:
      return StaticDepthMultisampledTexture(TextureDim::k2d);
    case TypeWord::kExternal:
      return StaticExternalTexture();
    case TypeWord::kShort:
      return ShortType(entry.name);
  }
  KILN_UNREACHABLE("predeclared type");
}

LanguageFeature FeatureOf(TypeGenerator generator) {
  switch (generator) {
    case TypeGenerator::kTexelBuffer:
      return LanguageFeature::kTexelBuffers;
    case TypeGenerator::kBindingArray:
      return LanguageFeature::kSizedBindingArray;
    case TypeGenerator::kBuffer:
      return LanguageFeature::kBufferView;
    case TypeGenerator::kTextureMultisampled2dArray:
      return LanguageFeature::kMultisampledArrayTextures;
    default:
      return LanguageFeature::kNone;
  }
}

const Entry* Find(std::string_view name) {
  for (size_t at = Hash(name); kTable[at] != 0; at = (at + 1) & (kSlots - 1)) {
    const Entry& entry = kEntries[kTable[at] - 1];
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

constexpr std::string_view kFnNames[] = {
#define KILN_BUILTIN_FN(id, text) text,
#include "core/builtin_names.def"
};

}  // namespace

Predeclared LookupPredeclared(std::string_view name) {
  Predeclared found;
  const Entry* entry = Find(name);
  if (entry == nullptr) return found;
  found.kind = entry->kind;
  switch (entry->kind) {
    case PredeclaredKind::kNone:
      break;
    case PredeclaredKind::kType:
      found.type = TypeOf(*entry);
      if (found.type->Has(Type::kHoldsF16)) found.extension = Extension::kF16;
      break;
    case PredeclaredKind::kGenerator:
      found.generator = static_cast<TypeGenerator>(entry->value);
      found.feature = FeatureOf(found.generator);
      break;
    case PredeclaredKind::kFunction:
      found.function = static_cast<BuiltinFn>(entry->value);
      break;
    case PredeclaredKind::kAddressSpace:
      found.space = static_cast<AddressSpace>(entry->value);
      if (found.space == AddressSpace::kImmediate) found.feature = LanguageFeature::kImmediateAddressSpace;
      break;
    case PredeclaredKind::kAccess:
      found.access = static_cast<Access>(entry->value);
      break;
    case PredeclaredKind::kTexelFormat:
      found.format = static_cast<TexelFormat>(entry->value);
      if (Info(found.format).needs_tier1) found.feature = LanguageFeature::kTextureFormatsTier1;
      break;
  }
  return found;
}

void ForEachPredeclared(void (*found)(void* context, std::string_view name, PredeclaredKind kind), void* context) {
  for (const Entry& entry : kEntries) found(context, entry.name, entry.kind);
}

std::string_view Name(BuiltinFn fn) { return kFnNames[static_cast<size_t>(fn)]; }

std::optional<BuiltinFn> ParseBuiltinFn(std::string_view text) {
  const Entry* entry = Find(text);
  if (entry == nullptr || entry->kind != PredeclaredKind::kFunction) return std::nullopt;
  return static_cast<BuiltinFn>(entry->value);
}

}  // namespace kiln::core
