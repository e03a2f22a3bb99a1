// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

class DeadBranches {
 public:
  DeadBranches(Module& module, Function& function, BlockMap& blocks)
      : module_(module), function_(function), blocks_(blocks), flow_(function, blocks) {}

  bool Run() {
    FindLeft();
    bool is_changed = false;
    for (Block* block : flow_.order()) {
      if (const auto taken = Taken(*block)) {
        Take(*block, *taken);
        is_changed = true;
      }
    }
    if (!is_changed) return false;
    DropUnreachedBlocks(module_, function_, blocks_);
    // A case that falls into another may dominate it now, and stand behind it.
    PutInOrder(function_, blocks_);
    return true;
  }

 private:
  // The only label that a block can go to, if it looks as if there were more.
  std::optional<Id> Taken(const Block& block) const {
    const Inst& end = *block.terminator;
    uint32_t bits = 0;
    // A loop must keep its way back, taken or not.
    bool goes_back = false;
    ForEachSuccessor(
        block, [&](Id label) { goes_back |= blocks_[label]->IsLoopHeader() && blocks_[label]->order <= block.order; });
    if (goes_back) return std::nullopt;
    if (end.op == Op::kBranchConditional) {
      if (end.operands[1] == end.operands[2]) return end.operands[1];
      if (module_.ConstantBits(end.operands[0], bits)) return end.operands[bits != 0 ? 1 : 2];
      return std::nullopt;
    }
    // A switch without cases stays where something nested in it leaves it.
    if (end.op != Op::kSwitch || (end.count == 2 && is_left_[block.order])) return std::nullopt;
    if (end.count == 2) return end.operands[1];
    if (!module_.ConstantBits(end.operands[0], bits)) return std::nullopt;
    for (uint16_t at = 2; at < end.count; at += 2) {
      if (end.operands[at] == bits) return end.operands[at + 1];
    }
    return end.operands[1];
  }

  // Switches that a nested construct leaves: they must remain something that can be left.
  void FindLeft() {
    is_left_.resize(flow_.order().size());
    std::vector<std::pair<Id, uint32_t>> merges;
    for (const Block* block : flow_.order()) {
      if (block->merge != nullptr && block->terminator->op == Op::kSwitch)
        merges.emplace_back(block->MergeLabel(), block->order);
    }
    if (merges.empty()) return;
    std::ranges::sort(merges);
    for (const Block* block : flow_.order()) {
      ForEachSuccessor(*block, [&](Id label) {
        const auto at = std::ranges::lower_bound(merges, std::pair(label, 0u));
        if (at == merges.end() || at->first != label || at->second == block->order) return;
        // A block that is itself a header leaves it out of its own construct; one that may also go on needs it as a way
        // out.
        const bool is_end = flow_.Construct(block->order) == at->second && block->terminator->op == Op::kBranch;
        if (!is_end) is_left_[at->second] = true;
      });
    }
  }

  void Take(Block& block, Id taken) {
    std::vector<Id> before;
    ForEachSuccessor(block, [&](Id label) { before.push_back(label); });
    const uint32_t line = block.terminator->line;
    const bool stays_switch =
        block.merge != nullptr && !block.IsLoopHeader() && block.terminator->op == Op::kSwitch && is_left_[block.order];
    if (stays_switch) {
      block.terminator = module_.Make(Op::kSwitch, 0, 0, {block.terminator->operands[0], taken});
    } else {
      if (!block.IsLoopHeader()) block.merge = nullptr;
      block.terminator = module_.Make(Op::kBranch, 0, 0, {taken});
    }
    block.terminator->line = line;
    for (const Id label : before) {
      if (label == taken) continue;
      for (Inst* phi : blocks_[label]->phis) DropOperand(*phi, block.label);
    }
  }

  static void DropOperand(Inst& phi, Id from) {
    for (uint16_t at = 0; at < phi.count; at += 2) {
      if (phi.operands[at + 1] != from) continue;
      std::copy(phi.operands + at + 2, phi.operands + phi.count, phi.operands + at);
      phi.count = static_cast<uint16_t>(phi.count - 2);
      return;
    }
  }

  Module& module_;
  Function& function_;
  BlockMap& blocks_;
  ControlFlow flow_;
  std::vector<bool> is_left_;
};

}  // namespace

bool RemoveDeadBranches(Module& module, Function& function, BlockMap& blocks) {
  return DeadBranches(module, function, blocks).Run();
}

}  // namespace kiln::opt::spirv
