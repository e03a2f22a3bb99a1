// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/control_flow.h"

#include <algorithm>

namespace kiln::opt::spirv {

ControlFlow::ControlFlow(const Function& function, const BlockMap& blocks) {
  Order(function, blocks, true);
  FindPredecessors(blocks);
  if (!HasEarlierPredecessors()) {  // only where merges are not what the specification says
    Order(function, blocks, false);
    FindPredecessors(blocks);
  }
  FindDominators();
  WalkTree();
  FindConstructs(blocks);
}

// Depth first without recursion: a function of 100,000 blocks in a row needs no stack for it.
void ControlFlow::Order(const Function& function, const BlockMap& blocks, bool is_structured) {
  order_.clear();
  for (Block* block : function.blocks) block->order = Block::kUnreached;
  struct Visit {
    Block* block;
    uint32_t first, next;  // of its successors in `successors`
  };
  std::vector<Visit> stack;
  std::vector<Id> successors;
  constexpr uint32_t kVisited = Block::kUnreached - 1;
  const auto enter = [&](Block* block) {
    block->order = kVisited;
    const auto first = static_cast<uint32_t>(successors.size());
    // Last first, so that the order begins with the first arm. The merge goes before all: it then stands after the
    // whole construct.
    if (is_structured && block->merge != nullptr) {
      successors.push_back(block->MergeLabel());
      if (block->IsLoopHeader()) successors.push_back(block->ContinueLabel());
    }
    const auto arms = static_cast<ptrdiff_t>(successors.size());
    ForEachSuccessor(*block, [&](Id label) { successors.push_back(label); });
    std::reverse(successors.begin() + arms, successors.end());
    stack.push_back({block, first, first});
  };
  // The merge and continue labels are walked first only if something leads to them, so real edges are found beforehand.
  std::vector<Block*> reached{function.blocks.front()};
  function.blocks.front()->order = kVisited;
  for (size_t at = 0; at < reached.size(); ++at) {
    ForEachSuccessor(*reached[at], [&](Id label) {
      Block* next = blocks[label];
      if (next->order == kVisited) return;
      next->order = kVisited;
      reached.push_back(next);
    });
  }
  constexpr uint32_t kReached = kVisited - 1;
  for (Block* block : reached) block->order = kReached;
  enter(function.blocks.front());
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.next == successors.size()) {
      order_.push_back(top.block);
      successors.resize(top.first);
      stack.pop_back();
      continue;
    }
    Block* next = blocks[successors[top.next++]];
    if (next->order == kReached) enter(next);
  }
  std::ranges::reverse(order_);
  for (size_t at = 0; at < order_.size(); ++at) order_[at]->order = static_cast<uint32_t>(at);
}

void ControlFlow::FindPredecessors(const BlockMap& blocks) {
  const size_t count = order_.size();
  first_predecessor_.assign(count + 1, 0);
  std::vector<uint32_t> last(count, kNone);  // the last predecessor that was counted: a switch may name a label often
  const auto each_edge = [&](const auto& edge) {
    std::ranges::fill(last, kNone);
    for (uint32_t from = 0; from < count; ++from) {
      ForEachSuccessor(*order_[from], [&](Id label) {
        const uint32_t to = blocks[label]->order;
        if (last[to] == from) return;
        last[to] = from;
        edge(from, to);
      });
    }
  };
  each_edge([&](uint32_t, uint32_t to) { ++first_predecessor_[to + 1]; });
  for (size_t at = 0; at < count; ++at) first_predecessor_[at + 1] += first_predecessor_[at];
  predecessors_.resize(first_predecessor_[count]);
  std::vector<uint32_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
  each_edge([&](uint32_t from, uint32_t to) { predecessors_[next[to]++] = from; });
}

// What the search for dominators relies on.
bool ControlFlow::HasEarlierPredecessors() const {
  for (uint32_t block = 1; block < order_.size(); ++block) {
    if (Predecessors(block).empty() || Predecessors(block).front() >= block) return false;
  }
  return true;
}

// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
void ControlFlow::FindDominators() {
  const size_t count = order_.size();
  dominator_.assign(count, kNone);
  dominator_[0] = 0;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t block = 1; block < count; ++block) {
      uint32_t found = kNone;
      for (const uint32_t predecessor : Predecessors(block)) {
        if (dominator_[predecessor] == kNone) continue;
        if (found == kNone) {
          found = predecessor;
          continue;
        }
        uint32_t other = predecessor;
        while (found != other) {
          while (found > other) found = dominator_[found];
          while (other > found) other = dominator_[other];
        }
      }
      if (dominator_[block] != found) {
        dominator_[block] = found;
        is_changed = true;
      }
    }
  }
  dominator_[0] = kNone;
}

void ControlFlow::WalkTree() {
  const auto count = static_cast<uint32_t>(order_.size());
  std::vector<uint32_t> first_child(count, kNone), sibling(count, kNone);
  for (uint32_t block = count; block-- > 1;) {
    sibling[block] = first_child[dominator_[block]];
    first_child[dominator_[block]] = block;
  }
  enter_.resize(count);
  leave_.resize(count);
  uint32_t clock = 0;
  for (uint32_t block = 0; block != kNone;) {
    enter_[block] = clock++;
    tree_.push_back(block);
    if (first_child[block] != kNone) {
      block = first_child[block];
      continue;
    }
    while (block != kNone) {
      leave_[block] = clock++;
      if (sibling[block] != kNone) {
        block = sibling[block];
        break;
      }
      block = dominator_[block];
    }
  }
}

void ControlFlow::FindConstructs(const BlockMap& blocks) {
  construct_.assign(order_.size(), kNone);
  std::vector<uint32_t> header_of(order_.size(), kNone);  // of merge blocks
  for (uint32_t block = 0; block < order_.size(); ++block) {
    if (order_[block]->merge == nullptr) continue;
    const Block* merge = blocks[order_[block]->MergeLabel()];
    if (merge->order != Block::kUnreached) header_of[merge->order] = block;
  }
  for (const uint32_t block : tree_) {
    const uint32_t header = header_of[block];
    const uint32_t parent = dominator_[block];
    if (header != kNone && header != block && Dominates(header, block)) {
      construct_[block] = construct_[header];
    } else if (parent != kNone) {
      construct_[block] = order_[parent]->merge != nullptr ? parent : construct_[parent];
    }
  }
}

void DropUnreachedBlocks(Module& module, Function& function, BlockMap& blocks) {
  const ControlFlow flow(function, blocks);
  if (flow.order().size() == function.blocks.size()) return;
  // Who may stay as a name, and as what.
  std::vector<std::pair<Block*, Block*>> stubs;  // the block, and the loop header it goes back to
  for (Block* block : flow.order()) {
    if (block->merge == nullptr) continue;
    if (Block* merge = blocks[block->MergeLabel()]; merge->order == Block::kUnreached)
      stubs.emplace_back(merge, nullptr);
    if (!block->IsLoopHeader()) continue;
    if (Block* next = blocks[block->ContinueLabel()]; next->order == Block::kUnreached) stubs.emplace_back(next, block);
  }
  // Phis lose what came from dropped blocks; a stub that goes back to its loop keeps its place.
  for (Block* block : flow.order()) {
    for (Inst* phi : block->phis) {
      uint16_t kept = 0;
      for (uint16_t at = 0; at < phi->count; at += 2) {
        const Block* from = blocks[phi->operands[at + 1]];
        bool stays = from->order != Block::kUnreached;
        uint32_t value = phi->operands[at];
        if (!stays && block->IsLoopHeader() && from->label == block->ContinueLabel()) {
          stays = true;
          value = module.Undef(phi->type);
        }
        if (!stays) continue;
        const uint32_t label = phi->operands[at + 1];
        phi->operands[kept] = value;
        phi->operands[kept + 1] = label;
        kept = static_cast<uint16_t>(kept + 2);
      }
      phi->count = kept;
    }
  }
  for (const auto& [block, header] : stubs) {
    block->order = Block::kStub;
    block->phis.clear();
    block->body.clear();
    block->merge = nullptr;
    block->terminator =
        header == nullptr ? module.Make(Op::kUnreachable, 0, 0, {}) : module.Make(Op::kBranch, 0, 0, {header->label});
  }
  // A loop whose back edge came from a dropped block that is not its continue target gets one from the stub.
  for (const auto& [block, header] : stubs) {
    if (header == nullptr) continue;
    for (Inst* phi : header->phis) {
      bool is_there = false;
      for (uint16_t at = 0; at < phi->count; at += 2) is_there |= phi->operands[at + 1] == block->label;
      if (is_there) continue;
      std::vector<uint32_t> operands(phi->operands, phi->operands + phi->count);
      operands.push_back(module.Undef(phi->type));
      operands.push_back(block->label);
      phi->operands = module.arena.Copy(operands).data();
      phi->count = static_cast<uint16_t>(operands.size());
    }
  }
  std::erase_if(function.blocks, [&](const Block* block) { return block->order == Block::kUnreached; });
}

void PutInOrder(Function& function, const BlockMap& blocks) {
  const ControlFlow flow(function, blocks);
  std::vector<bool> is_seen(flow.order().size());
  bool is_ordered = true;
  for (const Block* block : function.blocks) {
    if (block->order >= Block::kStub) continue;
    const uint32_t dominator = flow.Dominator(block->order);
    is_ordered &= dominator == ControlFlow::kNone || is_seen[dominator];
    is_seen[block->order] = true;
  }
  if (is_ordered) return;
  std::vector<Block*> ordered(flow.order().begin(), flow.order().end());
  for (Block* block : function.blocks) {
    if (block->order >= Block::kStub) ordered.push_back(block);
  }
  function.blocks = std::move(ordered);
}

void RenameInPhis(const Block& to, Id from, const BlockMap& blocks) {
  ForEachSuccessor(to, [&](Id label) {
    for (Inst* phi : blocks[label]->phis) {
      for (uint16_t at = 0; at < phi->count; at += 2) {
        if (phi->operands[at + 1] == from) phi->operands[at + 1] = to.label;
      }
    }
  });
}

}  // namespace kiln::opt::spirv
