// SPDX-License-Identifier: Apache-2.0
// An array that is handed to a function is copied to a variable of the parameter. Once the call is no call any more,
// the copy is read in vain: its reader can read the original, if nothing writes that any more.
#include <algorithm>

#include "opt/spirv/effects.h"
#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

constexpr size_t kMostSearches = 64;  // of the blocks behind a copy: each is linear in the function

class CopyForwarder {
 public:
  CopyForwarder(Module& module, Function& function, const BlockMap& blocks)
      : module_(module), function_(function), blocks_(blocks), flow_(function, blocks), variable_of_(module.bound()) {}

  void Run() {
    FindVariables();
    if (variables_.size() < 3) return;
    FindUses();
    std::vector<Id> replaced(module_.bound());
    bool is_any = false;
    for (size_t at = 1; at < variables_.size(); ++at) {
      const Variable& copy = variables_[at];
      const Variable* original = OriginalOf(copy);
      if (original == nullptr) continue;
      replaced[copy.id] = original->id;
      dropped_.push_back(copy.writes[0].inst);
      is_any = true;
    }
    if (is_any) Replace(replaced);
  }

 private:
  struct Place {
    uint32_t block = 0;
    uint32_t index = 0;
    Inst* inst = nullptr;
  };
  struct Variable {
    Id id = 0;
    Id type = 0;
    bool is_private = true;     // only loads, stores and chains use it
    bool is_forwarded = false;  // a copy that is gone, or the original of one: it must stay as it was looked at
    std::vector<Place> writes;
    std::vector<Place> reads;
  };

  void FindVariables() {
    variables_.emplace_back();
    for (const Inst* inst : function_.blocks.front()->body) {
      if (inst->op != Op::kVariable) break;
      variable_of_[inst->result] = static_cast<uint32_t>(variables_.size());
      Variable& variable = variables_.emplace_back();
      variable.id = inst->result;
      variable.type = inst->type;
      if (inst->count > 1) variable.writes.push_back({});  // its initial value
    }
  }

  void FindUses() {
    for (uint32_t block = 0; block < flow_.order().size(); ++block) {
      const Block& at = *flow_.order()[block];
      for (const Inst* phi : at.phis) ForEachId(*phi, [&](Id id) { Escape(id); });
      for (uint32_t index = 0; index < at.body.size(); ++index) Look(*at.body[index], {block, index, at.body[index]});
      ForEachId(*at.terminator, [&](Id id) { Escape(id); });
    }
  }

  void Escape(Id id) {
    if (variable_of_[id] != 0) variables_[variable_of_[id]].is_private = false;
  }

  void Look(const Inst& inst, const Place& place) {
    if (inst.op == Op::kVariable) return;
    size_t at = 0;
    ForEachId(inst, [&](Id id) {
      const bool is_pointer = at++ == 0;
      const uint32_t number = variable_of_[id];
      if (number == 0) return;
      if (is_pointer && IsChain(inst.op)) {
        variable_of_[inst.result] = number;
      } else if (is_pointer && inst.op == Op::kLoad && EffectOf(inst) == Effect::kReads) {
        variables_[number].reads.push_back(place);
      } else if (is_pointer && inst.op == Op::kStore && inst.count == 2) {
        variables_[number].writes.push_back(place);
      } else {
        variables_[number].is_private = false;
      }
    });
  }

  // The variable that another is a copy of, wherever that is read.
  const Variable* OriginalOf(const Variable& copy) {
    if (!copy.is_private || copy.writes.size() != 1 || copy.writes[0].inst == nullptr || copy.is_forwarded)
      return nullptr;
    const Place& store = copy.writes[0];
    if (store.inst->operands[0] != copy.id) return nullptr;
    const Inst* load = module_.Find(store.inst->operands[1]);
    if (load == nullptr || load->op != Op::kLoad || load->count != 1 ||
        module_.Find(load->operands[0])->op != Op::kVariable)
      return nullptr;
    const uint32_t number = variable_of_[load->operands[0]];
    if (number == 0) return nullptr;
    Variable& original = variables_[number];
    if (!original.is_private || original.type != copy.type || original.id == copy.id || original.is_forwarded)
      return nullptr;
    const auto loaded = std::ranges::find(original.reads, load, &Place::inst);
    if (loaded == original.reads.end()) return nullptr;
    for (const Place& read : copy.reads) {
      const bool is_after =
          read.block == store.block ? read.index > store.index : flow_.Dominates(store.block, read.block);
      if (!is_after) return nullptr;
    }
    for (const Place& write : original.writes) {
      if (write.inst != nullptr && IsBehind(*loaded, write)) return nullptr;
    }
    original.is_forwarded = true;
    variables_[variable_of_[copy.id]].is_forwarded = true;
    return &original;
  }

  // Whether `later` may run after `place`.
  bool IsBehind(const Place& place, const Place& later) {
    if (later.block == place.block && later.index > place.index) return true;
    if (searched_block_ != place.block) {
      if (++searches_ > kMostSearches) return true;
      searched_block_ = place.block;
      is_behind_.assign(flow_.order().size(), false);
      std::vector<uint32_t> waiting{place.block};
      while (!waiting.empty()) {
        const uint32_t block = waiting.back();
        waiting.pop_back();
        ForEachSuccessor(*flow_.order()[block], [&](Id label) {
          const uint32_t next = blocks_[label]->order;
          if (is_behind_[next]) return;
          is_behind_[next] = true;
          waiting.push_back(next);
        });
      }
    }
    return is_behind_[later.block];
  }

  void Replace(const std::vector<Id>& replaced) {
    std::ranges::sort(dropped_);
    for (Block* block : function_.blocks) {
      std::erase_if(block->body, [&](Inst* inst) { return std::ranges::binary_search(dropped_, inst); });
      for (Inst* inst : block->body) {
        if (inst->op == Op::kVariable) continue;
        ForEachId(*inst, [&](uint32_t& id) {
          if (id < replaced.size() && replaced[id] != 0) id = replaced[id];
        });
      }
    }
  }

  Module& module_;
  Function& function_;
  const BlockMap& blocks_;
  ControlFlow flow_;
  std::vector<uint32_t> variable_of_;  // by variable and chain
  std::vector<Variable> variables_;
  std::vector<Inst*> dropped_;
  uint32_t searched_block_ = ControlFlow::kNone;
  size_t searches_ = 0;
  std::vector<bool> is_behind_;
};

}  // namespace

void ForwardCopies(Module& module, Function& function, const BlockMap& blocks) {
  CopyForwarder(module, function, blocks).Run();
}

}  // namespace kiln::opt::spirv
