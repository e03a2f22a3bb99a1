// SPDX-License-Identifier: Apache-2.0
// Variables become values: Cytron et al., Efficiently Computing Static Single Assignment Form (1991), with phis only
// where the variable is read later.
#include <algorithm>

#include "opt/spirv/effects.h"
#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kNone = ControlFlow::kNone;

class Promoter {
 public:
  Promoter(Module& module, Function& function, const BlockMap& blocks)
      : module_(module), function_(function), blocks_(blocks), flow_(function, blocks) {}

  void Run() {
    variable_of_.resize(module_.bound());
    FindVariables();
    if (variables_.size() == 1) return;
    FindUses();
    PlacePhis();
    Rename();
    Finish();
  }

 private:
  struct Variable {
    Inst* inst = nullptr;
    Id type = 0;
    bool has_parts = false;  // a vector or matrix, whose parts chains may name
    bool is_relaxed = false;
    std::vector<uint32_t> stores;  // blocks that store to it
    std::vector<uint32_t> reads;   // blocks that read it before they store the whole of it
    Id value = 0;                  // while renaming
  };
  struct Placed {
    uint32_t variable;
    Inst* phi;
    std::vector<uint32_t> operands;
  };

  // Candidates are all variables; whatever uses one otherwise than by loads and stores takes it from the list.
  void FindVariables() {
    variables_.emplace_back();
    for (Inst* inst : function_.blocks.front()->body) {
      if (inst->op != Op::kVariable) break;
      const Id type = module_.Pointee(inst->type);
      const Inst* definition = module_.Find(type);
      if (definition == nullptr) continue;
      variable_of_[inst->result] = static_cast<uint32_t>(variables_.size());
      Variable& variable = variables_.emplace_back();
      variable.inst = inst;
      variable.type = type;
      variable.has_parts = definition->op == Op::kTypeVector || definition->op == Op::kTypeMatrix;
      variable.is_relaxed = module_.HasDecoration(inst->result, Module::kRelaxedPrecision);
    }
    if (variables_.size() == 1) return;
    // Chains stand before their uses, so one walk in dominator order sees them first.
    for (const Block* block : flow_.order()) {
      for (const Inst* inst : block->phis) ForEachId(*inst, [&](Id id) { Refuse(id); });
      for (const Inst* inst : block->body) Look(*inst);
      ForEachId(*block->terminator, [&](Id id) { Refuse(id); });
    }
    // What was refused by a later use stays out.
    bool is_any = false;
    for (uint32_t& variable : variable_of_) {
      if (variable != 0 && is_refused_.size() > variable && is_refused_[variable]) variable = 0;
      is_any |= variable != 0;
    }
    if (!is_any) variables_.resize(1);
  }

  void Refuse(Id id) {
    if (variable_of_[id] == 0) return;
    is_refused_.resize(variables_.size());
    is_refused_[variable_of_[id]] = true;
  }

  void Look(const Inst& inst) {
    if (inst.op == Op::kVariable) return;
    size_t at = 0;
    ForEachId(inst, [&](Id id) {
      const bool is_pointer = at++ == 0;
      if (variable_of_[id] == 0) return;
      bool is_fine = is_pointer;
      if (IsChain(inst.op)) {
        is_fine = is_fine && module_.Find(id)->op == Op::kVariable && variables_[variable_of_[id]].has_parts &&
                  HasPath(inst, variables_[variable_of_[id]].type);
        if (is_fine) variable_of_[inst.result] = variable_of_[id];
      } else {
        is_fine &=
            (inst.op == Op::kLoad && IsPlainAccess(inst, 1)) || (inst.op == Op::kStore && IsPlainAccess(inst, 2));
      }
      if (!is_fine) Refuse(id);
    });
  }

  bool HasPath(const Inst& chain, Id type) const {
    if (chain.count < 2) return false;
    for (uint16_t at = 1; at < chain.count; ++at) {
      uint32_t index = 0;
      if (!module_.ConstantBits(chain.operands[at], index) || index >= module_.PartCount(type)) return false;
      type = module_.PartType(type, index);
    }
    return true;
  }

  uint32_t VariableOf(const Inst& inst) const {
    return inst.op == Op::kLoad || inst.op == Op::kStore ? variable_of_[inst.operands[0]] : 0;
  }

  void FindUses() {
    std::vector<uint32_t> stored(variables_.size(), kNone);  // the last block in which it was
    for (uint32_t block = 0; block < flow_.order().size(); ++block) {
      for (const Inst* inst : flow_.order()[block]->body) {
        const uint32_t at = VariableOf(*inst);
        if (at == 0) continue;
        Variable& variable = variables_[at];
        const bool is_whole = module_.Find(inst->operands[0])->op == Op::kVariable;
        if (stored[at] != block && (inst->op == Op::kLoad || !is_whole)) {
          if (variable.reads.empty() || variable.reads.back() != block) variable.reads.push_back(block);
        }
        if (inst->op == Op::kStore) {
          if (variable.stores.empty() || variable.stores.back() != block) variable.stores.push_back(block);
          stored[at] = block;
        }
      }
    }
  }

  // The dominance frontier of every block: where a value of its own meets others.
  void FindFrontiers() {
    frontier_.resize(flow_.order().size());
    for (uint32_t block = 0; block < flow_.order().size(); ++block) {
      if (flow_.Predecessors(block).size() < 2) continue;
      for (uint32_t at : flow_.Predecessors(block)) {
        while (at != flow_.Dominator(block) && at != kNone) {
          if (frontier_[at].empty() || frontier_[at].back() != block) frontier_[at].push_back(block);
          at = flow_.Dominator(at);
        }
      }
    }
  }

  void PlacePhis() {
    placed_.resize(flow_.order().size());
    FindFrontiers();
    const size_t count = flow_.order().size();
    std::vector<uint32_t> live(count), stored(count), has_phi(count);  // the variable that they were last seen for
    std::vector<uint32_t> waiting;
    for (uint32_t at = 1; at < variables_.size(); ++at) {
      const Variable& variable = variables_[at];
      if (variable_of_[variable.inst->result] == 0 || variable.reads.empty() || variable.stores.empty()) continue;
      // Where it is read later on before it is stored.
      for (const uint32_t block : variable.stores) stored[block] = at;
      waiting = variable.reads;
      for (const uint32_t block : waiting) live[block] = at;
      while (!waiting.empty()) {
        const uint32_t block = waiting.back();
        waiting.pop_back();
        for (const uint32_t before : flow_.Predecessors(block)) {
          if (live[before] == at || stored[before] == at) continue;
          live[before] = at;
          waiting.push_back(before);
        }
      }
      waiting = variable.stores;
      while (!waiting.empty()) {
        const uint32_t block = waiting.back();
        waiting.pop_back();
        for (const uint32_t meeting : frontier_[block]) {
          if (has_phi[meeting] == at || live[meeting] != at) continue;
          has_phi[meeting] = at;
          Inst* phi = module_.MakeValue(Op::kPhi, variable.type, {}, 0);
          module_.CopyName(variable.inst->result, phi->result);
          if (variable.is_relaxed) module_.SetDecorations(phi->result, Relaxed());
          placed_[meeting].push_back({at, phi, {}});
          if (stored[meeting] != at) waiting.push_back(meeting);
        }
      }
    }
  }

  uint32_t Relaxed() { return module_.InternDecorations({1, Module::kRelaxedPrecision}); }

  Id Resolve(Id id) const {
    while (id < replaced_.size() && replaced_[id] != 0) id = replaced_[id];
    return id;
  }

  void Rename() {
    replaced_.resize(module_.bound());
    struct Change {
      uint32_t variable;
      Id value;
    };
    std::vector<Change> changes;
    std::vector<std::pair<uint32_t, size_t>> path;  // the blocks that dominate, and how many changes came before each
    const auto set = [&](uint32_t variable, Id value) {
      changes.push_back({variable, variables_[variable].value});
      variables_[variable].value = value;
    };
    for (uint32_t at = 1; at < variables_.size(); ++at) {
      const Inst& inst = *variables_[at].inst;
      if (inst.count > 1) variables_[at].value = inst.operands[1];
    }
    for (const uint32_t block : flow_.tree()) {
      while (!path.empty() && path.back().first != flow_.Dominator(block)) {
        for (size_t at = changes.size(); at > path.back().second; --at) {
          variables_[changes[at - 1].variable].value = changes[at - 1].value;
        }
        changes.resize(path.back().second);
        path.pop_back();
      }
      path.emplace_back(block, changes.size());
      for (const Placed& placed : placed_[block]) set(placed.variable, placed.phi->result);
      RenameBlock(*flow_.order()[block], set);
      ForEachNext(block, [&](uint32_t next) {
        for (Placed& placed : placed_[next]) {
          placed.operands.push_back(ValueOf(placed.variable));
          placed.operands.push_back(flow_.order()[block]->label);
        }
      });
    }
  }

  // Each successor once.
  template <typename Each>
  void ForEachNext(uint32_t block, const Each& each) {
    next_.clear();
    ForEachSuccessor(*flow_.order()[block], [&](Id label) {
      const uint32_t next = blocks_[label]->order;
      if (std::ranges::find(next_, next) == next_.end()) next_.push_back(next);
    });
    for (const uint32_t next : next_) each(next);
  }

  Id ValueOf(uint32_t variable) {
    Variable& at = variables_[variable];
    return at.value != 0 ? at.value : module_.Undef(at.type);
  }

  template <typename Set>
  void RenameBlock(Block& block, const Set& set) {
    size_t kept = 0;
    for (size_t at = 0; at < block.body.size(); ++at) {
      Inst* inst = block.body[at];
      const uint32_t variable = VariableOf(*inst);
      if (variable == 0) {
        // Variables and chains of what is promoted go.
        if ((inst->op == Op::kVariable || IsChain(inst->op)) && variable_of_[inst->result] != 0) continue;
        ForEachId(*inst, [&](uint32_t& id) { id = Resolve(id); });
        block.body[kept++] = inst;
        continue;
      }
      const Inst& pointer = *module_.Find(inst->operands[0]);
      const bool is_whole = pointer.op == Op::kVariable;
      if (inst->op == Op::kLoad) {
        if (is_whole) {
          // Itself only where values use each other in a circle.
          if (const Id value = Resolve(ValueOf(variable)); value != inst->result) replaced_[inst->result] = value;
          continue;
        }
        inst->op = Op::kCompositeExtract;
        SetPath(*inst, {ValueOf(variable)}, pointer);
        block.body[kept++] = inst;
        continue;
      }
      const Id value = Resolve(inst->operands[1]);
      if (is_whole) {
        set(variable, value);
        continue;
      }
      inst->op = Op::kCompositeInsert;
      SetPath(*inst, {value, ValueOf(variable)}, pointer);
      inst->type = variables_[variable].type;
      inst->result = module_.NewId();
      module_.Define(inst);
      if (variables_[variable].is_relaxed) module_.SetDecorations(inst->result, Relaxed());
      set(variable, inst->result);
      block.body[kept++] = inst;
    }
    block.body.resize(kept);
    ForEachId(*block.terminator, [&](uint32_t& id) { id = Resolve(id); });
  }

  void SetPath(Inst& inst, std::vector<uint32_t> operands, const Inst& chain) {
    for (uint16_t at = 1; at < chain.count; ++at) {
      uint32_t index = 0;
      module_.ConstantBits(chain.operands[at], index);
      operands.push_back(index);
    }
    inst.operands = module_.arena.Copy(operands).data();
    inst.count = static_cast<uint16_t>(operands.size());
  }

  void Finish() {
    for (uint32_t at = 0; at < flow_.order().size(); ++at) {
      Block& block = *flow_.order()[at];
      // A loop may be entered by a branch back that nothing reaches.
      const Block* back = block.IsLoopHeader() ? blocks_[block.ContinueLabel()] : nullptr;
      for (Placed& placed : placed_[at]) {
        if (back != nullptr && back->order == Block::kUnreached && IsBackTo(*back, block)) {
          placed.operands.push_back(module_.Undef(placed.phi->type));
          placed.operands.push_back(back->label);
        }
        placed.phi->operands = module_.arena.Copy(placed.operands).data();
        placed.phi->count = static_cast<uint16_t>(placed.operands.size());
        block.phis.push_back(placed.phi);
      }
      for (Inst* phi : block.phis) ForEachId(*phi, [&](uint32_t& id) { id = Resolve(id); });
    }
  }

  static bool IsBackTo(const Block& from, const Block& to) {
    bool is_back = false;
    ForEachSuccessor(from, [&](Id label) { is_back |= label == to.label; });
    return is_back;
  }

  Module& module_;
  Function& function_;
  const BlockMap& blocks_;
  ControlFlow flow_;
  std::vector<uint32_t> variable_of_;  // by id, of the variable and of chains into it: index in variables_; 0 for none
  std::vector<bool> is_refused_;       // by index
  std::vector<Variable> variables_;
  std::vector<std::vector<uint32_t>> frontier_;
  std::vector<std::vector<Placed>> placed_;
  std::vector<Id> replaced_;
  std::vector<uint32_t> next_;
};

}  // namespace

void PromoteVariables(Module& module, Function& function, const BlockMap& blocks) {
  Promoter(module, function, blocks).Run();
}

}  // namespace kiln::opt::spirv
