// SPDX-License-Identifier: Apache-2.0
// Who leads to whom in a function: predecessors, dominators, structured constructs. It describes the function as it was
// when it was made; passes that change branches make it anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opt/spirv/module.h"

namespace kiln::opt::spirv {

/// From labels to blocks of one function. Made once a module, so that functions need no memory of their own.
class BlockMap {
 public:
  explicit BlockMap(const Module& module) : blocks_(module.bound()) {}
  void Add(const Function& function) {
    for (Block* block : function.blocks) Add(block);
  }
  void Add(Block* block) {
    if (block->label >= blocks_.size()) blocks_.resize(block->label + 64);
    blocks_[block->label] = block;
  }
  Block* operator[](Id label) const { return label < blocks_.size() ? blocks_[label] : nullptr; }

 private:
  std::vector<Block*> blocks_;
};

class ControlFlow {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  /// Numbers the blocks that the entry leads to in reverse postorder (Block::order).
  ControlFlow(const Function& function, const BlockMap& blocks);

  /// The reached blocks in reverse postorder: a block stands after its dominators.
  std::span<Block* const> order() const { return order_; }
  /// Each predecessor once, by order; only reached ones.
  std::span<const uint32_t> Predecessors(uint32_t block) const {
    return std::span(predecessors_)
        .subspan(first_predecessor_[block], first_predecessor_[block + 1] - first_predecessor_[block]);
  }
  /// The immediate dominator by order; kNone for the entry.
  uint32_t Dominator(uint32_t block) const { return dominator_[block]; }
  /// Whether `a` dominates `b` (also itself), both by order.
  bool Dominates(uint32_t a, uint32_t b) const { return enter_[a] <= enter_[b] && leave_[b] <= leave_[a]; }
  /// The header of the innermost construct that holds the block (the header itself is held by the next outer one), by
  /// order; kNone outside of all.
  uint32_t Construct(uint32_t block) const { return construct_[block]; }
  /// The blocks in an order in which the dominator tree is walked from the root, children in reverse postorder.
  std::span<const uint32_t> tree() const { return tree_; }

 private:
  void Order(const Function& function, const BlockMap& blocks, bool is_structured);
  void FindPredecessors(const BlockMap& blocks);
  bool HasEarlierPredecessors() const;
  void FindDominators();
  void WalkTree();
  void FindConstructs(const BlockMap& blocks);

  std::vector<Block*> order_;
  std::vector<uint32_t> first_predecessor_, predecessors_;
  std::vector<uint32_t> dominator_, enter_, leave_, tree_, construct_;
};

/// Drops what nothing leads to. A merge block that stays as a name becomes OpUnreachable, a continue target a branch
/// back; operands of phis from dropped blocks go.
void DropUnreachedBlocks(Module& module, Function& function, BlockMap& blocks);

/// Puts the blocks so that each stands after those that dominate it, if they do not already.
void PutInOrder(Function& function, const BlockMap& blocks);

/// Whoever branched from the block `from` does so from `to`: the phis of the successors of `to` say it.
void RenameInPhis(const Block& to, Id from, const BlockMap& blocks);

}  // namespace kiln::opt::spirv
