// SPDX-License-Identifier: Apache-2.0
// Shader types. A type is an immutable object, made once: two types are equal exactly when their pointers are. Scalars,
// vectors, matrices, atomics of 32 bits and samplers are static objects that every compilation shares; all others
// belong to the TypeTable of one compilation (core/type_table.h) and live as long as its arena. Structures are nominal:
// each declaration makes a new one. Everything that rules ask often (is it constructible, host-shareable, ...) is a
// flag that was computed when the type was made. https://www.w3.org/TR/WGSL/#types
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/check.h"
#include "core/enums.h"

namespace kiln::core {

enum class TypeKind : uint8_t {
  kPoison,  ///< stands for a type after an error; accepted silently everywhere
  kVoid,    ///< what a function without a result returns
  // Scalars, in this order (IsScalar and the matcher rely on it). The ones after kF16 cannot be written in WGSL.
  kAbstractInt,
  kAbstractFloat,
  kBool,
  kI32,
  kU32,
  kF32,
  kF16,
  kI8,
  kU8,
  kI16,
  kU16,
  kI64,
  kU64,
  kF64,
  kVec,
  kMat,
  kArray,
  kAtomic,
  kStruct,
  kPointer,
  kReference,
  kSampler,
  kTexture,
  kTexelBuffer,
  kInputAttachment,
  kBindingArray,
  kBuffer,
};

/// Base of all types; the kind says which.
struct Type {
  /// Facts that were computed when the type was made.
  enum Flag : uint16_t {
    kConstructible = 1 << 0,   ///< https://www.w3.org/TR/WGSL/#constructible-types (abstract ones too)
    kStorable = 1 << 1,        ///< #storable-types
    kHostShareable = 1 << 2,   ///< #host-shareable-types
    kFixedFootprint = 1 << 3,  ///< #fixed-footprint-types
    kCreationFixed = 1 << 4,   ///< has creation-fixed footprint
    kAbstract = 1 << 5,        ///< is or holds an abstract numeric type
    kHoldsAtomic = 1 << 6,     ///< is or holds an atomic
    kHoldsOverride = 1 << 7,   ///< its size depends on an override
    kHoldsF16 = 1 << 8,        ///< is or holds f16
    kHoldsPoison = 1 << 9,     ///< is or holds poison
    kHoldsBool = 1 << 10,      ///< is or holds bool
  };

  TypeKind kind;
  /// Small number of a static type (see StaticType in core/type_table.h), 0xff for others. The matcher's fast path.
  uint8_t static_index = 0xff;
  uint16_t flags = 0;
  /// Alignment and size in memory, 0 where it has none or it depends on an override. The size of a runtime-sized array
  /// or of a structure that ends with one counts one element. https://www.w3.org/TR/WGSL/#alignment-and-size
  uint32_t align = 0;
  uint64_t size = 0;

  constexpr bool Is(TypeKind k) const { return kind == k; }
  constexpr bool Has(Flag flag) const { return (flags & flag) != 0; }

  constexpr bool is_poison() const { return Has(kHoldsPoison); }
  constexpr bool is_scalar() const { return kind >= TypeKind::kAbstractInt && kind <= TypeKind::kF64; }
  constexpr bool is_numeric_scalar() const { return is_scalar() && kind != TypeKind::kBool; }
  constexpr bool is_integer_scalar() const {
    return kind == TypeKind::kAbstractInt || kind == TypeKind::kI32 || kind == TypeKind::kU32 ||
           (kind >= TypeKind::kI8 && kind <= TypeKind::kU64);
  }
  constexpr bool is_float_scalar() const {
    return kind == TypeKind::kAbstractFloat || kind == TypeKind::kF32 || kind == TypeKind::kF16 ||
           kind == TypeKind::kF64;
  }
  constexpr bool is_signed_integer_scalar() const {
    return is_integer_scalar() && kind != TypeKind::kU32 && kind != TypeKind::kU8 && kind != TypeKind::kU16 &&
           kind != TypeKind::kU64;
  }
  constexpr bool is_abstract() const { return Has(kAbstract); }
  constexpr bool is_constructible() const { return Has(kConstructible); }
  constexpr bool is_storable() const { return Has(kStorable); }
  constexpr bool is_host_shareable() const { return Has(kHostShareable); }

  /// The type as T, or null if it is of another kind.
  template <typename T>
  const T* As() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }
  /// The type as T; aborts if it is of another kind.
  template <typename T>
  const T& To() const {
    KILN_CHECK(kind == T::kKind);
    return *static_cast<const T*>(this);
  }
};

struct VecType : Type {
  static constexpr TypeKind kKind = TypeKind::kVec;
  const Type* element;
  uint32_t width;  ///< 2 to 4
};

struct MatType : Type {
  static constexpr TypeKind kKind = TypeKind::kMat;
  const VecType* column;  ///< a column: vecR<T>
  const Type* element;    ///< the scalar
  uint32_t columns;       ///< 2 to 4
  uint32_t rows;          ///< 2 to 4
};

/// The element count of an array, or size of a buffer, that an override decides. Two such types are equal if they have
/// the same OverrideCount; the resolver makes one for each override declaration, or for each other expression.
struct OverrideCount {
  /// How the count was written, for messages.
  std::string_view text;
  /// What the owner of the count keeps here (a declaration or an expression); opaque to core.
  const void* owner = nullptr;
  /// A second slot, for who translates the first (lowering); core never reads it.
  mutable const void* lowered = nullptr;
};

struct ArrayType : Type {
  static constexpr TypeKind kKind = TypeKind::kArray;
  const Type* element;
  uint32_t count;                       ///< of a fixed-size array; else 0
  const OverrideCount* override_count;  ///< of an override-sized array; else null
  uint64_t stride;  ///< 0 where the element has no size; of explicit-layout arrays what was asked for

  bool is_runtime_sized() const { return count == 0 && override_count == nullptr; }
  bool is_fixed_size() const { return count != 0; }
  bool is_override_sized() const { return override_count != nullptr; }
};

struct AtomicType : Type {
  static constexpr TypeKind kKind = TypeKind::kAtomic;
  const Type* element;  ///< i32, u32, or vec2<u32> (extension atomic_vec2u_min_max)
};

/// What ties a value to the world outside a stage: https://www.w3.org/TR/WGSL/#entry-point-decl
struct IoAttributes {
  std::optional<uint32_t> location;
  std::optional<uint32_t> blend_src;
  std::optional<BuiltinValue> builtin;
  std::optional<DepthMode> depth_mode;
  std::optional<InterpolationType> interpolation;
  std::optional<InterpolationSampling> sampling;
  bool invariant = false;

  bool is_empty() const { return !location && !builtin && !blend_src && !interpolation && !invariant; }
  friend bool operator==(const IoAttributes&, const IoAttributes&) = default;
};

struct StructMember {
  std::string_view name;
  const Type* type = nullptr;
  uint32_t index = 0;
  /// Place in memory; computed with the structure (core/layout.h). Unknown (0) where sizes depend on overrides.
  uint64_t offset = 0;
  uint32_t align = 0;
  uint64_t size = 0;
  /// From @align and @size; 0 where not written.
  uint32_t explicit_align = 0;
  uint64_t explicit_size = 0;
  IoAttributes io{};
};

struct StructType : Type {
  static constexpr TypeKind kKind = TypeKind::kStruct;
  std::string_view name;
  std::span<const StructMember> members;
  /// Whether the host or another stage sees its layout and names, so that passes leave them alone. Set while the module
  /// is resolved or built.
  mutable bool abi = false;
  /// Address spaces whose layout rules it is known to keep; core/layout.cc's own.
  mutable uint16_t checked_layouts = 0;
  /// A result type of frexp, modf or atomicCompareExchangeWeak, whose name cannot be written.
  bool is_builtin_result = false;
  /// What the maker of the structure keeps here (its declaration); opaque to core.
  mutable const void* owner = nullptr;

  const StructMember* FindMember(std::string_view member_name) const {
    for (const StructMember& member : members) {
      if (member.name == member_name) return &member;
    }
    return nullptr;
  }
};

struct PointerType : Type {
  static constexpr TypeKind kKind = TypeKind::kPointer;
  AddressSpace space;
  Access access;
  const Type* store;
};

/// A memory view as an expression has it: https://www.w3.org/TR/WGSL/#memory-views. Never written in WGSL.
struct ReferenceType : Type {
  static constexpr TypeKind kKind = TypeKind::kReference;
  AddressSpace space;
  Access access;
  const Type* store;
};

struct SamplerType : Type {
  static constexpr TypeKind kKind = TypeKind::kSampler;
  bool is_comparison;
};

enum class TextureKind : uint8_t { kSampled, kMultisampled, kDepth, kDepthMultisampled, kStorage, kExternal };
enum class TextureDim : uint8_t { k1d, k2d, k2dArray, k3d, kCube, kCubeArray };

struct TextureType : Type {
  static constexpr TypeKind kKind = TypeKind::kTexture;
  TextureKind texture;
  TextureDim dim;
  /// What a texel's channels are to the shader: f32, i32 or u32 (f32 for depth and external textures; of the format for
  /// storage textures).
  const Type* sampled;
  TexelFormat format;  ///< of storage textures
  Access access;       ///< of storage textures; kRead for others

  bool is_arrayed() const { return dim == TextureDim::k2dArray || dim == TextureDim::kCubeArray; }
  bool is_multisampled() const {
    return texture == TextureKind::kMultisampled || texture == TextureKind::kDepthMultisampled;
  }
  bool is_depth() const { return texture == TextureKind::kDepth || texture == TextureKind::kDepthMultisampled; }
};

/// texel_buffer<format, access>, feature texel_buffers.
struct TexelBufferType : Type {
  static constexpr TypeKind kKind = TypeKind::kTexelBuffer;
  TexelFormat format;
  Access access;
  const Type* sampled;  ///< f32, i32 or u32
};

/// A subpass input as a SPIR-V reader meets it.
struct InputAttachmentType : Type {
  static constexpr TypeKind kKind = TypeKind::kInputAttachment;
  const Type* sampled;
};

/// binding_array<T, N>, feature sized_binding_array.
struct BindingArrayType : Type {
  static constexpr TypeKind kKind = TypeKind::kBindingArray;
  const Type* element;
  uint32_t count;  ///< 0: not sized (only from other languages)
};

/// buffer or buffer<N>, feature buffer_view: https://www.w3.org/TR/WGSL/#buffer-types
struct BufferType : Type {
  static constexpr TypeKind kKind = TypeKind::kBuffer;
  uint32_t bytes;                       ///< 0: runtime-sized or override-sized
  const OverrideCount* override_bytes;  ///< null unless an override decides

  bool is_runtime_sized() const { return bytes == 0 && override_bytes == nullptr; }
};

/// The type as WGSL text, for messages and emitters of text: "vec3<f32>", "array<u32, 4>", "ref<function, i32,
/// read_write>", "abstract-int", "texture_storage_2d<rgba8unorm, write>".
std::string TypeName(const Type* type);
void AppendTypeName(std::string& out, const Type* type);

/// The scalar of a scalar, vector, matrix or atomic; null for others.
const Type* ScalarOf(const Type* type);
/// The store type of a reference, any other type itself.
inline const Type* Unreferenced(const Type* type) {
  return type->kind == TypeKind::kReference ? static_cast<const ReferenceType*>(type)->store : type;
}
/// What an element of a vector, matrix (its column), array or binding array is; null for others.
const Type* ElementOf(const Type* type);
/// How many elements a vector, matrix, fixed-size array or structure has; 0 for others.
uint32_t ElementCountOf(const Type* type);

}  // namespace kiln::core
