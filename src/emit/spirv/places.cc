// SPDX-License-Identifier: Apache-2.0
// Memory: variables, access chains, loads and stores, and the textures and samplers that variables hold.
#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::AddressSpace;
using core::TypeKind;

namespace {

spv::StorageClass StorageOf(AddressSpace space) {
  switch (space) {
    case AddressSpace::kFunction:
      return spv::StorageClass::kFunction;
    case AddressSpace::kPrivate:
      return spv::StorageClass::kPrivate;
    case AddressSpace::kWorkgroup:
      return spv::StorageClass::kWorkgroup;
    case AddressSpace::kUniform:
      return spv::StorageClass::kUniform;
    case AddressSpace::kStorage:
      return spv::StorageClass::kStorageBuffer;
    case AddressSpace::kImmediate:
      return spv::StorageClass::kPushConstant;
    case AddressSpace::kHandle:
      return spv::StorageClass::kUniformConstant;
    case AddressSpace::kIn:
      return spv::StorageClass::kInput;
    case AddressSpace::kOut:
      return spv::StorageClass::kOutput;
  }
  KILN_UNREACHABLE("address space");
}

bool IsBufferStorage(spv::StorageClass storage) {
  return storage == spv::StorageClass::kUniform || storage == spv::StorageClass::kStorageBuffer ||
         storage == spv::StorageClass::kPushConstant;
}

bool NeedsRelayout(const core::Type* type) { return type->Is(TypeKind::kArray) || type->Is(TypeKind::kStruct); }

}  // namespace

Id Emitter::GlobalId(const ir::Var* var) {
  if (global_ids_[var->id] == 0) DeclareGlobal(var);
  Use(var);
  return global_ids_[var->id];
}

Place Emitter::GlobalPlace(const ir::Var* var) {
  const auto& pointer = var->type->To<core::PointerType>();
  Place place;
  place.var = var;
  place.storage = StorageOf(pointer.space);
  place.root_store = place.store = pointer.store;
  if (IsBufferStorage(place.storage)) {
    place.is_wrapped = !pointer.store->Is(TypeKind::kStruct);
    place.layout = BufferLayout(place.storage, pointer.store);
    place.is_view = IsWords(place.storage, pointer.store);
  }
  place.root = GlobalId(var);
  if (const auto* buffer = pointer.store->As<core::BufferType>()) BeginBuffer(place, *buffer);
  return place;
}

void Emitter::DeclareGlobal(const ir::Var* var) {
  const auto& pointer = var->type->To<core::PointerType>();
  const spv::StorageClass storage = StorageOf(pointer.space);
  Id store_id;
  if (const auto* buffer = pointer.store->As<core::BufferType>()) {
    store_id = BufferStoreId(*buffer, storage);
  } else if (IsBufferStorage(storage)) {
    NeedF16Memory(pointer.store, storage);
    const Layout layout = BufferLayout(storage, pointer.store);
    if (IsWords(storage, pointer.store)) {
      const auto rows = static_cast<uint32_t>((pointer.store->size + 15) / 16);
      store_id = WrapperId(types_.Array(core::StaticVec(core::U32(), 4), rows));
    } else {
      store_id =
          pointer.store->Is(TypeKind::kStruct) ? TypeId(pointer.store, layout) : WrapperId(pointer.store, layout);
    }
  } else {
    store_id = TypeId(pointer.store);
  }
  const Id pointer_id = PointerId(storage, store_id);
  Id init = 0;
  if (storage == spv::StorageClass::kPrivate) {
    // An initialiser that SPIR-V cannot evaluate is stored at the start of the entry point (InitPrivates).
    if (var->init != nullptr) init = SpecExpr(var->init);
    if (IsZeroedByLoop(var)) {
      init = 0;
    } else if (init == 0 && (protect_.zero_variables && var->init == nullptr)) {
      init = Null(store_id);
    }
  }
  const Id id = NewId();
  global_ids_[var->id] = id;
  if (init != 0) {
    globals_.Op(spv::Op::kVariable, pointer_id, id, storage, init);
  } else {
    globals_.Op(spv::Op::kVariable, pointer_id, id, storage);
  }
  Name(id, var->name);
  if (var->binding) {
    Decorate(id, spv::Decoration::kDescriptorSet, var->binding->group);
    Decorate(id, spv::Decoration::kBinding, var->binding->binding);
  }
  if (storage == spv::StorageClass::kStorageBuffer && !core::CanWrite(pointer.access)) {
    Decorate(id, spv::Decoration::kNonWritable);
  }
  const core::Type* handle = pointer.store;
  if (const auto* array = handle->As<core::BindingArrayType>()) handle = array->element;
  core::Access access = core::Access::kReadWrite;
  if (const auto* texture = handle->As<core::TextureType>(); texture != nullptr) {
    if (texture->texture == core::TextureKind::kStorage) access = texture->access;
  } else if (const auto* buffer = handle->As<core::TexelBufferType>()) {
    access = buffer->access;
  }
  if (access == core::Access::kRead) Decorate(id, spv::Decoration::kNonWritable);
  if (access == core::Access::kWrite) Decorate(id, spv::Decoration::kNonReadable);
}

Place Emitter::PlaceOf(const ir::Expr* pointer) {
  switch (pointer->kind) {
    case ir::ExprKind::kRef: {
      const ir::Decl* decl = pointer->decl();
      const Binding& binding = bindings_[decl->id];
      if (binding.kind == Binding::Kind::kPlace) {
        const Place& place = places_[binding.number];
        if (place.var != nullptr) Use(place.var);
        return place;
      }
      return GlobalPlace(decl->As<ir::Var>());
    }
    case ir::ExprKind::kIndex: {
      Place place = PlaceOf(pointer->operand(0));
      StepInto(place, pointer->operand(1));
      return place;
    }
    case ir::ExprKind::kMember: {
      Place place = PlaceOf(pointer->operand(0));
      StepMember(place, pointer->member());
      return place;
    }
    case ir::ExprKind::kBuiltin:
      if (pointer->builtin() == core::BuiltinFn::kBufferView ||
          pointer->builtin() == core::BuiltinFn::kBufferArrayView) {
        return ViewOf(pointer);
      }
      [[fallthrough]];
    default: {
      Unsupported(pointer, "a pointer made by this expression");
      Place place;
      place.root_store = place.store = pointer->type->To<core::PointerType>().store;
      place.root = NewFunctionVar(TypeId(place.store));
      return place;
    }
  }
}

void Emitter::StepMember(Place& place, uint32_t member) {
  if (place.is_view) {
    const core::StructMember& part = place.store->To<core::StructType>().members[member];
    place.extra += static_cast<uint32_t>(part.offset);
    place.store = part.type;
    return;
  }
  if (IsReshapable(place.layout)) return StepShapedMember(place, member);
  KILN_CHECK(place.step_count < place.steps.size());
  place.steps[place.step_count++] = {U32(member), false, true, member};
  place.store = place.store->To<core::StructType>().members[member].type;
}

void Emitter::StepInto(Place& place, const ir::Expr* index) {
  if (place.is_view) return StepIntoView(place, index);
  if (IsUniformLayout(place.layout) && IsNarrowMatrix(place.store)) return StepIntoColumns(place, index);
  Step step;
  ClampedIndex(index, place.store, &place, &step);
  KILN_CHECK(place.step_count < place.steps.size());
  place.steps[place.step_count++] = step;
  place.store = core::ElementOf(place.store);
}

Id Emitter::ClampedIndex(const ir::Expr* index, const core::Type* base, const Place* place, Step* step) {
  const uint32_t count =
      base->Is(TypeKind::kBindingArray) ? base->To<core::BindingArrayType>().count : core::ElementCountOf(base);
  if (index->Is(ir::ExprKind::kConstant)) {
    const int64_t value = index->constant()->i();
    if (value >= 0 && value < static_cast<int64_t>(count)) {
      *step = {U32(static_cast<uint32_t>(value)), false, false, 0};
      return step->id;
    }
  }
  Id id = Value(index);
  if (index->type != core::U32()) id = Op(spv::Op::kBitcast, U32Id(), id);
  if (protect_.clamp_indices) {
    Id last = 0;
    if (count != 0) {
      last = U32(count - 1);
    } else if (const auto* array = base->As<core::ArrayType>(); array != nullptr && array->is_override_sized()) {
      Id length = CountId(*array->override_count);
      if (ir::CountOf(*array->override_count).value->type != core::U32())
        length = Op(spv::Op::kBitcast, U32Id(), length);
      last = Op(spv::Op::kISub, U32Id(), length, U32(1));
    } else if (place != nullptr && array != nullptr) {
      last = Op(spv::Op::kISub, U32Id(), ArrayLength(*place), U32(1));
    }
    if (last != 0) id = Ext(spv::Glsl::kUMin, U32Id(), id, last);
  }
  *step = {id, true, false, 0};
  return id;
}

// A runtime-sized array is a whole buffer (inside its wrapper) or the last member of the structure that is one.
Id Emitter::ArrayLength(const Place& place) {
  if (place.is_view) return ViewLength(place);
  KILN_CHECK(place.step_count <= 1);
  const uint32_t member = place.step_count == 1 ? place.steps[0].member : 0;
  return Op(spv::Op::kArrayLength, U32Id(), place.root, member);
}

Id Emitter::Chain(const Place& place) {
  if (place.step_count == 0 && !place.is_wrapped) return place.root;
  std::array<Id, 24> ids;
  size_t count = 0;
  ids[count++] = place.root;
  if (place.is_wrapped) ids[count++] = U32(0);
  for (const Step& step : place.path()) ids[count++] = step.id;
  const Id type = PointerId(place.storage, TypeId(place.store, PartLayout(place.layout)));
  return OpList(spv::Op::kAccessChain, type, std::span<const Id>(ids.data(), count));
}

static Layout LayoutAt(const Place& place) { return place.step_count == 0 ? place.layout : PartLayout(place.layout); }

// SPIRV-Cross can neither read nor write an array of arrays in a byte-address buffer of HLSL: it makes text that is not
// HLSL, stops, or reads past its own lists.
// And a block of GLSL or HLSL is a list of variables, not a structure that could be copied.
bool Emitter::GoesByParts(const Place& place) {
  if (options_.block_rules == BlockRules::kOffsets) return false;
  if (options_.block_rules == BlockRules::kHlsl && place.storage == spv::StorageClass::kStorageBuffer) {
    return NeedsRelayout(place.store);
  }
  const Layout layout = LayoutAt(place);
  if (IsBlock(layout) && place.store->Is(TypeKind::kStruct)) return true;
  return IsReshapable(layout) && IsReshaped(place.store, layout);
}

Id Emitter::Load(const Place& place) {
  if (place.is_view) return LoadView(place, place.store);
  if (IsSplit(place)) return LoadColumns(place);
  if (GoesByParts(place)) return LoadParts(place);
  const Id chain = Chain(place);
  const Layout layout = LayoutAt(place);
  const Id value = Op(spv::Op::kLoad, TypeId(place.store, layout), chain);
  return Relayout(value, place.store, layout, Layout::kValue);
}

void Emitter::Store(const Place& place, Id value) {
  if (place.is_view) return StoreView(place, place.store, value);
  const Layout layout = LayoutAt(place);
  if (GoesByParts(place)) return StoreParts(place, value);
  value = Relayout(value, place.store, Layout::kValue, layout);
  const Id chain = Chain(place);
  body_.Op(spv::Op::kStore, chain, value);
}

Id Emitter::Relayout(Id value, const core::Type* type, Layout from, Layout to) {
  if (IsReshapable(from) && IsReshaped(type, from)) return FromShape(value, type, from);
  if (from == to || !NeedsRelayout(type)) return value;
  const Id to_id = TypeId(type, to);
  if (TypeId(type, from) == to_id) return value;
  if (options_.version >= 0x00010400) return Op(spv::Op::kCopyLogical, to_id, value);
  // Before SPIR-V 1.4 only part by part.
  IdList parts;
  const uint32_t count = core::ElementCountOf(type);
  const auto* structure = type->As<core::StructType>();
  for (uint32_t i = 0; i < count; ++i) {
    const core::Type* part = structure != nullptr ? structure->members[i].type : core::ElementOf(type);
    const Id extracted = Op(spv::Op::kCompositeExtract, TypeId(part, PartLayout(from)), value, i);
    parts.push_back(Relayout(extracted, part, PartLayout(from), PartLayout(to)));
  }
  return OpList(spv::Op::kCompositeConstruct, to_id, parts);
}

Id Emitter::NewFunctionVar(Id type, Id init) {
  const Id pointer = PointerId(spv::StorageClass::kFunction, type);
  const Id id = NewId();
  if (init != 0) {
    locals_.Op(spv::Op::kVariable, pointer, id, spv::StorageClass::kFunction, init);
  } else {
    locals_.Op(spv::Op::kVariable, pointer, id, spv::StorageClass::kFunction);
  }
  return id;
}

Handle Emitter::HandleOf(const ir::Expr* value) {
  if (value->Is(ir::ExprKind::kRef)) {
    const Binding& binding = bindings_[value->decl()->id];
    KILN_CHECK(binding.kind == Binding::Kind::kHandle);
    return handles_[binding.number];
  }
  Handle handle;
  if (value->Is(ir::ExprKind::kIndex)) {
    handle = HandleOf(value->operand(0));
    handle.is_indexed = true;
    ClampedIndex(value->operand(1), value->operand(0)->type, nullptr, &handle.index);
    return handle;
  }
  KILN_CHECK(value->Is(ir::ExprKind::kLoad));
  const ir::Expr* pointer = value->operand(0);
  if (pointer->Is(ir::ExprKind::kIndex)) {
    const ir::Expr* base = pointer->operand(0);
    handle.is_indexed = true;
    ClampedIndex(pointer->operand(1), base->type->To<core::PointerType>().store, nullptr, &handle.index);
    pointer = base;
  }
  handle.var = pointer->decl()->As<ir::Var>();
  return handle;
}

Id Emitter::LoadHandle(const Handle& handle) {
  Id pointer = GlobalId(handle.var);
  const core::Type* type = handle.var->type->To<core::PointerType>().store;
  if (handle.is_indexed) {
    type = type->To<core::BindingArrayType>().element;
    if (handle.index.is_dynamic) {
      const auto* texture = type->As<core::TextureType>();
      const bool is_storage = texture != nullptr && texture->texture == core::TextureKind::kStorage;
      Need(is_storage ? spv::Capability::kStorageImageArrayDynamicIndexing
                      : spv::Capability::kSampledImageArrayDynamicIndexing);
    }
    pointer = Op(spv::Op::kAccessChain, PointerId(spv::StorageClass::kUniformConstant, TypeId(type)), pointer,
                 handle.index.id);
  }
  return Op(spv::Op::kLoad, TypeId(type), pointer);
}

}  // namespace kiln::emit::spirv
