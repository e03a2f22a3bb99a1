// SPDX-License-Identifier: Apache-2.0
#include "core/type.h"

#include "core/type_table.h"

namespace kiln::core {

namespace {

std::string_view ScalarName(TypeKind kind) {
  static constexpr std::string_view kNames[] = {
      "<error>", "void", "abstract-int", "abstract-float", "bool", "i32", "u32", "f32", "f16", "i8", "u8", "i16", "u16",
      "i64",     "u64",  "f64"};
  return kNames[static_cast<int>(kind)];
}

std::string_view DimName(TextureDim dim) {
  static constexpr std::string_view kNames[] = {"1d", "2d", "2d_array", "3d", "cube", "cube_array"};
  return kNames[static_cast<int>(dim)];
}

void AppendTexture(std::string& out, const TextureType& type) {
  static constexpr std::string_view kPrefixes[] = {"texture_",         "texture_multisampled_",
                                                   "texture_depth_",   "texture_depth_multisampled_",
                                                   "texture_storage_", "texture_external"};
  out += kPrefixes[static_cast<int>(type.texture)];
  if (type.texture == TextureKind::kExternal) return;
  out += DimName(type.dim);
  if (type.texture == TextureKind::kStorage) {
    out += '<';
    out += Name(type.format);
    out += ", ";
    out += Name(type.access);
    out += '>';
  } else if (!type.is_depth()) {
    out += '<';
    AppendTypeName(out, type.sampled);
    out += '>';
  }
}

void AppendView(std::string& out, std::string_view what, AddressSpace space, Access access, const Type* store) {
  out += what;
  out += '<';
  out += Name(space);
  out += ", ";
  AppendTypeName(out, store);
  if (what == "ref" || space == AddressSpace::kStorage) {
    out += ", ";
    out += Name(access);
  }
  out += '>';
}

}  // namespace

void AppendTypeName(std::string& out, const Type* type) {
  switch (type->kind) {
    case TypeKind::kVec: {
      const VecType& vec = type->To<VecType>();
      out += "vec" + std::to_string(vec.width) + "<";
      AppendTypeName(out, vec.element);
      out += '>';
      return;
    }
    case TypeKind::kMat: {
      const MatType& mat = type->To<MatType>();
      out += "mat" + std::to_string(mat.columns) + "x" + std::to_string(mat.rows) + "<";
      AppendTypeName(out, mat.element);
      out += '>';
      return;
    }
    case TypeKind::kArray: {
      const ArrayType& array = type->To<ArrayType>();
      out += "array<";
      AppendTypeName(out, array.element);
      if (array.is_override_sized()) {
        out += ", ";
        out += array.override_count->text;
      } else if (array.is_fixed_size()) {
        out += ", " + std::to_string(array.count);
      }
      out += '>';
      return;
    }
    case TypeKind::kAtomic:
      out += "atomic<";
      AppendTypeName(out, type->To<AtomicType>().element);
      out += '>';
      return;
    case TypeKind::kStruct:
      out += type->To<StructType>().name;
      return;
    case TypeKind::kPointer: {
      const PointerType& pointer = type->To<PointerType>();
      AppendView(out, "ptr", pointer.space, pointer.access, pointer.store);
      return;
    }
    case TypeKind::kReference: {
      const ReferenceType& reference = type->To<ReferenceType>();
      AppendView(out, "ref", reference.space, reference.access, reference.store);
      return;
    }
    case TypeKind::kSampler:
      out += type->To<SamplerType>().is_comparison ? "sampler_comparison" : "sampler";
      return;
    case TypeKind::kTexture:
      AppendTexture(out, type->To<TextureType>());
      return;
    case TypeKind::kTexelBuffer: {
      const TexelBufferType& buffer = type->To<TexelBufferType>();
      out += "texel_buffer<";
      out += Name(buffer.format);
      out += ", ";
      out += Name(buffer.access);
      out += '>';
      return;
    }
    case TypeKind::kInputAttachment:
      out += "input_attachment<";
      AppendTypeName(out, type->To<InputAttachmentType>().sampled);
      out += '>';
      return;
    case TypeKind::kBindingArray: {
      const BindingArrayType& array = type->To<BindingArrayType>();
      out += "binding_array<";
      AppendTypeName(out, array.element);
      if (array.count != 0) out += ", " + std::to_string(array.count);
      out += '>';
      return;
    }
    case TypeKind::kBuffer: {
      const BufferType& buffer = type->To<BufferType>();
      out += "buffer";
      if (buffer.override_bytes != nullptr) {
        out += '<';
        out += buffer.override_bytes->text;
        out += '>';
      } else if (buffer.bytes != 0) {
        out += "<" + std::to_string(buffer.bytes) + ">";
      }
      return;
    }
    default:
      out += ScalarName(type->kind);
      return;
  }
}

std::string TypeName(const Type* type) {
  std::string out;
  AppendTypeName(out, type);
  return out;
}

const Type* ScalarOf(const Type* type) {
  if (type->is_scalar()) return type;
  switch (type->kind) {
    case TypeKind::kVec:
      return static_cast<const VecType*>(type)->element;
    case TypeKind::kMat:
      return static_cast<const MatType*>(type)->element;
    case TypeKind::kAtomic:
      return ScalarOf(static_cast<const AtomicType*>(type)->element);
    default:
      return nullptr;
  }
}

const Type* ElementOf(const Type* type) {
  switch (type->kind) {
    case TypeKind::kVec:
      return static_cast<const VecType*>(type)->element;
    case TypeKind::kMat:
      return static_cast<const MatType*>(type)->column;
    case TypeKind::kArray:
      return static_cast<const ArrayType*>(type)->element;
    case TypeKind::kBindingArray:
      return static_cast<const BindingArrayType*>(type)->element;
    default:
      return nullptr;
  }
}

uint32_t ElementCountOf(const Type* type) {
  switch (type->kind) {
    case TypeKind::kVec:
      return static_cast<const VecType*>(type)->width;
    case TypeKind::kMat:
      return static_cast<const MatType*>(type)->columns;
    case TypeKind::kArray:
      return static_cast<const ArrayType*>(type)->count;
    case TypeKind::kStruct:
      return static_cast<uint32_t>(static_cast<const StructType*>(type)->members.size());
    default:
      return 0;
  }
}

}  // namespace kiln::core
