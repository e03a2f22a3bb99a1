// SPDX-License-Identifier: Apache-2.0
#include "core/type_table.h"

#include <algorithm>

#include "core/layout.h"

namespace kiln::core {

namespace {

constexpr uint16_t kPlainScalar = Type::kConstructible | Type::kStorable | Type::kFixedFootprint | Type::kCreationFixed;
constexpr uint16_t kNumber = kPlainScalar | Type::kHostShareable;
constexpr uint16_t kAbstractNumber =
    Type::kConstructible | Type::kFixedFootprint | Type::kCreationFixed | Type::kAbstract;

constexpr Type MakeScalar(TypeKind kind, uint16_t flags, uint32_t size) {
  return Type{kind, static_cast<uint8_t>(kind), flags, size, size};
}

}  // namespace

namespace detail {
constexpr Type kStaticScalars[16] = {
    MakeScalar(TypeKind::kPoison, Type::kHoldsPoison | kNumber, 0),
    MakeScalar(TypeKind::kVoid, 0, 0),
    MakeScalar(TypeKind::kAbstractInt, kAbstractNumber, 0),
    MakeScalar(TypeKind::kAbstractFloat, kAbstractNumber, 0),
    MakeScalar(TypeKind::kBool, kPlainScalar | Type::kHoldsBool, 4),
    MakeScalar(TypeKind::kI32, kNumber, 4),
    MakeScalar(TypeKind::kU32, kNumber, 4),
    MakeScalar(TypeKind::kF32, kNumber, 4),
    MakeScalar(TypeKind::kF16, kNumber | Type::kHoldsF16, 2),
    MakeScalar(TypeKind::kI8, kNumber, 1),
    MakeScalar(TypeKind::kU8, kNumber, 1),
    MakeScalar(TypeKind::kI16, kNumber, 2),
    MakeScalar(TypeKind::kU16, kNumber, 2),
    MakeScalar(TypeKind::kI64, kNumber, 8),
    MakeScalar(TypeKind::kU64, kNumber, 8),
    MakeScalar(TypeKind::kF64, kNumber, 8),
};
}  // namespace detail

namespace {

// Static types are numbered: scalars 0 to 15 by kind, then vectors, matrices, atomics. All of WGSL's values that are
// scalars, vectors or matrices so have a number below 64.
constexpr uint8_t kFirstVec = 16;
constexpr uint8_t kFirstMat = 37;
constexpr int kVecScalars = 7;  // abstract-int to f16
constexpr TypeKind kMatScalars[] = {TypeKind::kAbstractFloat, TypeKind::kF32, TypeKind::kF16};

constexpr const Type* StaticScalar(TypeKind kind) { return &detail::kStaticScalars[static_cast<int>(kind)]; }

constexpr VecType MakeVec(const Type* element, uint32_t width, uint8_t index) {
  const uint32_t align = element->align * (width == 2 ? 2 : 4);
  return VecType{{TypeKind::kVec, index, element->flags, align, uint64_t{element->size} * width}, element, width};
}

constexpr auto MakeVecs() {
  std::array<VecType, kVecScalars * 3> vecs{};
  for (int scalar = 0; scalar < kVecScalars; ++scalar) {
    for (uint32_t width = 2; width <= 4; ++width) {
      const size_t at = static_cast<size_t>(scalar) * 3 + width - 2;
      const Type* element = StaticScalar(static_cast<TypeKind>(static_cast<int>(TypeKind::kAbstractInt) + scalar));
      vecs[at] = MakeVec(element, width, static_cast<uint8_t>(kFirstVec + at));
    }
  }
  return vecs;
}
constexpr std::array<VecType, kVecScalars* 3> kStaticVecs = MakeVecs();

constexpr MatType MakeMat(const VecType* column, uint32_t columns, uint8_t index) {
  const uint64_t stride = column->align == 0 ? 0 : RoundUp(column->align, column->size);
  return MatType{{TypeKind::kMat, index, column->flags, column->align, stride * columns},
                 column,
                 column->element,
                 columns,
                 column->width};
}

constexpr auto MakeMats() {
  std::array<MatType, 27> mats{};
  for (size_t scalar = 0; scalar < 3; ++scalar) {
    const size_t vec = static_cast<size_t>(kMatScalars[scalar]) - static_cast<size_t>(TypeKind::kAbstractInt);
    for (uint32_t columns = 2; columns <= 4; ++columns) {
      for (uint32_t rows = 2; rows <= 4; ++rows) {
        const size_t at = scalar * 9 + (columns - 2) * 3 + rows - 2;
        mats[at] = MakeMat(&kStaticVecs[vec * 3 + rows - 2], columns, static_cast<uint8_t>(kFirstMat + at));
      }
    }
  }
  return mats;
}
constexpr std::array<MatType, 27> kStaticMats = MakeMats();

constexpr uint16_t kAtomicFlags =
    Type::kStorable | Type::kHostShareable | Type::kFixedFootprint | Type::kCreationFixed | Type::kHoldsAtomic;
constexpr AtomicType kStaticAtomics[] = {
    {{TypeKind::kAtomic, 64, kAtomicFlags, 4, 4}, StaticScalar(TypeKind::kI32)},
    {{TypeKind::kAtomic, 65, kAtomicFlags, 4, 4}, StaticScalar(TypeKind::kU32)},
};

constexpr SamplerType kSampler{{TypeKind::kSampler, 66, Type::kStorable, 0, 0}, false};
constexpr SamplerType kComparisonSampler{{TypeKind::kSampler, 67, Type::kStorable, 0, 0}, true};

constexpr TextureType MakeTexture(TextureKind kind, TextureDim dim, const Type* sampled) {
  return TextureType{
      {TypeKind::kTexture, 0xff, Type::kStorable, 0, 0}, kind, dim, sampled, TexelFormat::kRgba8Unorm, Access::kRead};
}
constexpr const Type* kF32 = StaticScalar(TypeKind::kF32);
constexpr TextureType kDepth[] = {MakeTexture(TextureKind::kDepth, TextureDim::k2d, kF32),
                                  MakeTexture(TextureKind::kDepth, TextureDim::k2dArray, kF32),
                                  MakeTexture(TextureKind::kDepth, TextureDim::kCube, kF32),
                                  MakeTexture(TextureKind::kDepth, TextureDim::kCubeArray, kF32)};
constexpr TextureType kDepthMultisampled[] = {MakeTexture(TextureKind::kDepthMultisampled, TextureDim::k2d, kF32),
                                              MakeTexture(TextureKind::kDepthMultisampled, TextureDim::k2dArray, kF32)};
constexpr TextureType kExternal = MakeTexture(TextureKind::kExternal, TextureDim::k2d, kF32);

const Type* ChannelType(TexelFormat format) {
  switch (Info(format).channel) {
    case TexelFormatInfo::Channel::kF32:
      return F32();
    case TexelFormatInfo::Channel::kI32:
      return I32();
    case TexelFormatInfo::Channel::kU32:
      return U32();
  }
  KILN_UNREACHABLE("channel");
}

// Sizes stop growing here, far above any limit, so that nested arrays cannot overflow.
constexpr uint64_t kHugeSize = uint64_t{1} << 62;

uint64_t Saturate(uint64_t count, uint64_t stride) {
  if (stride != 0 && count > kHugeSize / stride) return kHugeSize;
  return count * stride;
}

// Flags that a composite has as soon as one part has them, and those it has only if all parts have them.
constexpr uint16_t kInherited = Type::kAbstract | Type::kHoldsAtomic | Type::kHoldsOverride | Type::kHoldsF16 |
                                Type::kHoldsPoison | Type::kHoldsBool;
constexpr uint16_t kShared = Type::kConstructible | Type::kHostShareable | Type::kFixedFootprint | Type::kCreationFixed;

}  // namespace

const VecType* StaticVec(const Type* element, uint32_t width) {
  const int scalar = static_cast<int>(element->kind) - static_cast<int>(TypeKind::kAbstractInt);
  KILN_CHECK(scalar >= 0 && scalar < kVecScalars && width >= 2 && width <= 4);
  return &kStaticVecs[static_cast<size_t>(scalar) * 3 + width - 2];
}

const MatType* StaticMat(const Type* element, uint32_t columns, uint32_t rows) {
  KILN_CHECK(columns >= 2 && columns <= 4 && rows >= 2 && rows <= 4);
  for (size_t scalar = 0; scalar < 3; ++scalar) {
    if (kMatScalars[scalar] == element->kind) return &kStaticMats[scalar * 9 + (columns - 2) * 3 + rows - 2];
  }
  KILN_UNREACHABLE("a matrix has floats");
}

const Type* StaticValue(uint32_t columns, uint32_t rows, TypeKind scalar) {
  if (columns != 1) return StaticMat(Scalar(scalar), columns, rows);
  if (rows == 1) return Scalar(scalar);
  return &kStaticVecs[static_cast<size_t>(static_cast<int>(scalar) - static_cast<int>(TypeKind::kAbstractInt)) * 3 +
                      rows - 2];
}

const AtomicType* StaticAtomic(const Type* element) {
  KILN_CHECK(element->kind == TypeKind::kI32 || element->kind == TypeKind::kU32);
  return &kStaticAtomics[element->kind == TypeKind::kU32];
}

const SamplerType* Sampler() { return &kSampler; }
const SamplerType* ComparisonSampler() { return &kComparisonSampler; }
const TextureType* StaticExternalTexture() { return &kExternal; }

const TextureType* StaticDepthTexture(TextureDim dim) {
  for (const TextureType& type : kDepth) {
    if (type.dim == dim) return &type;
  }
  KILN_UNREACHABLE("no depth texture of this dimension");
}

const TextureType* StaticDepthMultisampledTexture(TextureDim dim) {
  for (const TextureType& type : kDepthMultisampled) {
    if (type.dim == dim) return &type;
  }
  KILN_UNREACHABLE("no multisampled depth texture of this dimension");
}

TypeTable::Key TypeTable::MakeKey(TypeKind kind, uint32_t small, uint64_t number, const void* first,
                                  const void* second) {
  return Key{static_cast<uint64_t>(kind) | (uint64_t{small} << 8), number, first, second};
}

uint64_t TypeTable::Hash(const Key& key) {
  uint64_t hash = key.head * 0x9e3779b97f4a7c15u;
  const auto mix = [&hash](uint64_t value) {
    hash = (hash ^ value) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  };
  mix(key.number);
  mix(reinterpret_cast<uintptr_t>(key.first));
  mix(reinterpret_cast<uintptr_t>(key.second));
  return hash;
}

TypeTable::Slot& TypeTable::Find(const Key& key) {
  const size_t mask = slots_.size() - 1;
  size_t at = Hash(key) & mask;
  while (slots_[at].type != nullptr && !(slots_[at].key == key)) at = (at + 1) & mask;
  return slots_[at];
}

void TypeTable::Grow() {
  const std::span<Slot> old = slots_;
  slots_ = arena_.MakeArray<Slot>(old.size() * 4);
  for (const Slot& slot : old) {
    if (slot.type != nullptr) Find(slot.key) = slot;
  }
}

template <typename T, typename Make>
const T* TypeTable::Intern(const Key& key, Make make) {
  Slot* slot = &Find(key);
  if (slot->type == nullptr) {
    const T* made = make();
    if ((used_ + 1) * 4 > slots_.size() * 3) Grow();
    slot = &Find(key);  // making it, or growing, may have moved things
    *slot = Slot{key, made};
    ++used_;
  }
  return static_cast<const T*>(slot->type);
}

const VecType* TypeTable::Vec(const Type* element, uint32_t width) {
  if (element->kind >= TypeKind::kAbstractInt && element->kind <= TypeKind::kF16) return StaticVec(element, width);
  return Intern<VecType>(MakeKey(TypeKind::kVec, width, 0, element),
                         [&] { return arena_.Make<VecType>(MakeVec(element, width, 0xff)); });
}

const MatType* TypeTable::Mat(const Type* element, uint32_t columns, uint32_t rows) {
  if (std::find(std::begin(kMatScalars), std::end(kMatScalars), element->kind) != std::end(kMatScalars)) {
    return StaticMat(element, columns, rows);
  }
  return Intern<MatType>(MakeKey(TypeKind::kMat, columns * 8 + rows, 0, element),
                         [&] { return arena_.Make<MatType>(MakeMat(Vec(element, rows), columns, 0xff)); });
}

const AtomicType* TypeTable::Atomic(const Type* element) {
  if (element->kind == TypeKind::kI32 || element->kind == TypeKind::kU32) return StaticAtomic(element);
  return Intern<AtomicType>(MakeKey(TypeKind::kAtomic, 0, 0, element), [&] {
    const uint16_t flags = static_cast<uint16_t>(kAtomicFlags | (element->flags & Type::kHoldsPoison));
    return arena_.Make<AtomicType>(
        AtomicType{{TypeKind::kAtomic, 0xff, flags, static_cast<uint32_t>(element->size), element->size}, element});
  });
}

const ArrayType* TypeTable::MakeArray(const Type* element, uint32_t count, const OverrideCount* override_count,
                                      uint64_t stride) {
  return Intern<ArrayType>(MakeKey(TypeKind::kArray, count, stride, element, override_count), [&] {
    uint16_t flags = element->flags & kInherited;
    if (!element->is_abstract()) flags |= Type::kStorable;
    if (count != 0) {
      const uint16_t shared = element->Has(Type::kCreationFixed) ? kShared : uint16_t{Type::kFixedFootprint};
      flags = static_cast<uint16_t>(flags | (element->flags & shared));
    } else if (override_count != nullptr) {
      flags = static_cast<uint16_t>(flags | Type::kHoldsOverride | (element->flags & Type::kFixedFootprint));
    } else {
      flags = static_cast<uint16_t>(flags | (element->flags & Type::kHostShareable));
    }
    const uint64_t step = stride != 0 ? stride : ArrayStride(element);
    const uint64_t size = override_count != nullptr ? 0 : Saturate(count == 0 ? 1 : count, step);
    return arena_.Make<ArrayType>(
        ArrayType{{TypeKind::kArray, 0xff, flags, element->align, size}, element, count, override_count, step});
  });
}

const ArrayType* TypeTable::Array(const Type* element, uint32_t count, uint64_t stride) {
  KILN_CHECK(count != 0);
  return MakeArray(element, count, nullptr, stride);
}

const ArrayType* TypeTable::RuntimeArray(const Type* element, uint64_t stride) {
  return MakeArray(element, 0, nullptr, stride);
}

const ArrayType* TypeTable::OverrideArray(const Type* element, const OverrideCount* count) {
  return MakeArray(element, 0, count, 0);
}

const OverrideCount* TypeTable::NewOverrideCount(std::string_view text, const void* owner) {
  return arena_.Make<OverrideCount>(OverrideCount{arena_.Copy(text), owner});
}

namespace {
constexpr uint32_t SpaceAndAccess(AddressSpace space, Access access) {
  return static_cast<uint32_t>(space) * 4 + static_cast<uint32_t>(access);
}
}  // namespace

const PointerType* TypeTable::Pointer(AddressSpace space, const Type* store, Access access) {
  return Intern<PointerType>(MakeKey(TypeKind::kPointer, SpaceAndAccess(space, access), 0, store), [&] {
    const uint16_t flags = store->flags & Type::kHoldsPoison;
    return arena_.Make<PointerType>(PointerType{{TypeKind::kPointer, 0xff, flags, 0, 0}, space, access, store});
  });
}

const ReferenceType* TypeTable::Reference(AddressSpace space, const Type* store, Access access) {
  return Intern<ReferenceType>(MakeKey(TypeKind::kReference, SpaceAndAccess(space, access), 0, store), [&] {
    const uint16_t flags = store->flags & Type::kHoldsPoison;
    return arena_.Make<ReferenceType>(ReferenceType{{TypeKind::kReference, 0xff, flags, 0, 0}, space, access, store});
  });
}

const TextureType* TypeTable::SampledTexture(TextureDim dim, const Type* sampled) {
  const uint32_t small = static_cast<uint32_t>(TextureKind::kSampled) * 8 + static_cast<uint32_t>(dim);
  return Intern<TextureType>(MakeKey(TypeKind::kTexture, small, 0, sampled), [&] {
    return arena_.Make<TextureType>(MakeTexture(TextureKind::kSampled, dim, sampled));
  });
}

const TextureType* TypeTable::MultisampledTexture(const Type* sampled, TextureDim dim) {
  const uint32_t small = static_cast<uint32_t>(TextureKind::kMultisampled) * 8 + static_cast<uint32_t>(dim);
  return Intern<TextureType>(MakeKey(TypeKind::kTexture, small, 0, sampled), [&] {
    return arena_.Make<TextureType>(MakeTexture(TextureKind::kMultisampled, dim, sampled));
  });
}

const TextureType* TypeTable::DepthTexture(TextureDim dim) { return StaticDepthTexture(dim); }
const TextureType* TypeTable::DepthMultisampledTexture(TextureDim dim) { return StaticDepthMultisampledTexture(dim); }
const TextureType* TypeTable::ExternalTexture() { return StaticExternalTexture(); }

const TextureType* TypeTable::StorageTexture(TextureDim dim, TexelFormat format, Access access) {
  const uint32_t small = static_cast<uint32_t>(TextureKind::kStorage) * 8 + static_cast<uint32_t>(dim);
  const uint64_t number = static_cast<uint64_t>(format) * 4 + static_cast<uint64_t>(access);
  return Intern<TextureType>(MakeKey(TypeKind::kTexture, small, number, nullptr), [&] {
    TextureType type = MakeTexture(TextureKind::kStorage, dim, ChannelType(format));
    type.format = format;
    type.access = access;
    return arena_.Make<TextureType>(type);
  });
}

const TexelBufferType* TypeTable::TexelBuffer(TexelFormat format, Access access) {
  const uint64_t number = static_cast<uint64_t>(format) * 4 + static_cast<uint64_t>(access);
  return Intern<TexelBufferType>(MakeKey(TypeKind::kTexelBuffer, 0, number, nullptr), [&] {
    return arena_.Make<TexelBufferType>(
        TexelBufferType{{TypeKind::kTexelBuffer, 0xff, Type::kStorable, 0, 0}, format, access, ChannelType(format)});
  });
}

const InputAttachmentType* TypeTable::InputAttachment(const Type* sampled) {
  return Intern<InputAttachmentType>(MakeKey(TypeKind::kInputAttachment, 0, 0, sampled), [&] {
    return arena_.Make<InputAttachmentType>(
        InputAttachmentType{{TypeKind::kInputAttachment, 0xff, Type::kStorable, 0, 0}, sampled});
  });
}

const BindingArrayType* TypeTable::BindingArray(const Type* element, uint32_t count) {
  return Intern<BindingArrayType>(MakeKey(TypeKind::kBindingArray, 0, count, element), [&] {
    const uint16_t flags = static_cast<uint16_t>(Type::kStorable | (element->flags & Type::kHoldsPoison));
    return arena_.Make<BindingArrayType>(
        BindingArrayType{{TypeKind::kBindingArray, 0xff, flags, 0, 0}, element, count});
  });
}

const BufferType* TypeTable::Buffer(uint32_t bytes) {
  return Intern<BufferType>(MakeKey(TypeKind::kBuffer, 0, bytes, nullptr), [&] {
    uint16_t flags = Type::kStorable | Type::kHostShareable;
    if (bytes != 0) flags |= Type::kFixedFootprint | Type::kCreationFixed;
    return arena_.Make<BufferType>(BufferType{{TypeKind::kBuffer, 0xff, flags, 16, bytes}, bytes, nullptr});
  });
}

const BufferType* TypeTable::OverrideBuffer(const OverrideCount* bytes) {
  return Intern<BufferType>(MakeKey(TypeKind::kBuffer, 0, 0, bytes), [&] {
    constexpr uint16_t flags = Type::kStorable | Type::kHostShareable | Type::kFixedFootprint | Type::kHoldsOverride;
    return arena_.Make<BufferType>(BufferType{{TypeKind::kBuffer, 0xff, flags, 16, 0}, 0, bytes});
  });
}

StructType* TypeTable::MakeStruct(std::string_view name, std::span<const MemberSpec> members) {
  const std::span<StructMember> made = arena_.MakeArray<StructMember>(members.size());
  uint16_t inherited = 0;
  uint16_t shared = kShared;
  uint32_t align = 1;
  uint64_t end = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    const MemberSpec& spec = members[i];
    StructMember& member = made[i];
    member.name = arena_.Copy(spec.name);
    member.type = spec.type;
    member.index = static_cast<uint32_t>(i);
    member.explicit_align = spec.explicit_align;
    member.explicit_size = spec.explicit_size;
    member.io = spec.io;
    member.align = spec.explicit_align != 0 ? spec.explicit_align : std::max<uint32_t>(1, spec.type->align);
    member.size = spec.explicit_size != 0 ? spec.explicit_size : spec.type->size;
    member.offset =
        spec.explicit_offset >= 0 ? static_cast<uint64_t>(spec.explicit_offset) : RoundUp(member.align, end);
    end = std::min(kHugeSize, member.offset + std::min(kHugeSize, member.size));
    align = std::max(align, member.align);
    inherited = static_cast<uint16_t>(inherited | (spec.type->flags & kInherited));
    shared = static_cast<uint16_t>(shared & spec.type->flags);
  }
  uint16_t flags = static_cast<uint16_t>(inherited | shared);
  if ((inherited & Type::kAbstract) == 0) flags |= Type::kStorable;
  const uint64_t size = RoundUp(align, end);
  StructType* type = arena_.Make<StructType>(StructType{{TypeKind::kStruct, 0xff, flags, align, size}, name, made});
  return type;
}

const StructType* TypeTable::Struct(std::string_view name, std::span<const MemberSpec> members) {
  return MakeStruct(arena_.Copy(name), members);
}

const StructType* TypeTable::BuiltinResult(uint32_t which, std::string_view prefix, const Type* value,
                                           std::span<const MemberSpec> members) {
  return Intern<StructType>(MakeKey(TypeKind::kStruct, which, 0, value), [&] {
    std::string name(prefix);
    const Type* scalar = value;
    if (const VecType* vec = value->As<VecType>()) {
      name += "vec";
      name += static_cast<char>('0' + vec->width);
      name += '_';
      scalar = vec->element;
    }
    name += scalar->is_abstract() ? std::string("abstract") : TypeName(scalar);
    StructType* type = MakeStruct(arena_.Copy(name), members);
    type->is_builtin_result = true;
    return type;
  });
}

const StructType* TypeTable::FrexpResult(const Type* value) {
  const bool is_abstract = value->is_abstract();
  const MemberSpec members[] = {{"fract", value}, {"exp", Retype(value, is_abstract ? AbstractInt() : I32())}};
  return BuiltinResult(0, "__frexp_result_", value, members);
}

const StructType* TypeTable::ModfResult(const Type* value) {
  const MemberSpec members[] = {{"fract", value}, {"whole", value}};
  return BuiltinResult(1, "__modf_result_", value, members);
}

const StructType* TypeTable::AtomicExchangeResult(const Type* value) {
  const MemberSpec members[] = {{"old_value", value}, {"exchanged", Bool()}};
  return BuiltinResult(2, "__atomic_compare_exchange_result_", value, members);
}

const Type* TypeTable::Retype(const Type* shape, const Type* scalar) {
  switch (shape->kind) {
    case TypeKind::kVec:
      return Vec(scalar, static_cast<const VecType*>(shape)->width);
    case TypeKind::kMat:
      return Mat(scalar, static_cast<const MatType*>(shape)->columns, static_cast<const MatType*>(shape)->rows);
    default:
      return scalar;
  }
}

}  // namespace kiln::core
