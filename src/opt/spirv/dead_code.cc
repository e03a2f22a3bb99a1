// SPDX-License-Identifier: Apache-2.0
// What has an effect is needed, and what that needs; everything else goes. A construct is needed if something needed
// stands in it, or if a needed construct is left from it.
#include <algorithm>

#include "opt/spirv/effects.h"
#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kNone = ControlFlow::kNone;

class DeadCode {
 public:
  DeadCode(Module& module, Function& function, BlockMap& blocks)
      : module_(module),
        function_(function),
        blocks_(blocks),
        flow_(function, blocks),
        is_live_(module.bound()),
        block_of_(module.bound(), kNone),
        is_live_construct_(flow_.order().size()),
        exits_(flow_.order().size()) {}

  void Run() {
    Index();
    FindExits();
    MarkRoots();
    while (!waiting_.empty()) {
      const Id id = waiting_.back();
      waiting_.pop_back();
      Follow(id);
    }
    Sweep();
  }

 private:
  void Index() {
    for (uint32_t block = 0; block < flow_.order().size(); ++block) {
      for (const Inst* inst : flow_.order()[block]->phis) block_of_[inst->result] = block;
      for (const Inst* inst : flow_.order()[block]->body) block_of_[inst->result] = block;
    }
    block_of_[0] = kNone;
  }

  // The blocks that leave a construct or go on with a loop, by its header.
  void FindExits() {
    std::vector<std::pair<Id, uint32_t>> ends;
    for (const Block* block : flow_.order()) {
      if (block->merge == nullptr) continue;
      ends.emplace_back(block->MergeLabel(), block->order);
      if (block->IsLoopHeader()) ends.emplace_back(block->ContinueLabel(), block->order);
    }
    std::ranges::sort(ends);
    for (const Block* block : flow_.order()) {
      ForEachSuccessor(*block, [&](Id label) {
        const auto at = std::ranges::lower_bound(ends, std::pair(label, 0u));
        if (at == ends.end() || at->first != label || at->second == block->order) return;
        std::vector<uint32_t>& exits = exits_[at->second];
        if (exits.empty() || exits.back() != block->order) exits.push_back(block->order);
      });
      // The way back decides too.
      ForEachSuccessor(*block, [&](Id label) {
        const Block* header = blocks_[label];
        if (header->IsLoopHeader() && header->order <= block->order) exits_[header->order].push_back(block->order);
      });
    }
  }

  // The variable of this function that a pointer points into, or 0.
  Id LocalRoot(Id pointer) const {
    for (int depth = 0; depth < 64; ++depth) {
      const Inst* inst = module_.Find(pointer);
      if (inst == nullptr) return 0;
      if (inst->op == Op::kVariable) return block_of_[pointer] != kNone ? pointer : 0;
      if (inst->op != Op::kAccessChain && inst->op != Op::kInBoundsAccessChain) return 0;
      pointer = inst->operands[0];
    }
    return 0;
  }

  void MarkRoots() {
    for (uint32_t block = 0; block < flow_.order().size(); ++block) {
      const Block& at = *flow_.order()[block];
      for (Inst* inst : at.body) {
        if (EffectOf(*inst) != Effect::kDoes) continue;
        const bool is_store = (inst->op == Op::kStore && (inst->count < 3 || (inst->operands[2] & 1) == 0)) ||
                              inst->op == Op::kCopyMemory;
        if (const Id variable = is_store ? LocalRoot(inst->operands[0]) : 0; variable != 0) {
          stores_.push_back({variable, inst, block});
          continue;
        }
        MarkInst(*inst, block);
      }
      switch (at.terminator->op) {
        case Op::kBranch:
        case Op::kBranchConditional:
        case Op::kSwitch:
        case Op::kUnreachable:
          break;
        default:
          MarkOperands(*at.terminator);
          MarkConstruct(Home(block));
      }
      // A construct without an end that can be reached cannot be stepped over.
      if (at.merge != nullptr && blocks_[at.MergeLabel()]->order >= Block::kStub) MarkConstruct(block);
    }
    std::ranges::stable_sort(stores_, {}, &Store::variable);
  }

  void MarkInst(Inst& inst, uint32_t block) {
    if (inst.result != 0) {
      MarkValue(inst.result);
      return;
    }
    kept_.push_back(&inst);
    MarkOperands(inst);
    MarkConstruct(Home(block));
  }

  void MarkOperands(const Inst& inst) {
    ForEachId(inst, [&](Id id) { MarkValue(id); });
  }

  void MarkValue(Id id) {
    if (id >= block_of_.size() || block_of_[id] == kNone || is_live_[id])
      return;  // what stands outside is the writer's
    is_live_[id] = true;
    waiting_.push_back(id);
  }

  void Follow(Id id) {
    const Inst& inst = *module_.Find(id);
    const uint32_t block = block_of_[id];
    if (inst.op == Op::kVariable) {
      // Somebody looks at it: what is stored is needed.
      for (auto at = std::ranges::lower_bound(stores_, id, {}, &Store::variable);
           at != stores_.end() && at->variable == id; ++at) {
        MarkInst(*at->inst, at->block);
      }
      return;
    }
    MarkConstruct(Home(block));
    if (inst.op != Op::kPhi) {
      MarkOperands(inst);
      return;
    }
    for (uint16_t at = 0; at < inst.count; at += 2) {
      MarkValue(inst.operands[at]);
      const Block* from = blocks_[inst.operands[at + 1]];
      if (from->order < Block::kStub) MarkControl(from->order);
    }
  }

  // The construct whose turns decide how often a block runs. A loop's header runs in each turn of its own loop.
  uint32_t Home(uint32_t block) const { return flow_.order()[block]->IsLoopHeader() ? block : flow_.Construct(block); }

  // Where a block goes matters.
  void MarkControl(uint32_t block) {
    const Block& at = *flow_.order()[block];
    if (at.merge != nullptr) {
      MarkConstruct(block);
    } else {
      if (at.terminator->op == Op::kBranchConditional || at.terminator->op == Op::kSwitch)
        MarkValue(at.terminator->operands[0]);
      MarkConstruct(Home(block));
    }
  }

  void MarkConstruct(uint32_t header) {
    std::vector<uint32_t> constructs;
    const auto add = [&](uint32_t at) {
      if (at == kNone || is_live_construct_[at]) return;
      is_live_construct_[at] = true;
      constructs.push_back(at);
    };
    add(header);
    while (!constructs.empty()) {
      const uint32_t at = constructs.back();
      constructs.pop_back();
      const Inst& end = *flow_.order()[at]->terminator;
      if (end.op == Op::kBranchConditional || end.op == Op::kSwitch) MarkValue(end.operands[0]);
      add(flow_.Construct(at));
      for (const uint32_t exit : exits_[at]) {
        const Block& block = *flow_.order()[exit];
        const Inst& leave = *block.terminator;
        if (leave.op == Op::kBranchConditional || leave.op == Op::kSwitch) MarkValue(leave.operands[0]);
        if (block.merge != nullptr) add(exit);
        add(Home(exit));
      }
    }
  }

  void Sweep() {
    std::ranges::sort(kept_);
    bool is_changed = false;
    for (Block* block : flow_.order()) {
      const bool is_dead = block->merge != nullptr && !is_live_construct_[block->order];
      std::erase_if(block->phis, [&](const Inst* phi) { return !is_live_[phi->result]; });
      std::erase_if(block->body, [&](Inst* inst) {
        return inst->result != 0 ? !is_live_[inst->result] : !std::ranges::binary_search(kept_, inst);
      });
      if (!is_dead) continue;
      block->terminator = module_.Make(Op::kBranch, 0, 0, {block->MergeLabel()});
      block->merge = nullptr;
      is_changed = true;
    }
    if (is_changed) DropUnreachedBlocks(module_, function_, blocks_);
  }

  struct Store {
    Id variable;
    Inst* inst;
    uint32_t block;
  };

  Module& module_;
  Function& function_;
  BlockMap& blocks_;
  ControlFlow flow_;
  std::vector<bool> is_live_;       // by value
  std::vector<uint32_t> block_of_;  // by value
  std::vector<bool> is_live_construct_;
  std::vector<std::vector<uint32_t>> exits_;
  std::vector<Store> stores_;  // to variables of this function, needed if those are read
  std::vector<Inst*> kept_;    // instructions without a result
  std::vector<Id> waiting_;
};

}  // namespace

void RemoveDeadCode(Module& module, Function& function, BlockMap& blocks) { DeadCode(module, function, blocks).Run(); }

}  // namespace kiln::opt::spirv
