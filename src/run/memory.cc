// SPDX-License-Identifier: Apache-2.0
// Pointers, loads and stores. Buffers are bytes in their layout; everything else is scalars.
#include <algorithm>
#include <bit>

#include "core/layout.h"
#include "run/interpreter.h"

namespace kiln::run {

using core::TypeKind;

uint32_t Interpreter::CountOf(const core::Type* type) {
  const auto* array = type->As<core::ArrayType>();
  if (array == nullptr || !array->is_override_sized()) return core::ElementCountOf(type);
  const core::Constant* count = Known(ir::CountOf(*array->override_count).value);
  if (count != nullptr && count->i() > 0) return count->u32();
  Fault({}, "run-override",
        "the size '" + std::string(array->override_count->text) + "' needs the value of an override");
  return 1;
}

/// How many scalars a value of the type has; 0 for what no value has.
uint32_t Interpreter::SlotsOf(const core::Type* type) {
  if (type->is_scalar()) return 1;
  if (const auto found = slots_.find(type); found != slots_.end()) return found->second;
  uint64_t slots = 0;
  if (const auto* structure = type->As<core::StructType>()) {
    for (const core::StructMember& member : structure->members) slots += SlotsOf(member.type);
  } else if (const auto* atomic = type->As<core::AtomicType>()) {
    slots = SlotsOf(atomic->element);
  } else if (const core::Type* element = core::ElementOf(type)) {
    slots = uint64_t{CountOf(type)} * SlotsOf(element);
  }
  if (slots > options_.max_memory / sizeof(Scalar64)) {
    Fault({}, "run-memory", "a variable needs more memory than the run may use");
    slots = 1;
  }
  slots_.emplace(type, static_cast<uint32_t>(slots));
  return static_cast<uint32_t>(slots);
}

bool Interpreter::Resize(Memory& memory, uint64_t scalars) {
  if (memory.scalars.size() == scalars) return true;
  memory_ += scalars * sizeof(Scalar64);
  if (memory_ > options_.max_memory) {
    Fault({}, "run-memory", "the variables need more memory than the run may use");
    return false;
  }
  memory.scalars.resize(scalars);
  return true;
}

/// Of function variables where they are declared first, of others when the workgroup begins.
Memory* Interpreter::MemoryOf(const ir::Var* var) {
  std::unique_ptr<Memory>& memory = memories_[var->id];
  if (memory == nullptr) {
    memory = std::make_unique<Memory>();
    const auto& pointer = var->type->To<core::PointerType>();
    memory->is_shared = pointer.space == core::AddressSpace::kWorkgroup;
    if (const auto* buffer = pointer.store->As<core::BufferType>()) {
      uint64_t bytes = buffer->bytes;
      if (buffer->override_bytes != nullptr) {
        const core::Constant* known = Known(ir::CountOf(*buffer->override_bytes).value);
        bytes = known != nullptr ? known->u32() : 0;
      }
      memory_ += bytes;
      if (bytes == 0 || memory_ > options_.max_memory) {
        Fault(var->range, "run-memory", "this buffer is too large for the run, or its size is not known");
        bytes = 4;
      }
      memory->is_bytes = true;
      memory->own_bytes.resize(bytes);
      memory->bytes = memory->own_bytes;
      return memory.get();
    }
    const uint64_t slots = SlotsOf(pointer.store);
    Resize(*memory, memory->is_shared ? slots : slots * lanes_);
  }
  return memory.get();
}

namespace {

/// Of a buffer without a fixed footprint something must be there.
uint64_t LeastBytes(const core::Type* store) {
  if (const auto* buffer = store->As<core::BufferType>()) return std::max<uint64_t>(buffer->bytes, 4);
  if (store->Has(core::Type::kFixedFootprint)) return store->size;
  const auto* structure = store->As<core::StructType>();
  return structure != nullptr ? structure->members.back().offset : 1;
}

}  // namespace

Pointer Interpreter::PointerOf(const ir::Expr* expr) {
  if (++depth_ > kMostDepth) Fault(expr->range, "run-depth", "the code is nested too deeply to be run");
  Pointer pointer;
  if (has_failed_) {
    --depth_;
    pointer.memory = nullptr;
    return pointer;
  }
  switch (expr->kind) {
    case ir::ExprKind::kRef: {
      const ir::Decl* decl = expr->decl();
      const auto* var = decl->TryAs<ir::Var>();
      if (var == nullptr) {
        pointer = pointers_[decl->id];
        break;
      }
      pointer.memory = memories_[var->id] != nullptr ? memories_[var->id].get() : MemoryOf(var);
      pointer.store = var->type->To<core::PointerType>().store;
      pointer.at.assign(lanes_, 0);
      if (pointer.memory->is_bytes && pointer.memory->bytes.size() < LeastBytes(pointer.store)) {
        Fault(expr->range, "run-buffer",
              "'" + std::string(var->name) + "' needs a buffer of at least " +
                  std::to_string(LeastBytes(pointer.store)) + " bytes, and has one of " +
                  std::to_string(pointer.memory->bytes.size()));
        break;
      }
      if (const auto* buffer = pointer.store->As<core::BufferType>()) {
        pointer.limit = buffer->bytes != 0 ? buffer->bytes : pointer.memory->bytes.size() / 4 * 4;
      }
      if (!pointer.store->Has(core::Type::kFixedFootprint)) pointer.end.assign(lanes_, pointer.memory->bytes.size());
      break;
    }
    case ir::ExprKind::kIndex:
      pointer = PointerOf(expr->operand(0));
      if (!has_failed_) Step(pointer, expr->operand(1));
      break;
    case ir::ExprKind::kMember:
      pointer = PointerOf(expr->operand(0));
      if (!has_failed_) StepMember(pointer, expr->member());
      break;
    default:
      if (expr->Is(ir::ExprKind::kBuiltin) &&
          (expr->builtin() == core::BuiltinFn::kBufferView || expr->builtin() == core::BuiltinFn::kBufferArrayView)) {
        pointer = ViewOf(expr);
        break;
      }
      Fault(expr->range, "run-unsupported", "this pointer cannot be followed");
  }
  --depth_;
  return pointer;
}

// https://www.w3.org/TR/WGSL/#buffer-view-builtin-functions
Pointer Interpreter::ViewOf(const ir::Expr* expr) {
  Pointer pointer = PointerOf(expr->operand(0));
  if (has_failed_) return pointer;
  const Scalar64* offsets = Eval(expr->operand(1));
  const Scalar64* sizes = expr->operand_count > 2 ? Eval(expr->operand(2)) : nullptr;
  if (has_failed_) return pointer;
  const auto& type = expr->type->To<core::PointerType>();
  pointer.store = type.store;
  const bool is_fixed = type.store->Has(core::Type::kFixedFootprint);
  uint64_t least = type.store->size;
  if (!is_fixed) {
    const core::Type* tail = type.store;
    least = 0;
    if (const auto* structure = tail->As<core::StructType>()) {
      least = structure->members.back().offset;
      tail = structure->members.back().type;
    }
    least += tail->To<core::ArrayType>().stride;
    pointer.end.assign(lanes_, pointer.limit);
  }
  const uint64_t align = core::RequiredAlign(type.store, type.space, true);
  EachLane([&](uint32_t lane) {
    uint64_t at = static_cast<uint32_t>(offsets[lane].i);
    at = std::min(at, pointer.limit - std::min(pointer.limit, least)) & ~(align - 1);
    pointer.at[lane] = at;
    if (sizes == nullptr || is_fixed) return;
    const uint64_t size = std::max<uint64_t>(static_cast<uint32_t>(sizes[lane].i), least);
    pointer.end[lane] = at + std::min(size, pointer.limit - at);
  });
  return pointer;
}

uint64_t Interpreter::RuntimeCount(const Pointer& pointer, uint32_t lane) {
  const uint64_t stride = pointer.store->To<core::ArrayType>().stride;
  const uint64_t bytes = pointer.end[lane] - std::min(pointer.end[lane], pointer.at[lane]);
  return bytes / stride;
}

void Interpreter::Step(Pointer& pointer, const ir::Expr* index) {
  const Scalar64* indices = Eval(index);
  if (has_failed_) return;
  const core::Type* base = pointer.store;
  const core::Type* element = core::ElementOf(base);
  const auto* array = base->As<core::ArrayType>();
  const bool is_runtime = array != nullptr && array->is_runtime_sized();
  const uint64_t count = is_runtime ? 0 : CountOf(base);
  uint64_t stride;
  if (!pointer.memory->is_bytes) {
    stride = SlotsOf(element);
  } else if (array != nullptr) {
    stride = array->stride;
  } else if (const auto* mat = base->As<core::MatType>()) {
    stride = core::ColumnStride(mat);
  } else {
    stride = element->size;
  }
  EachLane([&](uint32_t lane) {
    const uint64_t most = is_runtime ? RuntimeCount(pointer, lane) : count;
    const uint64_t at = std::min<uint64_t>(static_cast<uint32_t>(indices[lane].i), most - std::min<uint64_t>(most, 1));
    pointer.at[lane] += at * stride;
  });
  pointer.store = element;
}

void Interpreter::StepMember(Pointer& pointer, uint32_t member) {
  const auto& structure = pointer.store->To<core::StructType>();
  uint64_t offset = structure.members[member].offset;
  if (!pointer.memory->is_bytes) {
    offset = 0;
    for (uint32_t i = 0; i < member; ++i) offset += SlotsOf(structure.members[i].type);
  }
  for (uint64_t& at : pointer.at) at += offset;
  pointer.store = structure.members[member].type;
}

namespace {

/// Bytes past the end read as zero and are not written: a buffer may be shorter than its type by padding.
uint32_t Read(std::span<const std::byte> bytes, uint64_t at, uint32_t size) {
  uint32_t word = 0;
  if (at + size > bytes.size()) return 0;
  for (uint32_t i = 0; i < size; ++i) word |= static_cast<uint32_t>(bytes[at + i]) << (8 * i);
  return word;
}

void Write(std::span<std::byte> bytes, uint64_t at, uint32_t size, uint32_t word) {
  if (at + size > bytes.size()) return;
  for (uint32_t i = 0; i < size; ++i) bytes[at + i] = static_cast<std::byte>(word >> (8 * i));
}

Scalar64 FromWord(const core::Type* type, uint32_t word) {
  switch (type->kind) {
    case TypeKind::kF32:
      return {.f = static_cast<double>(std::bit_cast<float>(word))};
    case TypeKind::kF16:
      return {.f = core::F16FromBits(static_cast<uint16_t>(word))};
    case TypeKind::kI32:
      return {.i = static_cast<int32_t>(word)};
    default:
      return {.i = word};
  }
}

}  // namespace

void Interpreter::ReadBytes(std::span<const std::byte> bytes, uint64_t at, const core::Type* type, Scalar64* to,
                            uint32_t lane) {
  if (type->is_scalar()) {
    to[lane] = FromWord(type, Read(bytes, at, static_cast<uint32_t>(type->size)));
    return;
  }
  if (const auto* structure = type->As<core::StructType>()) {
    for (const core::StructMember& member : structure->members) {
      ReadBytes(bytes, at + member.offset, member.type, to, lane);
      to += uint64_t{SlotsOf(member.type)} * lanes_;
    }
    return;
  }
  if (const auto* atomic = type->As<core::AtomicType>()) return ReadBytes(bytes, at, atomic->element, to, lane);
  const core::Type* element = core::ElementOf(type);
  const auto* array = type->As<core::ArrayType>();
  const auto* mat = type->As<core::MatType>();
  const uint64_t stride = array != nullptr ? array->stride : mat != nullptr ? core::ColumnStride(mat) : element->size;
  const uint64_t slots = uint64_t{SlotsOf(element)} * lanes_;
  for (uint32_t i = 0; i < CountOf(type); ++i) ReadBytes(bytes, at + i * stride, element, to + i * slots, lane);
}

void Interpreter::WriteBytes(std::span<std::byte> bytes, uint64_t at, const core::Type* type, const Scalar64* from,
                             uint32_t lane) {
  if (type->is_scalar()) {
    Write(bytes, at, static_cast<uint32_t>(type->size), core::ScalarBits(type, from[lane]));
    return;
  }
  if (const auto* structure = type->As<core::StructType>()) {
    for (const core::StructMember& member : structure->members) {
      WriteBytes(bytes, at + member.offset, member.type, from, lane);
      from += uint64_t{SlotsOf(member.type)} * lanes_;
    }
    return;
  }
  const core::Type* element = core::ElementOf(type);
  const auto* array = type->As<core::ArrayType>();
  const auto* mat = type->As<core::MatType>();
  const uint64_t stride = array != nullptr ? array->stride : mat != nullptr ? core::ColumnStride(mat) : element->size;
  const uint64_t slots = uint64_t{SlotsOf(element)} * lanes_;
  for (uint32_t i = 0; i < CountOf(type); ++i) WriteBytes(bytes, at + i * stride, element, from + i * slots, lane);
}

void Interpreter::Load(const Pointer& pointer, Scalar64* to) {
  const uint32_t slots = SlotsOf(pointer.store);
  const Memory& memory = *pointer.memory;
  EachLane([&](uint32_t lane) {
    if (memory.is_bytes) return ReadBytes(memory.bytes, pointer.at[lane], pointer.store, to, lane);
    for (uint32_t i = 0; i < slots; ++i) {
      const uint64_t at = pointer.at[lane] + i;
      to[uint64_t{i} * lanes_ + lane] = memory.scalars[memory.is_shared ? at : at * lanes_ + lane];
    }
  });
}

void Interpreter::Store(const Pointer& pointer, const Scalar64* from) {
  const uint32_t slots = SlotsOf(pointer.store);
  Memory& memory = *pointer.memory;
  EachLane([&](uint32_t lane) {
    if (memory.is_bytes) return WriteBytes(memory.bytes, pointer.at[lane], pointer.store, from, lane);
    for (uint32_t i = 0; i < slots; ++i) {
      const uint64_t at = pointer.at[lane] + i;
      memory.scalars[memory.is_shared ? at : at * lanes_ + lane] = from[uint64_t{i} * lanes_ + lane];
    }
  });
}

Scalar64 Interpreter::LoadScalar(const Pointer& pointer, const core::Type* type, uint32_t lane) {
  const Memory& memory = *pointer.memory;
  const uint64_t at = pointer.at[lane];
  if (memory.is_bytes) return FromWord(type, Read(memory.bytes, at, static_cast<uint32_t>(type->size)));
  return memory.scalars[memory.is_shared ? at : at * lanes_ + lane];
}

void Interpreter::StoreScalar(const Pointer& pointer, const core::Type* type, uint32_t lane, Scalar64 value) {
  Memory& memory = *pointer.memory;
  const uint64_t at = pointer.at[lane];
  if (memory.is_bytes) return Write(memory.bytes, at, static_cast<uint32_t>(type->size), core::ScalarBits(type, value));
  memory.scalars[memory.is_shared ? at : at * lanes_ + lane] = value;
}

}  // namespace kiln::run
