// SPDX-License-Identifier: Apache-2.0
// Statements: structured control flow with the merges that SPIR-V wants, variables, stores.
#include <utility>

#include "emit/spirv/guards.h"
#include "ir/loops.h"

namespace kiln::emit::spirv {

using core::TypeKind;

void Emitter::Label(Id id) {
  body_.Op(spv::Op::kLabel, id);
  label_ = id;
}

void Emitter::Branch(Id target) {
  body_.Op(spv::Op::kBranch, target);
  label_ = 0;
}

void Emitter::BranchIf(Id condition, Id yes, Id no) {
  body_.Op(spv::Op::kBranchConditional, condition, yes, no);
  label_ = 0;
}

void Emitter::Line(diag::Range range) {
  if (!options_.line_info || options_.sources == nullptr || range == line_) return;
  const diag::SourceFile* file = options_.sources->FileOf(range);
  if (file == nullptr) return;
  line_ = range;
  Id& id = file_ids_[file];
  if (id == 0) {
    id = NewId();
    const Id before[] = {id};
    strings_.OpString(spv::Op::kString, before, file->name());
  }
  const diag::Position at = file->PositionAt(range.begin);
  body_.Op(spv::Op::kLine, id, at.line, at.column);
}

void Emitter::EmitBlock(const ir::Block& block) {
  for (const ir::Stmt* stmt : block) {
    if (!is_reachable()) return;  // what follows a return, break or continue is never executed
    EmitStmt(stmt);
  }
}

void Emitter::EmitStmt(const ir::Stmt* stmt) {
  Line(stmt->range);
  switch (stmt->kind) {
    case ir::StmtKind::kLet:
      return EmitLet(stmt->As<ir::LetStmt>());
    case ir::StmtKind::kVar:
      return EmitVar(stmt->As<ir::VarStmt>());
    case ir::StmtKind::kStore:
      return EmitStore(stmt->As<ir::StoreStmt>());
    case ir::StmtKind::kEval: {
      const ir::Expr* value = stmt->As<ir::EvalStmt>()->value;
      if (value->type->Is(TypeKind::kPointer)) {
        PlaceOf(value);
      } else if (value->type->Is(TypeKind::kBindingArray)) {
        HandleOf(value);
      } else if (IsHandle(value->type)) {
        LoadHandle(HandleOf(value));
      } else {
        Value(value);
      }
      return;
    }
    case ir::StmtKind::kIf:
      return EmitIf(stmt->As<ir::IfStmt>());
    case ir::StmtKind::kSwitch:
      return EmitSwitch(stmt->As<ir::SwitchStmt>());
    case ir::StmtKind::kLoop:
      return EmitLoop(stmt->As<ir::LoopStmt>());
    case ir::StmtKind::kBlock:
      return EmitBlock(stmt->As<ir::BlockStmt>()->body);
    case ir::StmtKind::kBreak:
      return Branch(break_label_);
    case ir::StmtKind::kContinue:
      is_continued_ = true;
      return Branch(continue_label_);
    case ir::StmtKind::kReturn: {
      const ir::Expr* value = stmt->As<ir::ReturnStmt>()->value;
      if (value == nullptr) {
        body_.Op(spv::Op::kReturn);
      } else {
        const Id id = Value(value);
        body_.Op(spv::Op::kReturnValue, id);
      }
      label_ = 0;
      return;
    }
    case ir::StmtKind::kDiscard:
      return EmitDiscard();
  }
}

void Emitter::EmitDiscard() {
  if (options_.discard == DiscardMode::kKill || discard_flag_ == 0) {
    body_.Op(spv::Op::kKill);
    label_ = 0;
    return;
  }
  body_.Op(spv::Op::kStore, discard_flag_, Bool(true));
}

void Emitter::EmitLet(const ir::LetStmt* stmt) {
  Binding& binding = bindings_[stmt->let->id];
  const core::Type* type = stmt->value->type;
  if (type->Is(TypeKind::kPointer)) {
    places_.push_back(PlaceOf(stmt->value));
    binding = {Binding::Kind::kPlace, 0, static_cast<uint32_t>(places_.size() - 1)};
  } else if (IsHandle(type)) {
    handles_.push_back(HandleOf(stmt->value));
    binding = {Binding::Kind::kHandle, 0, static_cast<uint32_t>(handles_.size() - 1)};
  } else if (!BindCopy(stmt)) {
    binding = {Binding::Kind::kValue, Value(stmt->value), 0};
    if (!stmt->value->Is(ir::ExprKind::kConstant) && !stmt->value->Is(ir::ExprKind::kRef)) {
      Name(binding.value, stmt->let->name);
    }
  }
}

void Emitter::EmitVar(const ir::VarStmt* stmt) {
  const ir::Var* var = stmt->var;
  const core::Type* store = var->type->To<core::PointerType>().store;
  Place place;
  place.root_store = place.store = store;
  if (IsLarge(store)) {
    place.root = NewFunctionVar(TypeId(store));
    Name(place.root, var->name);
    if (var->init == nullptr) {
      if (protect_.zero_variables) ZeroPlace(place);
    } else if (!AssignInPlace(place, var->init)) {
      Store(place, Value(var->init));
    }
    places_.push_back(place);
    bindings_[var->id] = {Binding::Kind::kPlace, 0, static_cast<uint32_t>(places_.size() - 1)};
    return;
  }
  const Id init = var->init != nullptr ? Value(var->init) : 0;
  // Outside of loops a variable is made once a call: an initialiser does, which drivers digest far better than a store
  // of a large composite.
  const bool is_zeroed = init == 0 && protect_.zero_variables;
  const bool is_initialised = is_zeroed && loop_depth_ == 0;
  const Id store_id = TypeId(store);
  place.root = NewFunctionVar(store_id, is_initialised ? Null(store_id) : 0);
  Name(place.root, var->name);
  places_.push_back(place);
  bindings_[var->id] = {Binding::Kind::kPlace, 0, static_cast<uint32_t>(places_.size() - 1)};
  if (init != 0) {
    body_.Op(spv::Op::kStore, place.root, init);
  } else if (is_zeroed && !is_initialised) {
    const Id zero = Null(store_id);
    body_.Op(spv::Op::kStore, place.root, zero);
  }
}

void Emitter::EmitStore(const ir::StoreStmt* stmt) {
  const Place place = PlaceOf(stmt->pointer);
  // A discarded invocation may read in a loop as well as any other; what it must not do is write.
  if (!(is_guarded_ && place.storage == spv::StorageClass::kStorageBuffer) && AssignInPlace(place, stmt->value)) return;
  const Id value = Value(stmt->value);
  if (place.storage == spv::StorageClass::kStorageBuffer) {
    Guarded(0, [&] {
      Store(place, value);
      return Id{0};
    });
  } else {
    Store(place, value);
  }
}

// Where no statement arrives. Inside of `continuing` the block goes on to what follows: from each block of a continue
// construct the back edge must be reached.
// https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#StructuredControlFlow
void Emitter::EndUnreachable() {
  if (continuing_depth_ != 0) return;
  body_.Op(spv::Op::kUnreachable);
  label_ = 0;
}

void Emitter::EmitIf(const ir::IfStmt* stmt) {
  const Id condition = Value(stmt->condition);
  const Id then_label = NewId();
  const Id merge = NewId();
  const bool has_else = !stmt->else_block.is_empty();
  const Id else_label = has_else ? NewId() : merge;
  body_.Op(spv::Op::kSelectionMerge, merge, 0u);
  BranchIf(condition, then_label, else_label);
  bool is_merged = !has_else;
  Label(then_label);
  EmitBlock(stmt->then_block);
  if (is_reachable()) {
    is_merged = true;
    Branch(merge);
  }
  if (has_else) {
    Label(else_label);
    EmitBlock(stmt->else_block);
    if (is_reachable()) {
      is_merged = true;
      Branch(merge);
    }
  }
  Label(merge);
  if (!is_merged) EndUnreachable();
}

namespace {

// Whether some `break` leaves the switch or loop that `block` belongs to.
bool HasBreak(const ir::Block& block) {
  for (const ir::Stmt* stmt : block) {
    switch (stmt->kind) {
      case ir::StmtKind::kBreak:
        return true;
      case ir::StmtKind::kIf:
        if (HasBreak(stmt->As<ir::IfStmt>()->then_block) || HasBreak(stmt->As<ir::IfStmt>()->else_block)) return true;
        break;
      case ir::StmtKind::kBlock:
        if (HasBreak(stmt->As<ir::BlockStmt>()->body)) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

}  // namespace

void Emitter::EmitSwitch(const ir::SwitchStmt* stmt) {
  const Id selector = Value(stmt->selector);
  const Id merge = NewId();
  IdList labels(stmt->cases.size());
  IdList targets;
  Id default_label = merge;
  for (size_t i = 0; i < stmt->cases.size(); ++i) {
    const ir::Case& c = stmt->cases[i];
    labels[i] = NewId();
    if (c.is_default) default_label = labels[i];
    for (const core::Constant* value : c.selectors) {
      targets.push_back(value->u32());
      targets.push_back(labels[i]);
    }
  }
  body_.Op(spv::Op::kSelectionMerge, merge, 0u);
  body_.OpList(spv::Op::kSwitch, targets, selector, default_label);
  const Id outer_break = break_label_;
  break_label_ = merge;
  bool is_merged = default_label == merge;
  for (size_t i = 0; i < stmt->cases.size(); ++i) {
    const ir::Case& c = stmt->cases[i];
    Label(labels[i]);
    EmitBlock(c.block);
    is_merged = is_merged || is_reachable() || HasBreak(c.block);
    if (is_reachable()) Branch(merge);
  }
  break_label_ = outer_break;
  Label(merge);
  if (!is_merged) EndUnreachable();
}

void Emitter::CountDown(Id counter, Id pair_type) {
  const Id left = Op(spv::Op::kLoad, pair_type, counter);
  const Id low = Op(spv::Op::kCompositeExtract, U32Id(), left, 0u);
  const Id high = Op(spv::Op::kCompositeExtract, U32Id(), left, 1u);
  const Id zero = U32(0);
  const Id one = U32(1);
  const Id borrows = Op(spv::Op::kIEqual, BoolId(), low, zero);
  const Id borrow = Op(spv::Op::kSelect, U32Id(), borrows, one, zero);
  const Id next_low = Op(spv::Op::kISub, U32Id(), low, one);
  const Id next_high = Op(spv::Op::kISub, U32Id(), high, borrow);
  const Id next = Op(spv::Op::kCompositeConstruct, pair_type, next_low, next_high);
  body_.Op(spv::Op::kStore, counter, next);
}

// The bound is a 64-bit count in two words, so that no loop ends early that a person could wait for, and no driver may
// conclude that a loop without other exit never runs. It starts at its greatest value and counts down.
void Emitter::EmitLoop(const ir::LoopStmt* stmt) {
  const Id header = NewId();
  const Id body = NewId();
  const Id continuing = NewId();
  const Id merge = NewId();
  const core::Type* pair = core::StaticVec(core::U32(), 2);
  const bool needs_bound = protect_.bound_loops && !ir::IsCounted(*stmt);
  const Id pair_id = needs_bound ? TypeId(pair) : 0;
  Id counter = 0;
  if (needs_bound) {
    counter = NewFunctionVar(pair_id);
    const Id most = IntSplat(pair, 0xFFFFFFFF);
    body_.Op(spv::Op::kStore, counter, most);
  }
  const Id outer_break = break_label_;
  const Id outer_continue = continue_label_;
  break_label_ = merge;
  continue_label_ = continuing;

  Branch(header);
  Label(header);
  body_.Op(spv::Op::kLoopMerge, merge, continuing, 0u);
  Branch(body);
  Label(body);
  if (counter != 0) {
    const Id go_on = NewId();
    const Id left = Op(spv::Op::kLoad, pair_id, counter);
    const Id zero = Null(pair_id);
    const Id is_zero = Op(spv::Op::kIEqual, VecId(core::Bool(), 2), left, zero);
    const Id is_over = Op(spv::Op::kAll, BoolId(), is_zero);
    body_.Op(spv::Op::kSelectionMerge, go_on, 0u);
    BranchIf(is_over, merge, go_on);
    Label(go_on);
  }
  const bool outer_is_continued = std::exchange(is_continued_, false);
  ++loop_depth_;
  EmitBlock(stmt->body);
  if (is_reachable()) {
    is_continued_ = true;
    Branch(continuing);
  }
  Label(continuing);
  if (is_continued_) {
    ++continuing_depth_;
    EmitBlock(stmt->continuing);
    if (counter != 0) CountDown(counter, pair_id);
    const Id condition = stmt->break_if != nullptr ? Value(stmt->break_if) : 0;
    if (condition != 0) {
      BranchIf(condition, merge, header);
    } else {
      Branch(header);
    }
    --continuing_depth_;
  } else {
    Branch(header);  // nothing arrives here, and what `continuing` reads need not exist
  }
  --loop_depth_;
  is_continued_ = outer_is_continued;
  break_label_ = outer_break;
  continue_label_ = outer_continue;
  Label(merge);
  if (counter == 0 && stmt->break_if == nullptr && !HasBreak(stmt->body)) EndUnreachable();
}

}  // namespace kiln::emit::spirv
