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

// Static types. They may be used without any table.
const Type* Poison();
const Type* Void();
const Type* AbstractInt();
const Type* AbstractFloat();
const Type* Bool();
const Type* I32();
const Type* U32();
const Type* F32();
const Type* F16();
/// Any scalar kind, kVoid or kPoison.
const Type* Scalar(TypeKind kind);
/// `element` is a scalar of WGSL (abstract ones too); `width` 2 to 4.
const VecType* StaticVec(const Type* element, uint32_t width);
/// `element` is f32, f16 or abstract-float.
const MatType* StaticMat(const Type* element, uint32_t columns, uint32_t rows);
const SamplerType* Sampler();
const SamplerType* ComparisonSampler();

/// What @align and @size say, before the structure is made.
struct MemberSpec {
  std::string_view name;
  const Type* type = nullptr;
  uint32_t explicit_align = 0;  ///< a power of two, or 0
  uint64_t explicit_size = 0;   ///< at least the size of the type, or 0
  IoAttributes io;
  /// For readers of languages with explicit offsets; -1 where WGSL's rules decide.
  int64_t explicit_offset = -1;
};

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
  const ArrayType* Array(const Type* element, uint32_t count, uint32_t stride = 0);
  const ArrayType* RuntimeArray(const Type* element, uint32_t stride = 0);
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

 private:
  struct Key;
  const Type* Find(const Key& key);
  void Insert(const Key& key, const Type* type);
  template <typename T, typename Fill>
  const T* Intern(const Key& key, Fill fill);
  const StructType* BuiltinResult(uint32_t which, const Type* value);
  void Grow();

  struct Slot {
    uint64_t hash = 0;
    const Type* type = nullptr;
  };
  static constexpr uint32_t kInlineSlots = 32;
  Arena& arena_;
  std::array<Slot, kInlineSlots> inline_slots_{};
  Slot* slots_ = inline_slots_.data();
  uint32_t capacity_ = kInlineSlots;
  uint32_t used_ = 0;
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
