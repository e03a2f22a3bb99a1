// SPDX-License-Identifier: Apache-2.0
// Buffers without a type of their own, and views of them: https://www.w3.org/TR/WGSL/#buffer-view-builtin-functions.
// Logical addressing cannot see one object as two types, so a buffer is an array of 32-bit words (in uniform memory of
// vec4<u32>, whose stride is 16 as Vulkan wants it there), and what a view holds is read and written word by word. The
// size of a buffer is the least one that a parameter on the way to the view said, which instances (emitter.h) know.
#include "core/layout.h"
#include "emit/spirv/guards.h"

namespace kiln::emit::spirv {

using core::TypeKind;
using spv::Glsl;

namespace {

// A fixed array of more elements than this is copied by a loop.
constexpr uint32_t kMostUnrolled = 16;

/// Where the runtime-sized array of a store type begins, and its stride; stride 0: there is none.
struct Tail {
  uint32_t offset = 0, stride = 0;
};

Tail TailOf(const core::Type* store) {
  if (const auto* array = store->As<core::ArrayType>(); array != nullptr && array->is_runtime_sized()) {
    return {0, static_cast<uint32_t>(array->stride)};
  }
  const auto* structure = store->As<core::StructType>();
  if (structure == nullptr || store->Has(core::Type::kFixedFootprint)) return {};
  const core::StructMember& last = structure->members.back();
  return {static_cast<uint32_t>(last.offset), static_cast<uint32_t>(last.type->To<core::ArrayType>().stride)};
}

uint32_t MinTypeSize(const core::Type* store) {
  if (store->Has(core::Type::kFixedFootprint)) return static_cast<uint32_t>(store->size);
  const Tail tail = TailOf(store);
  return tail.offset + tail.stride;
}

/// Bytes between the elements of a vector, matrix or array.
uint32_t StrideOf(const core::Type* type) {
  if (const auto* array = type->As<core::ArrayType>()) return static_cast<uint32_t>(array->stride);
  if (const auto* mat = type->As<core::MatType>()) return static_cast<uint32_t>(core::ColumnStride(mat));
  return static_cast<uint32_t>(core::ScalarOf(type)->size);
}

}  // namespace

Id Emitter::SpecOp(spv::Op op, const core::Type* type, Id a, Id b) {
  const Id type_id = TypeId(type);
  const Id id = NewId();
  globals_.Op(spv::Op::kSpecConstantOp, type_id, id, op, a, b);
  return id;
}

Id Emitter::CountU32(const core::OverrideCount& count) {
  const Id id = CountId(count);
  return ir::CountOf(count).value->type == core::U32() ? id : SpecOp(spv::Op::kIAdd, core::U32(), id, U32(0));
}

Id Emitter::BufferStoreId(const core::BufferType& buffer, spv::StorageClass storage) {
  if (storage == spv::StorageClass::kUniform) {
    return WrapperId(types_.Array(core::StaticVec(core::U32(), 4), (buffer.bytes + 15) / 16));
  }
  if (storage == spv::StorageClass::kStorageBuffer) {
    return WrapperId(buffer.bytes == 0 ? types_.RuntimeArray(core::U32())
                                       : types_.Array(core::U32(), (buffer.bytes + 3) / 4));
  }
  if (buffer.override_bytes == nullptr) return TypeId(types_.Array(core::U32(), (buffer.bytes + 3) / 4));
  Id words = CountU32(*buffer.override_bytes);
  words = SpecOp(spv::Op::kIAdd, core::U32(), words, U32(3));
  words = SpecOp(spv::Op::kUDiv, core::U32(), words, U32(4));
  const Id element = U32Id();
  const Id id = NewId();
  globals_.Op(spv::Op::kTypeArray, id, element, words);
  return id;
}

void Emitter::BeginBuffer(Place& place, const core::BufferType& buffer) {
  place.is_view = true;
  place.limit_bytes = buffer.bytes;
  place.limit = buffer.bytes != 0                  ? U32(buffer.bytes)
                : buffer.override_bytes != nullptr ? CountU32(*buffer.override_bytes)
                                                   : 0;
}

void Emitter::NarrowBuffer(Place& place, const core::BufferType& param) {
  place.store = &param;
  if (param.bytes == 0) return;  // any size, or the same override as the argument's
  if (place.limit == 0 || (place.limit_bytes != 0 && param.bytes < place.limit_bytes)) {
    place.limit = U32(param.bytes);
    place.limit_bytes = param.bytes;
  } else if (place.limit_bytes == 0) {
    const Id most = U32(param.bytes);
    const Id is_less = SpecOp(spv::Op::kULessThan, core::Bool(), place.limit, most);
    const Id type = U32Id();
    const Id id = NewId();
    globals_.Op(spv::Op::kSpecConstantOp, type, id, spv::Op::kSelect, is_less, place.limit, most);
    place.limit = id;
  }
}

Id Emitter::BufferLength(const Place& place) {
  if (place.limit != 0) return place.limit;
  const Id words = Op(spv::Op::kArrayLength, U32Id(), place.root, 0u);
  return Op(spv::Op::kShiftLeftLogical, U32Id(), words, U32(2));
}

Place Emitter::ViewOf(const ir::Expr* call) {
  Place place = PlaceOf(call->operand(0));
  const auto& pointer = call->type->To<core::PointerType>();
  place.store = pointer.store;
  const uint32_t least = MinTypeSize(pointer.store);
  const bool has_tail = TailOf(pointer.store).stride != 0;
  const auto unsigned_value = [&](const ir::Expr* expr) {
    if (expr->Is(ir::ExprKind::kConstant)) return U32(static_cast<uint32_t>(expr->constant()->i()));
    const Id value = Value(expr);
    return expr->type == core::U32() ? value : Op(spv::Op::kBitcast, U32Id(), value);
  };
  const ir::Expr* offset = call->operand(1);
  Id begin = unsigned_value(offset);
  Id size = call->operand_count > 2 ? unsigned_value(call->operand(2)) : 0;
  const Id length = BufferLength(place);
  const uint64_t constant = offset->Is(ir::ExprKind::kConstant) ? static_cast<uint64_t>(offset->constant()->i()) : 0;
  if (offset->Is(ir::ExprKind::kConstant) && (!protect_.clamp_indices || constant + least <= place.limit_bytes)) {
    place.extra = static_cast<uint32_t>(constant);
  } else {
    if (protect_.clamp_indices) {
      // A view that would end behind the buffer begins where it just fits.
      const Id used = Ext(Glsl::kUMin, U32Id(), length, U32(least));
      const Id last = Op(spv::Op::kISub, U32Id(), length, used);
      begin = Ext(Glsl::kUMin, U32Id(), begin, last);
    }
    const auto align = static_cast<uint32_t>(core::RequiredAlign(pointer.store, pointer.space, true));
    place.address = Op(spv::Op::kBitwiseAnd, U32Id(), begin, U32(~(align - 1)));
    begin = place.address;
  }
  if (!has_tail) return place;
  place.end = length;
  if (size == 0) return place;
  if (protect_.clamp_indices) {
    const Id left = Op(spv::Op::kISub, U32Id(), length, begin);
    size = Ext(Glsl::kUMax, U32Id(), size, U32(least));
    size = Ext(Glsl::kUMin, U32Id(), size, left);
  }
  place.end = Op(spv::Op::kIAdd, U32Id(), begin, size);
  return place;
}

void Emitter::StepIntoView(Place& place, const ir::Expr* index) {
  Step step;
  ClampedIndex(index, place.store, &place, &step);
  const uint32_t stride = StrideOf(place.store);
  if (step.is_dynamic) {
    const Id bytes = Op(spv::Op::kIMul, U32Id(), step.id, U32(stride));
    place.address = place.address == 0 ? bytes : Op(spv::Op::kIAdd, U32Id(), place.address, bytes);
  } else {
    place.extra += static_cast<uint32_t>(index->constant()->i()) * stride;
  }
  place.store = core::ElementOf(place.store);
}

Id Emitter::Address(const Place& place) {
  if (place.address == 0) return U32(place.extra);
  return place.extra == 0 ? place.address : Op(spv::Op::kIAdd, U32Id(), place.address, U32(place.extra));
}

Id Emitter::ViewLength(const Place& place) {
  const Id bytes = Op(spv::Op::kISub, U32Id(), place.end, Address(place));
  return Op(spv::Op::kUDiv, U32Id(), bytes, U32(StrideOf(place.store)));
}

Id Emitter::WordChain(const Place& place, Id word) {
  const Id pointer = PointerId(place.storage, U32Id());
  if (place.storage == spv::StorageClass::kWorkgroup) return Op(spv::Op::kAccessChain, pointer, place.root, word);
  const Id zero = U32(0);
  if (!IsCbuffer(place.storage)) {
    return Op(spv::Op::kAccessChain, pointer, place.root, zero, word);
  }
  const Id row = Op(spv::Op::kShiftRightLogical, U32Id(), word, U32(2));
  const Id column = Op(spv::Op::kBitwiseAnd, U32Id(), word, U32(3));
  return Op(spv::Op::kAccessChain, pointer, place.root, zero, row, column);
}

// The pointer to the word that a scalar at `place` is in; `half` not null: which of its halves, as u32.
Id Emitter::WordAt(const Place& place, Id* half) {
  const Id two = U32(2);
  Id word;
  if (half != nullptr) {
    const Id address = Address(place);
    word = Op(spv::Op::kShiftRightLogical, U32Id(), address, two);
    const Id halves = Op(spv::Op::kShiftRightLogical, U32Id(), address, U32(1));
    *half = Op(spv::Op::kBitwiseAnd, U32Id(), halves, U32(1));
  } else if (place.address == 0) {
    word = U32(place.extra / 4);
  } else {
    word = Op(spv::Op::kShiftRightLogical, U32Id(), place.address, two);
    if (place.extra != 0) word = Op(spv::Op::kIAdd, U32Id(), word, U32(place.extra / 4));
  }
  // A bound buffer may be shorter than the smallest view.
  if (place.storage == spv::StorageClass::kStorageBuffer && protect_.clamp_indices &&
      place.root_store->To<core::BufferType>().is_runtime_sized()) {
    const Id words = Op(spv::Op::kArrayLength, U32Id(), place.root, 0u);
    const Id last = Op(spv::Op::kISub, U32Id(), words, U32(1));
    word = Ext(Glsl::kUMin, U32Id(), word, last);
  }
  return WordChain(place, word);
}

Id Emitter::LoadView(const Place& place, const core::Type* type) {
  if (type->is_scalar()) {
    Id half = 0;
    const bool is_half = type->size == 2;
    const Id word = Op(spv::Op::kLoad, U32Id(), WordAt(place, is_half ? &half : nullptr));
    if (!is_half) return Bitcast(word, core::U32(), type);
    const Id both = Op(spv::Op::kBitcast, VecId(type, 2), word);
    return Op(spv::Op::kVectorExtractDynamic, TypeId(type), both, half);
  }
  const auto* structure = type->As<core::StructType>();
  const uint32_t count = core::ElementCountOf(type);
  const core::Type* element = structure == nullptr ? core::ElementOf(type) : nullptr;
  Place part = place;
  if (type->Is(TypeKind::kArray) && count > kMostUnrolled) {
    const Id type_id = TypeId(type);
    const Id copy = NewFunctionVar(type_id);
    const Id zero = U32(0), most = U32(count);
    Repeat(zero, most, U32(1), [&](Id at) {
      const Id bytes = Op(spv::Op::kIMul, U32Id(), at, U32(StrideOf(type)));
      part.address = place.address == 0 ? bytes : Op(spv::Op::kIAdd, U32Id(), place.address, bytes);
      const Id value = LoadView(part, element);
      const Id to = Op(spv::Op::kAccessChain, PointerId(spv::StorageClass::kFunction, TypeId(element)), copy, at);
      body_.Op(spv::Op::kStore, to, value);
    });
    return Op(spv::Op::kLoad, type_id, copy);
  }
  std::vector<Id> parts;
  parts.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    part.extra =
        place.extra + (structure != nullptr ? static_cast<uint32_t>(structure->members[i].offset) : i * StrideOf(type));
    parts.push_back(LoadView(part, structure != nullptr ? structure->members[i].type : element));
  }
  return OpList(spv::Op::kCompositeConstruct, TypeId(type), parts);
}

void Emitter::StoreView(const Place& place, const core::Type* type, Id value) {
  if (type->is_scalar()) {
    Id half = 0;
    const bool is_half = type->size == 2;
    const Id chain = WordAt(place, is_half ? &half : nullptr);
    if (!is_half) {
      body_.Op(spv::Op::kStore, chain, Bitcast(value, type, core::U32()));
      return;
    }
    // The other half may be another invocation's, so the word is never written as a whole.
    const Id both = Op(spv::Op::kCompositeConstruct, VecId(type, 2), value, value);
    const Id bits = Op(spv::Op::kBitcast, U32Id(), both);
    const Id shift = Op(spv::Op::kShiftLeftLogical, U32Id(), half, U32(4));
    const Id mask = Op(spv::Op::kShiftLeftLogical, U32Id(), U32(0xFFFF), shift);
    const Id others = Op(spv::Op::kNot, U32Id(), mask);
    const Id own = Op(spv::Op::kBitwiseAnd, U32Id(), bits, mask);
    const Id scope = U32(place.storage == spv::StorageClass::kStorageBuffer ? spv::kScopeDevice : spv::kScopeWorkgroup);
    const Id relaxed = U32(0);
    Op(spv::Op::kAtomicAnd, U32Id(), chain, scope, relaxed, others);
    Op(spv::Op::kAtomicOr, U32Id(), chain, scope, relaxed, own);
    return;
  }
  const auto* structure = type->As<core::StructType>();
  const uint32_t count = core::ElementCountOf(type);
  const core::Type* element = structure == nullptr ? core::ElementOf(type) : nullptr;
  Place part = place;
  if (type->Is(TypeKind::kArray) && count > kMostUnrolled) {
    const Id copy = NewFunctionVar(TypeId(type));
    body_.Op(spv::Op::kStore, copy, value);
    const Id zero = U32(0), most = U32(count);
    Repeat(zero, most, U32(1), [&](Id at) {
      const Id from = Op(spv::Op::kAccessChain, PointerId(spv::StorageClass::kFunction, TypeId(element)), copy, at);
      const Id loaded = Op(spv::Op::kLoad, TypeId(element), from);
      const Id bytes = Op(spv::Op::kIMul, U32Id(), at, U32(StrideOf(type)));
      part.address = place.address == 0 ? bytes : Op(spv::Op::kIAdd, U32Id(), place.address, bytes);
      StoreView(part, element, loaded);
    });
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const core::Type* part_type = structure != nullptr ? structure->members[i].type : element;
    part.extra =
        place.extra + (structure != nullptr ? static_cast<uint32_t>(structure->members[i].offset) : i * StrideOf(type));
    StoreView(part, part_type, Extract(value, part_type, i));
  }
}

void Emitter::ZeroBuffer(const Place& place, Id first, Id stride) {
  const Id up = Op(spv::Op::kIAdd, U32Id(), place.limit, U32(3));
  const Id words = Op(spv::Op::kShiftRightLogical, U32Id(), up, U32(2));
  const Id zero = U32(0);
  Repeat(first, words, stride, [&](Id at) { body_.Op(spv::Op::kStore, WordChain(place, at), zero); });
}

}  // namespace kiln::emit::spirv
