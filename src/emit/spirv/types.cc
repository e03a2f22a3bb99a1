// SPDX-License-Identifier: Apache-2.0
// Type ids. Every shader type has up to three: as a value, laid out in a buffer, and as a whole buffer (Layout).
#include <algorithm>

#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

namespace {

using core::TypeKind;

bool HasLayout(const core::Type* type) { return type->Is(TypeKind::kArray) || type->Is(TypeKind::kStruct); }

struct FormatRow {
  core::TexelFormat format;
  spv::ImageFormat spirv;
  bool is_extended;  // needs StorageImageExtendedFormats
};
using core::TexelFormat;
using spv::ImageFormat;
constexpr FormatRow kFormats[] = {
    {TexelFormat::kRgba8Unorm, ImageFormat::kRgba8, false},
    {TexelFormat::kRgba8Snorm, ImageFormat::kRgba8Snorm, false},
    {TexelFormat::kRgba8Uint, ImageFormat::kRgba8ui, false},
    {TexelFormat::kRgba8Sint, ImageFormat::kRgba8i, false},
    {TexelFormat::kRgba16Unorm, ImageFormat::kRgba16, true},
    {TexelFormat::kRgba16Snorm, ImageFormat::kRgba16Snorm, true},
    {TexelFormat::kRgba16Uint, ImageFormat::kRgba16ui, false},
    {TexelFormat::kRgba16Sint, ImageFormat::kRgba16i, false},
    {TexelFormat::kRgba16Float, ImageFormat::kRgba16f, false},
    {TexelFormat::kRg8Unorm, ImageFormat::kRg8, true},
    {TexelFormat::kRg8Snorm, ImageFormat::kRg8Snorm, true},
    {TexelFormat::kRg8Uint, ImageFormat::kRg8ui, true},
    {TexelFormat::kRg8Sint, ImageFormat::kRg8i, true},
    {TexelFormat::kRg16Unorm, ImageFormat::kRg16, true},
    {TexelFormat::kRg16Snorm, ImageFormat::kRg16Snorm, true},
    {TexelFormat::kRg16Uint, ImageFormat::kRg16ui, true},
    {TexelFormat::kRg16Sint, ImageFormat::kRg16i, true},
    {TexelFormat::kRg16Float, ImageFormat::kRg16f, true},
    {TexelFormat::kR32Uint, ImageFormat::kR32ui, false},
    {TexelFormat::kR32Sint, ImageFormat::kR32i, false},
    {TexelFormat::kR32Float, ImageFormat::kR32f, false},
    {TexelFormat::kRg32Uint, ImageFormat::kRg32ui, true},
    {TexelFormat::kRg32Sint, ImageFormat::kRg32i, true},
    {TexelFormat::kRg32Float, ImageFormat::kRg32f, true},
    {TexelFormat::kRgba32Uint, ImageFormat::kRgba32ui, false},
    {TexelFormat::kRgba32Sint, ImageFormat::kRgba32i, false},
    {TexelFormat::kRgba32Float, ImageFormat::kRgba32f, false},
    {TexelFormat::kR8Unorm, ImageFormat::kR8, true},
    {TexelFormat::kR8Snorm, ImageFormat::kR8Snorm, true},
    {TexelFormat::kR8Uint, ImageFormat::kR8ui, true},
    {TexelFormat::kR8Sint, ImageFormat::kR8i, true},
    {TexelFormat::kR16Unorm, ImageFormat::kR16, true},
    {TexelFormat::kR16Snorm, ImageFormat::kR16Snorm, true},
    {TexelFormat::kR16Uint, ImageFormat::kR16ui, true},
    {TexelFormat::kR16Sint, ImageFormat::kR16i, true},
    {TexelFormat::kR16Float, ImageFormat::kR16f, true},
    {TexelFormat::kRgb10A2Unorm, ImageFormat::kRgb10A2, true},
    {TexelFormat::kRgb10A2Uint, ImageFormat::kRgb10a2ui, true},
    {TexelFormat::kRg11B10Ufloat, ImageFormat::kR11fG11fB10f, true},
};

// bgra8unorm has no number in SPIR-V: it is Unknown, read and written "without format".
FormatRow FormatOf(core::TexelFormat format) {
  for (const FormatRow& row : kFormats) {
    if (row.format == format) return row;
  }
  return {format, ImageFormat::kUnknown, false};
}

spv::Dim DimOf(core::TextureDim dim) {
  switch (dim) {
    case core::TextureDim::k1d:
      return spv::Dim::k1d;
    case core::TextureDim::k2d:
    case core::TextureDim::k2dArray:
      return spv::Dim::k2d;
    case core::TextureDim::k3d:
      return spv::Dim::k3d;
    case core::TextureDim::kCube:
    case core::TextureDim::kCubeArray:
      return spv::Dim::kCube;
  }
  KILN_UNREACHABLE("texture dimension");
}

}  // namespace

void Emitter::Need(spv::Capability capability) {
  if (std::find(capabilities_.begin(), capabilities_.end(), capability) == capabilities_.end()) {
    capabilities_.push_back(capability);
  }
}

void Emitter::NeedExtension(std::string_view name) {
  if (std::find(extensions_.begin(), extensions_.end(), name) == extensions_.end()) extensions_.push_back(name);
}

void Emitter::NeedUnknownFormat(spv::ImageFormat format, core::Access access) {
  if (format != ImageFormat::kUnknown) return;
  if (core::CanRead(access)) Need(spv::Capability::kStorageImageReadWithoutFormat);
  if (core::CanWrite(access)) Need(spv::Capability::kStorageImageWriteWithoutFormat);
}

void Emitter::NeedF16Memory(const core::Type* store, spv::StorageClass storage) {
  if (!store->Has(core::Type::kHoldsF16)) return;
  if (storage == spv::StorageClass::kStorageBuffer) Need(spv::Capability::kStorageBuffer16BitAccess);
  if (storage == spv::StorageClass::kUniform) Need(spv::Capability::kUniformAndStorageBuffer16BitAccess);
  if (storage == spv::StorageClass::kPushConstant) Need(spv::Capability::kStoragePushConstant16);
}

Id Emitter::TypeId(const core::Type* type, Layout layout) {
  if (IsReshapable(layout) && !IsReshaped(type, layout)) layout = IsBlock(layout) ? Layout::kBlock : Layout::kMemory;
  if (type->static_index != 0xff && !IsReshapable(layout)) {
    Id& id = static_types_[type->static_index];
    if (id == 0) id = MakeType(type, Layout::kValue);
    return id;
  }
  if (!HasLayout(type) && !IsReshapable(layout)) layout = Layout::kValue;
  if (layout == Layout::kBlock && !type->Is(TypeKind::kStruct)) layout = Layout::kMemory;
  const auto key = static_cast<uint64_t>(layout);
  if (const Id known = type_ids_.Find(type, key); known != 0) return known;
  const Id id = MakeType(type, layout);
  type_ids_.Find(type, key) = id;
  return id;
}

Id Emitter::MakeType(const core::Type* type, Layout layout) {
  // What a type is made of comes first: it must be declared before.
  switch (type->kind) {
    case TypeKind::kVec: {
      const auto& vec = type->To<core::VecType>();
      const Id element = TypeId(vec.element);
      const Id id = NewId();
      globals_.Op(spv::Op::kTypeVector, id, element, vec.width);
      return id;
    }
    case TypeKind::kMat: {
      const auto& mat = type->To<core::MatType>();
      if (IsUniformLayout(layout)) return MakeColumns(mat);
      const Id column = TypeId(mat.column);
      const Id id = NewId();
      globals_.Op(spv::Op::kTypeMatrix, id, column, mat.columns);
      return id;
    }
    case TypeKind::kArray:
      return MakeArray(type->To<core::ArrayType>(), layout);
    case TypeKind::kStruct:
      return MakeStruct(type->To<core::StructType>(), layout);
    case TypeKind::kAtomic: {
      const core::Type* element = type->To<core::AtomicType>().element;
      return element->Is(TypeKind::kVec) ? U64Id() : TypeId(element);
    }
    case TypeKind::kTexture: {
      const auto& texture = type->To<core::TextureType>();
      const bool is_storage = texture.texture == core::TextureKind::kStorage;
      const FormatRow format = is_storage ? FormatOf(texture.format) : FormatRow{};
      if (format.is_extended) Need(spv::Capability::kStorageImageExtendedFormats);
      if (is_storage) NeedUnknownFormat(format.spirv, texture.access);
      // A depth texture may meet any sampler; SPIRV-Cross would compare at each where the type says so.
      const bool is_depth = texture.is_depth() && options_.block_rules == BlockRules::kOffsets;
      return ImageId(texture.sampled, DimOf(texture.dim), is_depth, texture.is_arrayed(), texture.is_multisampled(),
                     is_storage ? 2 : 1, is_storage ? format.spirv : ImageFormat::kUnknown);
    }
    case TypeKind::kTexelBuffer: {
      const auto& buffer = type->To<core::TexelBufferType>();
      const FormatRow format = FormatOf(buffer.format);
      NeedUnknownFormat(format.spirv, buffer.access);
      if (format.is_extended) Need(spv::Capability::kStorageImageExtendedFormats);
      return ImageId(buffer.sampled, spv::Dim::kBuffer, false, false, false, 2, format.spirv);
    }
    case TypeKind::kInputAttachment:
      return ImageId(type->To<core::InputAttachmentType>().sampled, spv::Dim::kSubpassData, false, false, false, 2,
                     ImageFormat::kUnknown);
    case TypeKind::kBindingArray: {
      const auto& array = type->To<core::BindingArrayType>();
      const Id element = TypeId(array.element);
      const Id length = array.count == 0 ? 0 : U32(array.count);
      const Id id = NewId();
      if (array.count == 0) {
        globals_.Op(spv::Op::kTypeRuntimeArray, id, element);
      } else {
        globals_.Op(spv::Op::kTypeArray, id, element, length);
      }
      return id;
    }
    default:
      break;
  }
  const Id id = NewId();
  switch (type->kind) {
    case TypeKind::kVoid:
      globals_.Op(spv::Op::kTypeVoid, id);
      return id;
    case TypeKind::kBool:
      globals_.Op(spv::Op::kTypeBool, id);
      return id;
    case TypeKind::kI32:
      globals_.Op(spv::Op::kTypeInt, id, 32, 1);
      return id;
    case TypeKind::kU32:
      globals_.Op(spv::Op::kTypeInt, id, 32, 0);
      return id;
    case TypeKind::kF32:
      globals_.Op(spv::Op::kTypeFloat, id, 32);
      return id;
    case TypeKind::kF16:
      Need(spv::Capability::kFloat16);
      globals_.Op(spv::Op::kTypeFloat, id, 16);
      return id;
    case TypeKind::kSampler:
      globals_.Op(spv::Op::kTypeSampler, id);
      // Both kinds of sampler are one type in SPIR-V, which may be declared once only.
      static_types_[core::Sampler()->static_index] = id;
      static_types_[core::ComparisonSampler()->static_index] = id;
      return id;
    default:
      KILN_UNREACHABLE("a type that the verifier lets through has a SPIR-V type");
  }
}

Id Emitter::U64Id() {
  if (u64_ == 0) {
    Need(spv::Capability::kInt64);
    u64_ = NewId();
    globals_.Op(spv::Op::kTypeInt, u64_, 64, 0);
  }
  return u64_;
}

Id Emitter::ImageId(const core::Type* sampled, spv::Dim dim, bool depth, bool arrayed, bool multisampled,
                    uint32_t usage, spv::ImageFormat format) {
  const Id component = TypeId(sampled);
  const Id key[] = {static_cast<uint32_t>(dim), depth, arrayed, multisampled, usage, static_cast<uint32_t>(format)};
  Id& id = images_.Find(component, key);
  if (id != 0) return id;
  if (dim == spv::Dim::k1d) Need(usage == 2 ? spv::Capability::kImage1D : spv::Capability::kSampled1D);
  if (dim == spv::Dim::kCube && arrayed) {
    Need(usage == 2 ? spv::Capability::kImageCubeArray : spv::Capability::kSampledCubeArray);
  }
  if (dim == spv::Dim::kBuffer) Need(usage == 2 ? spv::Capability::kImageBuffer : spv::Capability::kSampledBuffer);
  if (dim == spv::Dim::kSubpassData) Need(spv::Capability::kInputAttachment);
  if (multisampled && arrayed) Need(spv::Capability::kImageMSArray);
  id = NewId();
  globals_.Op(spv::Op::kTypeImage, id, component, dim, depth, arrayed, multisampled, usage, format);
  return id;
}

Id Emitter::SampledImageId(Id image) {
  Id& id = sampled_images_.Find(image, 0);
  if (id == 0) {
    id = NewId();
    globals_.Op(spv::Op::kTypeSampledImage, id, image);
  }
  return id;
}

Id Emitter::MakeArray(const core::ArrayType& type, Layout layout) {
  const Id element = TypeId(type.element, PartLayout(layout));
  const Id length = type.is_runtime_sized() ? 0
                    : type.is_fixed_size()  ? U32(type.count)
                                            : CountId(*type.override_count);
  const Id id = NewId();
  if (type.is_runtime_sized()) {
    globals_.Op(spv::Op::kTypeRuntimeArray, id, element);
  } else {
    globals_.Op(spv::Op::kTypeArray, id, element, length);
  }
  if (layout != Layout::kValue) Decorate(id, spv::Decoration::kArrayStride, type.stride);
  return id;
}

Id Emitter::MakeStruct(const core::StructType& type, Layout layout) {
  if (IsReshapable(layout)) return MakeShape(type, layout);
  IdList members;
  for (const core::StructMember& member : type.members) members.push_back(TypeId(member.type, PartLayout(layout)));
  const Id id = NewId();
  globals_.OpList(spv::Op::kTypeStruct, members, id);
  NameStruct(id, type, layout);
  for (const core::StructMember& member : type.members) {
    NameMember(id, member.index, member.name);
    if (layout != Layout::kValue) DecorateMember(id, member.index, member.type, member.offset, layout);
  }
  if (IsBlock(layout)) Decorate(id, spv::Decoration::kBlock);
  return id;
}

// SPIRV-Cross declares one of the structures that have a name and members in common. Where that is the block, whose
// name GLSL and HLSL do not take for a type, nothing else could be one.
void Emitter::NameStruct(Id id, const core::StructType& type, Layout layout) {
  const bool is_block_too = !IsBlock(layout) && block_structs_.contains(&type);
  Name(id, is_block_too ? std::string(type.name) + "_value" : std::string(type.name));
}

void Emitter::NameMember(Id structure, uint32_t member, std::string_view name) {
  if (!options_.names) return;
  const Id before[] = {structure, member};
  names_.OpString(spv::Op::kMemberName, before, name);
}

void Emitter::DecorateMember(Id structure, uint32_t member, const core::Type* type, uint64_t offset, Layout layout) {
  decorations_.Op(spv::Op::kMemberDecorate, structure, member, spv::Decoration::kOffset, offset);
  while (type->Is(TypeKind::kArray)) type = type->To<core::ArrayType>().element;
  const auto* mat = type->As<core::MatType>();
  if (mat == nullptr || (IsUniformLayout(layout) && IsNarrowMatrix(mat))) return;
  decorations_.Op(spv::Op::kMemberDecorate, structure, member, spv::Decoration::kColMajor);
  decorations_.Op(spv::Op::kMemberDecorate, structure, member, spv::Decoration::kMatrixStride, core::ColumnStride(mat));
}

Id Emitter::WrapperId(const core::Type* store, Layout layout) {
  if (IsReshapable(layout) && !IsReshaped(store, layout)) layout = Layout::kMemory;
  const auto key = static_cast<uint64_t>(layout);
  if (const Id known = wrappers_.Find(store, key); known != 0) return known;
  const Id member = TypeId(store, layout);
  const Id id = NewId();
  globals_.Op(spv::Op::kTypeStruct, id, member);
  DecorateMember(id, 0, store, 0, layout);
  Decorate(id, spv::Decoration::kBlock);
  NameMember(id, 0, "inner");
  wrappers_.Find(store, key) = id;
  return id;
}

Id Emitter::PointerId(spv::StorageClass storage, Id pointee) {
  Id& id = pointers_.Find(static_cast<uint64_t>(storage), pointee);
  if (id == 0) {
    id = NewId();
    globals_.Op(spv::Op::kTypePointer, id, storage, pointee);
  }
  return id;
}

Id Emitter::FunctionTypeId(Id result, std::span<const Id> params) {
  Id& id = function_types_.Find(result, params);
  if (id == 0) {
    id = NewId();
    globals_.OpList(spv::Op::kTypeFunction, params, id, result);
  }
  return id;
}

}  // namespace kiln::emit::spirv
