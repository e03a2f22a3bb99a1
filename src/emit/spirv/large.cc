// SPDX-License-Identifier: Apache-2.0
// Large composites in memory are cleared and copied by loops, in place. As one value, an array of a thousand elements
// becomes thousands of instructions in the module (before SPIR-V 1.4) or in the driver's compiler, which may then need
// minutes for it.
#include <algorithm>

#include "emit/spirv/guards.h"

namespace kiln::emit::spirv {

using core::TypeKind;

namespace {

/// From this many scalars, vectors and matrix columns on, memory is not written by one instruction. An array of fewer
/// may end in registers; a driver that would do so with more is not known.
constexpr uint64_t kMostLeaves = 64;

/// Scalars, vectors and columns in the type, but no more than `most` + 1: structures in structures in structures may
/// have more than anyone can count.
uint64_t LeavesOf(const core::Type* type, uint64_t most) {
  if (const auto* array = type->As<core::ArrayType>()) {
    if (array->is_override_sized()) return most + 1;
    return std::min(LeavesOf(array->element, most) * array->count, most + 1);
  }
  if (const auto* structure = type->As<core::StructType>()) {
    uint64_t leaves = 0;
    for (const core::StructMember& member : structure->members) {
      leaves += LeavesOf(member.type, most);
      if (leaves > most) return most + 1;
    }
    return leaves;
  }
  if (const auto* mat = type->As<core::MatType>()) return mat->columns;
  return 1;
}

/// Parts of structures that are cleared or copied one by one, in the whole module. Arrays take loops.
constexpr uint32_t kMostParts = 1 << 14;

Place ElementPlace(const Place& place, Id at) {
  Place element = place;
  element.steps[element.step_count++] = {at, true, false, 0};
  element.store = core::ElementOf(place.store);
  return element;
}

}  // namespace

bool Emitter::TakePart() {
  if (parts_ == kMostParts) return false;
  if (++parts_ < kMostParts) return true;
  sink_.Error("spirv-too-large") << "clearing and copying the module's structures takes more than " << kMostParts
                                 << " parts; put what is many in arrays";
  return false;
}

bool Emitter::IsLarge(const core::Type* type) {
  return (type->Is(TypeKind::kArray) || type->Is(TypeKind::kStruct)) && LeavesOf(type, kMostLeaves) > kMostLeaves;
}

bool Emitter::IsZeroedByLoop(const ir::Var* var) const {
  if (!IsLarge(var->type->To<core::PointerType>().store)) return false;
  if (var->init == nullptr) return protect_.zero_variables;
  return var->init->Is(ir::ExprKind::kConstant) && var->init->constant()->IsZero();
}

template <typename F>
void Emitter::ForEachPart(const core::Type* type, F f) {
  if (const auto* structure = type->As<core::StructType>()) {
    for (uint32_t i = 0; i < structure->members.size(); ++i) f(Id{0}, i);
    return;
  }
  const Id first = U32(0), count = U32(type->To<core::ArrayType>().count), stride = U32(1);
  Repeat(first, count, stride, [&](Id at) { f(at, 0); });
}

// What holds an atomic is never stored as a whole: not every reader of SPIR-V has a value of such a type.
void Emitter::ZeroPlace(const Place& place) {
  if (parts_ == kMostParts) return;
  const bool is_composite = place.store->Is(TypeKind::kArray) || place.store->Is(TypeKind::kStruct);
  if (!IsLarge(place.store) && !(is_composite && place.store->Has(core::Type::kHoldsAtomic))) {
    Store(place, Null(TypeId(place.store)));
    return;
  }
  ForEachPart(place.store, [&](Id at, uint32_t member) {
    Place part = place;
    if (at != 0) {
      part = ElementPlace(place, at);
    } else {
      StepMember(part, member);
    }
    ZeroPlace(part);
  });
}

void Emitter::CopyPlace(const Place& to, const Place& from) {
  if (parts_ == kMostParts) return;
  if (!IsLarge(to.store)) {
    if (!TakePart()) return;
    Store(to, Load(from));
    return;
  }
  ForEachPart(to.store, [&](Id at, uint32_t member) {
    Place to_part = to, from_part = from;
    if (at != 0) {
      to_part = ElementPlace(to, at);
      from_part = ElementPlace(from, at);
    } else {
      StepMember(to_part, member);
      StepMember(from_part, member);
    }
    CopyPlace(to_part, from_part);
  });
}

// What is read and what is written are one object or have no byte in common, because a type holds no part of its own
// type. Views of buffers are the exception.
bool Emitter::AssignInPlace(const Place& to, const ir::Expr* value) {
  if (to.is_view || !IsLarge(to.store)) return false;
  if (value->Is(ir::ExprKind::kConstant) && value->constant()->IsZero()) {
    ZeroPlace(to);
    return true;
  }
  Place from;
  if (!PlaceOfValue(value, &from)) return false;
  if (from.is_view) {
    Store(to, Load(from));
  } else {
    CopyPlace(to, from);
  }
  return true;
}

bool Emitter::BindCopy(const ir::LetStmt* stmt) {
  const core::Type* type = stmt->value->type;
  if (!IsLarge(type) || stmt->value->Is(ir::ExprKind::kConstant)) return false;
  Place from;
  if (!PlaceOfValue(stmt->value, &from)) return false;
  Place copy;
  copy.root_store = copy.store = type;
  copy.root = NewFunctionVar(TypeId(type));
  Name(copy.root, stmt->let->name);
  if (from.is_view) {
    Store(copy, Load(from));
  } else {
    CopyPlace(copy, from);
  }
  places_.push_back(copy);
  bindings_[stmt->let->id] = {Binding::Kind::kCopy, 0, static_cast<uint32_t>(places_.size() - 1)};
  return true;
}

}  // namespace kiln::emit::spirv
