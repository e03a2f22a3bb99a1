// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kVersion14 = 0x00010400;

// Labels that merges name: such blocks keep their label.
std::vector<bool> NamedLabels(const Module& module, const Function& function) {
  std::vector<bool> is_named(module.bound());
  for (const Block* block : function.blocks) {
    if (block->merge == nullptr) continue;
    is_named[block->MergeLabel()] = true;
    if (block->IsLoopHeader()) is_named[block->ContinueLabel()] = true;
  }
  return is_named;
}

class Merger {
 public:
  Merger(Module& module, Function& function, BlockMap& blocks)
      : module_(module),
        function_(function),
        blocks_(blocks),
        flow_(function, blocks),
        is_named_(NamedLabels(module, function)) {}

  void Run() {
    std::vector<bool> is_gone(module_.bound());
    for (Block* block : flow_.order()) {
      if (is_gone[block->label]) continue;
      for (Block* next = Next(*block); next != nullptr; next = Next(*block)) {
        is_gone[next->label] = true;
        Join(*block, *next);
      }
    }
    std::erase_if(function_.blocks, [&](const Block* block) { return is_gone[block->label]; });
    if (replaced_.empty()) return;
    const auto replace = [&](Inst& inst) { ForEachId(inst, [&](uint32_t& id) { id = Resolve(id); }); };
    for (Block* block : function_.blocks) {
      for (Inst* inst : block->phis) replace(*inst);
      for (Inst* inst : block->body) replace(*inst);
      replace(*block->terminator);
    }
  }

 private:
  // The block that can become the end of this one.
  Block* Next(Block& block) {
    if (block.terminator->op != Op::kBranch) return nullptr;
    Block* next = blocks_[block.terminator->operands[0]];
    if (next == &block || flow_.Predecessors(next->order).size() != 1 || next->order == 0) return nullptr;
    // The branch back that nothing reaches names the header too.
    if (next->IsLoopHeader()) return nullptr;
    if (is_named_[next->label]) {
      // A selection that selects nothing ends where it began.
      const bool is_own = block.merge != nullptr && !block.IsLoopHeader() && block.MergeLabel() == next->label;
      if (!is_own) return nullptr;
      block.merge = nullptr;
    }
    if (block.merge == nullptr) return next;
    if (next->merge != nullptr || !block.IsLoopHeader()) return nullptr;
    if (next->terminator->op == Op::kBranch) return next;
    if (next->terminator->op != Op::kBranchConditional) return nullptr;
    const auto leaves = [&](Id label) { return label == block.MergeLabel() || label == block.ContinueLabel(); };
    return leaves(next->terminator->operands[1]) || leaves(next->terminator->operands[2]) ? next : nullptr;
  }

  void Join(Block& block, Block& next) {
    for (const Inst* phi : next.phis) {
      if (replaced_.empty()) replaced_.resize(module_.bound());
      if (const Id value = phi->count > 1 ? Resolve(phi->operands[0]) : 0; value != phi->result)
        replaced_[phi->result] = value;
    }
    block.body.insert(block.body.end(), next.body.begin(), next.body.end());
    if (block.merge == nullptr) block.merge = next.merge;
    block.terminator = next.terminator;
    RenameInPhis(block, next.label, blocks_);
  }

  Id Resolve(Id id) const {
    while (id < replaced_.size() && replaced_[id] != 0) id = replaced_[id];
    return id;
  }

  Module& module_;
  Function& function_;
  BlockMap& blocks_;
  ControlFlow flow_;
  std::vector<bool> is_named_;
  std::vector<Id> replaced_;
};

class Selector {
 public:
  Selector(Module& module, Function& function, BlockMap& blocks)
      : module_(module), function_(function), blocks_(blocks), flow_(function, blocks) {}

  bool Run() {
    bool is_changed = false;
    for (Block* block : flow_.order()) is_changed |= Convert(*block);
    if (is_changed) DropUnreachedBlocks(module_, function_, blocks_);
    return is_changed;
  }

 private:
  bool Convert(Block& header) {
    if (header.merge == nullptr || header.IsLoopHeader() || header.terminator->op != Op::kBranchConditional)
      return false;
    Block* merge = blocks_[header.MergeLabel()];
    if (merge->order >= Block::kStub || merge->phis.empty() || flow_.Predecessors(merge->order).size() != 2)
      return false;
    const Id yes = header.terminator->operands[1];
    const Id no = header.terminator->operands[2];
    const Id from_yes = ArmLabel(header, yes, *merge);
    const Id from_no = ArmLabel(header, no, *merge);
    if (from_yes == 0 || from_no == 0 || from_yes == from_no) return false;
    for (const Inst* phi : merge->phis) {
      const Inst* type = module_.Find(phi->type);
      const bool is_simple = type->op == Op::kTypeBool || type->op == Op::kTypeInt || type->op == Op::kTypeFloat ||
                             type->op == Op::kTypeVector;
      if (!is_simple || phi->count != 4) return false;
    }
    const Id condition = header.terminator->operands[0];
    const uint32_t line = header.terminator->line;
    for (Inst* phi : merge->phis) {
      const bool is_first_yes = phi->operands[1] == from_yes;
      const Id if_yes = phi->operands[is_first_yes ? 0 : 2];
      const Id if_no = phi->operands[is_first_yes ? 2 : 0];
      phi->op = Op::kSelect;
      phi->operands[0] = ConditionFor(phi->type, condition, header, line);
      phi->operands[1] = if_yes;
      phi->operands[2] = if_no;
      phi->count = 3;
      phi->line = line;
      header.body.push_back(phi);
    }
    merge->phis.clear();
    header.merge = nullptr;
    header.terminator = module_.Make(Op::kBranch, 0, 0, {merge->label});
    return true;
  }

  // The label that the merge's phis know an arm by: the arm must do nothing.
  Id ArmLabel(const Block& header, Id arm, const Block& merge) const {
    if (arm == merge.label) return header.label;
    const Block& block = *blocks_[arm];
    const bool is_empty = block.body.empty() && block.phis.empty() && block.merge == nullptr &&
                          block.terminator->op == Op::kBranch && block.terminator->operands[0] == merge.label &&
                          flow_.Predecessors(block.order).size() == 1;
    return is_empty ? arm : 0;
  }

  // Before SPIR-V 1.4 a vector is selected by a vector.
  Id ConditionFor(Id type, Id condition, Block& header, uint32_t line) {
    const Inst* vector = module_.Find(type);
    if (vector->op != Op::kTypeVector || module_.version >= kVersion14) return condition;
    const Id bools = module_.VectorType(module_.TypeOf(condition), vector->operands[1]);
    const std::vector<uint32_t> parts(vector->operands[1], condition);
    Inst* all = module_.MakeValue(Op::kCompositeConstruct, bools, parts, line);
    header.body.push_back(all);
    return all->result;
  }

  Module& module_;
  Function& function_;
  BlockMap& blocks_;
  ControlFlow flow_;
};

}  // namespace

void MergeBlocks(Module& module, Function& function, BlockMap& blocks) { Merger(module, function, blocks).Run(); }

bool MakeSelects(Module& module, Function& function, BlockMap& blocks) {
  return Selector(module, function, blocks).Run();
}

}  // namespace kiln::opt::spirv
