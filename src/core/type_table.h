// SPDX-License-Identifier: Apache-2.0
// Makes and keeps the types of one compilation, each once. Common types are static objects and cost nothing to "make";
// a table that only meets them never allocates. Not thread safe: one table belongs to one compilation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "core/type.h"

namespace kiln::core {

namespace detail {
extern const Type kStaticScalars[16];
}

// Static types. They may be used without any table.
/// Any scalar kind, kVoid or kPoison.
constexpr const Type* Scalar(TypeKind kind) { return &detail::kStaticScalars[static_cast<int>(kind)]; }
constexpr const Type* Poison() { return Scalar(TypeKind::kPoison); }
constexpr const Type* Void() { return Scalar(TypeKind::kVoid); }
constexpr const Type* AbstractInt() { return Scalar(TypeKind::kAbstractInt); }
constexpr const Type* AbstractFloat() { return Scalar(TypeKind::kAbstractFloat); }
constexpr const Type* Bool() { return Scalar(TypeKind::kBool); }
constexpr const Type* I32() { return Scalar(TypeKind::kI32); }
constexpr const Type* U32() { return Scalar(TypeKind::kU32); }
constexpr const Type* F32() { return Scalar(TypeKind::kF32); }
constexpr const Type* F16() { return Scalar(TypeKind::kF16); }
/// `element` is a scalar of WGSL (abstract ones too); `width` 2 to 4.
const VecType* StaticVec(const Type* element, uint32_t width);
/// `element` is f32, f16 or abstract-float.
const MatType* StaticMat(const Type* element, uint32_t columns, uint32_t rows);
/// The scalar (1 x 1), vector (1 x width) or matrix (columns x rows) of a scalar of WGSL; matrices of floats only.
const Type* StaticValue(uint32_t columns, uint32_t rows, TypeKind scalar);
const AtomicType* StaticAtomic(const Type* element);  ///< i32 or u32
const TextureType* StaticDepthTexture(TextureDim dim);
const TextureType* StaticDepthMultisampledTexture(TextureDim dim);
const TextureType* StaticExternalTexture();
const SamplerType* Sampler();
const SamplerType* ComparisonSampler();

/// What @align and @size say, before the structure is made.
struct MemberSpec {
  std::string_view name;
  const Type* type = nullptr;
  uint32_t explicit_align = 0;  ///< a power of two, or 0
  uint64_t explicit_size = 0;   ///< at least the size of the type, or 0
  IoAttributes io{};
  /// For readers of languages with explicit offsets; -1 where WGSL's rules decide.
  int64_t explicit_offset = -1;
};

namespace signature {
class MatchCache;
}

class TypeTable {
 public:
  /// Types live in `arena`, which outlives the table. Names given to the table are copied.
  explicit TypeTable(Arena& arena) : arena_(arena) {}
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  const VecType* Vec(const Type* element, uint32_t width);
  const MatType* Mat(const Type* element, uint32_t columns, uint32_t rows);
  const AtomicType* Atomic(const Type* element);
  /// `stride` 0: as WGSL lays it out. Only readers of other languages ask for another.
  const ArrayType* Array(const Type* element, uint32_t count, uint64_t stride = 0);
  const ArrayType* RuntimeArray(const Type* element, uint64_t stride = 0);
  const ArrayType* OverrideArray(const Type* element, const OverrideCount* count);
  /// A new count, not equal to any other. Text is copied.
  const OverrideCount* NewOverrideCount(std::string_view text, const void* owner);
  const PointerType* Pointer(AddressSpace space, const Type* store, Access access);
  const ReferenceType* Reference(AddressSpace space, const Type* store, Access access);
  /// `sampled`: f32, i32 or u32.
  const TextureType* SampledTexture(TextureDim dim, const Type* sampled);
  /// k2d or k2dArray (feature multisampled_array_textures).
  const TextureType* MultisampledTexture(const Type* sampled, TextureDim dim = TextureDim::k2d);
  const TextureType* DepthTexture(TextureDim dim);
  const TextureType* DepthMultisampledTexture(TextureDim dim = TextureDim::k2d);
  const TextureType* StorageTexture(TextureDim dim, TexelFormat format, Access access);
  const TextureType* ExternalTexture();
  const TexelBufferType* TexelBuffer(TexelFormat format, Access access);
  const InputAttachmentType* InputAttachment(const Type* sampled);
  const BindingArrayType* BindingArray(const Type* element, uint32_t count);
  const BufferType* Buffer(uint32_t bytes = 0);
  const BufferType* OverrideBuffer(const OverrideCount* bytes);

  /// A new structure, not equal to any other, laid out by #structure-member-layout. Never fails: who calls has checked
  /// the attributes (core/layout.h says how).
  const StructType* Struct(std::string_view name, std::span<const MemberSpec> members);

  /// Result types of built-in functions; `value` is the type of the argument (scalar or vector; for the exchange i32,
  /// u32).
  const StructType* FrexpResult(const Type* value);
  const StructType* ModfResult(const Type* value);
  const StructType* AtomicExchangeResult(const Type* value);

  /// `shape` (a scalar, vector or matrix) with another scalar: Retype(vec3<f32>, i32) is vec3<i32>.
  const Type* Retype(const Type* shape, const Type* scalar);

  Arena& arena() { return arena_; }
  /// The matcher's memory; made when it is first used.
  signature::MatchCache*& match_cache() { return match_cache_; }

 private:
  /// What makes a type equal to another: its kind and small numbers in `head`, then whatever it is made of.
  struct Key {
    uint64_t head = 0;
    uint64_t number = 0;
    const void* first = nullptr;
    const void* second = nullptr;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Slot {
    Key key;
    const Type* type = nullptr;
  };
  static Key MakeKey(TypeKind kind, uint32_t small, uint64_t number, const void* first, const void* second = nullptr);
  static uint64_t Hash(const Key& key);
  /// The slot that holds the key or is free for it.
  Slot& Find(const Key& key);
  /// The type of the key, made by `make` if it is new.
  template <typename T, typename Make>
  const T* Intern(const Key& key, Make make);
  const ArrayType* MakeArray(const Type* element, uint32_t count, const OverrideCount* override_count, uint64_t stride);
  const StructType* BuiltinResult(uint32_t which, std::string_view prefix, const Type* value,
                                  std::span<const MemberSpec> members);
  StructType* MakeStruct(std::string_view name, std::span<const MemberSpec> members);
  void Grow();

  static constexpr uint32_t kInlineSlots = 32;
  Arena& arena_;
  std::array<Slot, kInlineSlots> inline_slots_{};
  std::span<Slot> slots_{inline_slots_};
  uint32_t used_ = 0;
  signature::MatchCache* match_cache_ = nullptr;
};

/// ConversionRank of https://www.w3.org/TR/WGSL/#conversion-rank between non-reference types: 0 for equal types, 1 to 7
/// for feasible automatic conversions, kNoConversion otherwise.
constexpr uint32_t kNoConversion = 255;
uint32_t ConversionRank(const Type* from, const Type* to);

/// The concretization: abstract-int to i32, abstract-float to f32, also inside vectors, matrices, arrays and the
/// results of frexp and modf; any other type itself.
const Type* Concretize(TypeTable& types, const Type* type);

/// The one type that all of `types` convert to with the least ranks, as the elements of `array(...)` need it; null if
/// there is none.
const Type* CommonType(std::span<const Type* const> types);

}  // namespace kiln::core
