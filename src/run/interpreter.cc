// SPDX-License-Identifier: Apache-2.0
// The entry point, workgroup by workgroup, and statements. Where control flow parts, the lanes of one way run first and
// the others wait in a mask: a mask for those that left by `break` or `continue`, and nowhere those that returned.
#include "run/interpreter.h"

#include <algorithm>

#include "ir/evaluate.h"

namespace kiln::run {

using core::BuiltinValue;
using core::TypeKind;

namespace {

constexpr size_t kScratchBlock = size_t{1} << 16;
/// A value of more scalars than this, over all invocations, counts as further steps: an array that is copied is work.
constexpr size_t kScalarsPerStep = 4096;

}  // namespace

Interpreter::Interpreter(const ir::Module& module, const Options& options, diag::Sink& sink)
    : module_(module), options_(options), sink_(sink), types_(module.types), temporary_(std::make_unique<Arena>()) {
  values_.resize(module.decl_count);
  pointers_.resize(module.decl_count);
  memories_.resize(module.decl_count);
}

void Interpreter::Fault(diag::Range range, diag::Code code, const std::string& message) {
  if (!has_failed_) sink_.Error(range, code) << message;
  has_failed_ = true;
}

Scalar64* Interpreter::Scratch(uint32_t slots) {
  const size_t wanted = std::max<size_t>(size_t{slots} * lanes_, 1);
  steps_ += wanted / kScalarsPerStep;
  while (scratch_block_ < scratch_.size() && scratch_used_ + wanted > scratch_[scratch_block_].size()) {
    ++scratch_block_;
    scratch_used_ = 0;
  }
  if (scratch_block_ == scratch_.size()) {
    const size_t size = std::max(kScratchBlock, wanted);
    memory_ += size * sizeof(Scalar64);
    if (memory_ > options_.max_memory) Fault({}, "run-memory", "an expression needs more memory than the run may use");
    scratch_.emplace_back(size);
  }
  Scalar64* at = scratch_[scratch_block_].data() + scratch_used_;
  scratch_used_ += wanted;
  std::memset(static_cast<void*>(at), 0, wanted * sizeof(Scalar64));
  return at;
}

/// The value of a constant or override expression with the defaults of overrides; null where one has none.
const core::Constant* Interpreter::Known(const ir::Expr* expr) {
  if (expr->Is(ir::ExprKind::kConstant)) return expr->constant();
  const auto [found, is_new] = known_.emplace(expr, nullptr);
  if (is_new) found->second = ir::EvaluateWithDefaults(types_, *expr);
  return found->second;
}

const ir::Function* Interpreter::FindEntryPoint() {
  const ir::Function* found = nullptr;
  for (const ir::Function* function : module_.functions) {
    if (function->entry == nullptr) continue;
    if (!options_.entry_point.empty() && function->name != options_.entry_point) continue;
    if (options_.entry_point.empty() && function->entry->stage != core::Stage::kCompute) continue;
    if (found != nullptr) {
      Fault({}, "run-entry-point", "the module has several compute entry points; name one");
      return nullptr;
    }
    found = function;
  }
  if (found == nullptr) {
    Fault({}, "run-entry-point",
          options_.entry_point.empty() ? "the module has no compute entry point"
                                       : "the module has no entry point '" + std::string(options_.entry_point) + "'");
  } else if (found->entry->stage != core::Stage::kCompute) {
    Fault(found->range, "run-entry-point", "only compute entry points can be run");
    return nullptr;
  }
  return found;
}

bool Interpreter::BindBuffers() {
  for (const ir::Var* var : module_.vars) {
    const auto& pointer = var->type->To<core::PointerType>();
    const bool is_immediate = pointer.space == core::AddressSpace::kImmediate;
    if (pointer.space != core::AddressSpace::kStorage && pointer.space != core::AddressSpace::kUniform &&
        !is_immediate) {
      continue;
    }
    auto memory = std::make_unique<Memory>();
    memory->is_bytes = true;
    if (is_immediate) memory->bytes = options_.immediates;
    for (const Buffer& buffer : options_.buffers) {
      if (var->binding && buffer.at == *var->binding) memory->bytes = buffer.bytes;
    }
    memories_[var->id] = std::move(memory);  // one that is not bound is missed when it is used
  }
  return !has_failed_;
}

void Interpreter::Give(Scalar64* to, const core::IoAttributes& io) {
  if (!io.builtin) return;
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    const uint32_t local[3] = {lane % size_[0], lane / size_[0] % size_[1], lane / size_[0] / size_[1]};
    const auto set = [&](uint32_t component, uint32_t value) { to[uint64_t{component} * lanes_ + lane].i = value; };
    const auto global = [&](uint32_t i) { return group_[i] * size_[i] + local[i]; };
    const std::array<uint32_t, 3>& count = options_.workgroups;
    switch (*io.builtin) {
      case BuiltinValue::kLocalInvocationIndex:
        set(0, lane);
        break;
      case BuiltinValue::kLocalInvocationId:
        for (uint32_t i = 0; i < 3; ++i) set(i, local[i]);
        break;
      case BuiltinValue::kGlobalInvocationId:
        for (uint32_t i = 0; i < 3; ++i) set(i, global(i));
        break;
      case BuiltinValue::kWorkgroupId:
        for (uint32_t i = 0; i < 3; ++i) set(i, group_[i]);
        break;
      case BuiltinValue::kNumWorkgroups:
        for (uint32_t i = 0; i < 3; ++i) set(i, count[i]);
        break;
      case BuiltinValue::kWorkgroupIndex:
        set(0, group_[0] + count[0] * (group_[1] + count[1] * group_[2]));
        break;
      case BuiltinValue::kGlobalInvocationIndex:
        set(0, global(0) + count[0] * size_[0] * (global(1) + count[1] * size_[1] * global(2)));
        break;
      case BuiltinValue::kSubgroupInvocationId:
        set(0, lane % subgroup_size_);
        break;
      case BuiltinValue::kSubgroupSize:
        set(0, subgroup_size_);
        break;
      case BuiltinValue::kSubgroupId:
        set(0, lane / subgroup_size_);
        break;
      case BuiltinValue::kNumSubgroups:
        set(0, (lanes_ + subgroup_size_ - 1) / subgroup_size_);
        break;
      default:
        return Fault({}, "run-unsupported",
                     "the built-in value '" + std::string(core::Name(*io.builtin)) + "' cannot be run");
    }
  }
}

void Interpreter::BeginWorkgroup(const ir::Function& entry, std::array<uint32_t, 3> group) {
  group_ = group;
  active_.assign(lanes_, 1);
  for (const ir::Var* var : module_.vars) {
    const auto& pointer = var->type->To<core::PointerType>();
    const bool is_private = pointer.space == core::AddressSpace::kPrivate;
    // Only what the run has met, or has a value to begin with.
    const bool is_ours = is_private || pointer.space == core::AddressSpace::kWorkgroup;
    if (!is_ours || (memories_[var->id] == nullptr && var->init == nullptr)) continue;
    Memory& memory = *MemoryOf(var);
    std::fill(memory.scalars.begin(), memory.scalars.end(), Scalar64{});
    std::fill(memory.own_bytes.begin(), memory.own_bytes.end(), std::byte{0});
    if (var->init == nullptr || has_failed_) continue;
    const Scalar64* value = Eval(var->init);
    Pointer to;
    to.memory = &memory;
    to.store = pointer.store;
    to.at.assign(lanes_, 0);
    if (!has_failed_) Store(to, value);
  }
  for (const ir::Param* param : entry.params) {
    std::vector<Scalar64>& value = values_[param->id];
    value.assign(size_t{SlotsOf(param->type)} * lanes_, Scalar64{});
    if (const auto* structure = param->type->As<core::StructType>()) {
      Scalar64* at = value.data();
      for (const core::StructMember& member : structure->members) {
        Give(at, member.io);
        at += size_t{SlotsOf(member.type)} * lanes_;
      }
    } else if (param->io != nullptr) {
      Give(value.data(), *param->io);
    }
  }
}

Result<uint64_t> Interpreter::Run() {
  const ir::Function* entry = FindEntryPoint();
  if (entry == nullptr || !BindBuffers()) return sink_.FailedBecauseReported();
  uint64_t lanes = 1;
  for (size_t i = 0; i < 3; ++i) {
    const core::Constant* size = Known(entry->entry->workgroup_size[i]);
    if (size == nullptr || size->i() < 1 || size->i() > 65536) {
      Fault(entry->entry->workgroup_size[i]->range, "run-override",
            "the workgroup size needs the value of an override, from 1 to 65536");
      return sink_.FailedBecauseReported();
    }
    size_[i] = size->u32();
    lanes *= size_[i];
  }
  if (lanes > 65536) {
    Fault(entry->range, "run-memory", "the workgroup has more than 65536 invocations");
    return sink_.FailedBecauseReported();
  }
  lanes_ = static_cast<uint32_t>(lanes);
  if (const ir::Expr* given = entry->entry->subgroup_size) {
    const core::Constant* size = Known(given);
    const bool is_size = size != nullptr && size->i() >= 1 && size->i() <= 128 && (size->i() & (size->i() - 1)) == 0;
    if (!is_size) {
      Fault(given->range, "run-override", "the subgroup size needs the value of an override, a power of two up to 128");
      return sink_.FailedBecauseReported();
    }
    subgroup_size_ = size->u32();
  }
  for (uint32_t z = 0; z < options_.workgroups[2] && !has_failed_; ++z) {
    for (uint32_t y = 0; y < options_.workgroups[1] && !has_failed_; ++y) {
      for (uint32_t x = 0; x < options_.workgroups[0] && !has_failed_; ++x) {
        // A workgroup that does nothing takes a step too, and so does its memory.
        steps_ += 1 + memory_ / sizeof(Scalar64) / kScalarsPerStep;
        if (steps_ > options_.max_steps) Fault(entry->range, "run-steps", "the run has too many workgroups");
        if (has_failed_) break;
        BeginWorkgroup(*entry, {x, y, z});
        Exec(entry->body);
        scratch_block_ = scratch_used_ = 0;
      }
    }
  }
  if (has_failed_) return sink_.FailedBecauseReported();
  return steps_;
}

void Interpreter::Exec(const ir::Block& block) {
  for (const ir::Stmt* stmt : block) {
    if (has_failed_ || !AnyActive()) return;
    steps_ += static_cast<uint64_t>(std::count(active_.begin(), active_.end(), 1));
    if (steps_ > options_.max_steps) {
      return Fault(stmt->range, "run-steps",
                   "the run took more than " + std::to_string(options_.max_steps) + " steps; a loop may not end");
    }
    if (++depth_ > kMostDepth) return Fault(stmt->range, "run-depth", "the code is nested too deeply to be run");
    const size_t block_before = scratch_block_, used_before = scratch_used_;
    ExecStmt(stmt);
    scratch_block_ = block_before;
    scratch_used_ = used_before;
    --depth_;
  }
}

void Interpreter::Define(const ir::Decl* decl, const ir::Expr* value) {
  if (decl->type->Is(TypeKind::kPointer)) {
    pointers_[decl->id] = PointerOf(value);
    return;
  }
  const Scalar64* from = Eval(value);
  if (has_failed_) return;
  const uint32_t slots = SlotsOf(decl->type);
  std::vector<Scalar64>& to = values_[decl->id];
  to.resize(size_t{slots} * lanes_);
  for (uint32_t i = 0; i < slots; ++i) {
    EachLane([&](uint32_t lane) { to[size_t{i} * lanes_ + lane] = from[size_t{i} * lanes_ + lane]; });
  }
}

void Interpreter::ExecStmt(const ir::Stmt* stmt) {
  switch (stmt->kind) {
    case ir::StmtKind::kLet: {
      const auto* let = stmt->As<ir::LetStmt>();
      return Define(let->let, let->value);
    }
    case ir::StmtKind::kVar: {
      const ir::Var* var = stmt->As<ir::VarStmt>()->var;
      Pointer to;
      to.store = var->type->To<core::PointerType>().store;
      const Scalar64* value = var->init != nullptr ? Eval(var->init) : Scratch(SlotsOf(to.store));
      to.memory = MemoryOf(var);
      to.at.assign(lanes_, 0);
      if (!has_failed_) Store(to, value);
      return;
    }
    case ir::StmtKind::kStore: {
      const Pointer to = PointerOf(stmt->As<ir::StoreStmt>()->pointer);
      if (has_failed_) return;
      const Scalar64* value = Eval(stmt->As<ir::StoreStmt>()->value);
      if (!has_failed_) Store(to, value);
      return;
    }
    case ir::StmtKind::kEval: {
      const ir::Expr* value = stmt->As<ir::EvalStmt>()->value;
      if (value->type->Is(TypeKind::kPointer)) {
        PointerOf(value);
      } else {
        Eval(value);
      }
      return;
    }
    case ir::StmtKind::kIf:
      return ExecIf(*stmt->As<ir::IfStmt>());
    case ir::StmtKind::kSwitch:
      return ExecSwitch(*stmt->As<ir::SwitchStmt>());
    case ir::StmtKind::kLoop:
      return ExecLoop(*stmt->As<ir::LoopStmt>());
    case ir::StmtKind::kBlock:
      return Exec(stmt->As<ir::BlockStmt>()->body);
    case ir::StmtKind::kBreak:
    case ir::StmtKind::kContinue: {
      Mask& to = stmt->Is(ir::StmtKind::kBreak) ? *breaks_ : *continues_;
      for (uint32_t lane = 0; lane < lanes_; ++lane) to[lane] |= active_[lane];
      active_.assign(lanes_, 0);
      return;
    }
    case ir::StmtKind::kReturn:
      return ExecReturn(stmt->As<ir::ReturnStmt>()->value);
    case ir::StmtKind::kDiscard:
      return Fault(stmt->range, "run-unsupported", "discard cannot be run");
  }
}

void Interpreter::ExecReturn(const ir::Expr* value) {
  if (value != nullptr && result_ != nullptr) {
    const Scalar64* from = Eval(value);
    if (has_failed_) return;
    const uint32_t slots = SlotsOf(value->type);
    for (uint32_t i = 0; i < slots; ++i) {
      EachLane([&](uint32_t lane) { result_[size_t{i} * lanes_ + lane] = from[size_t{i} * lanes_ + lane]; });
    }
  }
  active_.assign(lanes_, 0);
}

void Interpreter::ExecIf(const ir::IfStmt& stmt) {
  const Scalar64* condition = Eval(stmt.condition);
  if (has_failed_) return;
  Mask otherwise(lanes_);
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    otherwise[lane] = active_[lane] != 0 && condition[lane].i == 0 ? 1 : 0;
    active_[lane] = active_[lane] != 0 && condition[lane].i != 0 ? 1 : 0;
  }
  Exec(stmt.then_block);
  std::swap(active_, otherwise);
  Exec(stmt.else_block);
  for (uint32_t lane = 0; lane < lanes_; ++lane) active_[lane] |= otherwise[lane];
}

void Interpreter::ExecSwitch(const ir::SwitchStmt& stmt) {
  const Scalar64* selector = Eval(stmt.selector);
  if (has_failed_) return;
  std::vector<size_t> chosen(lanes_);
  EachLane([&](uint32_t lane) {
    for (size_t i = 0; i < stmt.cases.size(); ++i) {
      if (stmt.cases[i].is_default) chosen[lane] = i;
    }
    for (size_t i = 0; i < stmt.cases.size(); ++i) {
      for (const core::Constant* value : stmt.cases[i].selectors) {
        if (value->i() == selector[lane].i) chosen[lane] = i;
      }
    }
  });
  const Mask all = active_;
  Mask left(lanes_);
  Mask* const outer = breaks_;
  breaks_ = &left;
  for (size_t i = 0; i < stmt.cases.size(); ++i) {
    for (uint32_t lane = 0; lane < lanes_; ++lane) active_[lane] = all[lane] != 0 && chosen[lane] == i ? 1 : 0;
    if (AnyActive()) Exec(stmt.cases[i].block);
    for (uint32_t lane = 0; lane < lanes_; ++lane) left[lane] |= active_[lane];
  }
  breaks_ = outer;
  active_ = left;
}

void Interpreter::ExecLoop(const ir::LoopStmt& stmt) {
  Mask left(lanes_), next(lanes_);
  Mask* const outer_breaks = breaks_;
  Mask* const outer_continues = continues_;
  breaks_ = &left;
  continues_ = &next;
  while (AnyActive() && !has_failed_) {
    // A loop without a statement takes steps too.
    steps_ += 1;
    Exec(stmt.body);
    for (uint32_t lane = 0; lane < lanes_; ++lane) {
      active_[lane] |= next[lane];
      next[lane] = 0;
    }
    if (!AnyActive()) break;
    Exec(stmt.continuing);
    if (steps_ > options_.max_steps) Fault(stmt.range, "run-steps", "the run took too many steps; a loop may not end");
    if (stmt.break_if == nullptr || has_failed_) continue;
    const size_t block_before = scratch_block_, used_before = scratch_used_;
    const Scalar64* condition = Eval(stmt.break_if);
    for (uint32_t lane = 0; lane < lanes_ && !has_failed_; ++lane) {
      if (active_[lane] == 0 || condition[lane].i == 0) continue;
      left[lane] = 1;
      active_[lane] = 0;
    }
    scratch_block_ = block_before;
    scratch_used_ = used_before;
  }
  breaks_ = outer_breaks;
  continues_ = outer_continues;
  active_ = left;
}

Result<uint64_t> Run(const ir::Module& module, const Options& options, diag::Sink& sink) {
  return Interpreter(module, options, sink).Run();
}

}  // namespace kiln::run
