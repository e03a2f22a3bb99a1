// SPDX-License-Identifier: Apache-2.0
// A function with several returns cannot be put in the place of a call: control flow has to leave a construct where its
// merge says. The body is wrapped in a switch of one case, which every return then leaves; a return within a loop or a
// switch leaves that first, with a flag that says to go on.
#include <algorithm>

#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kFunctionClass = 7;

class ReturnMerger {
 public:
  ReturnMerger(Module& module, Function& function, BlockMap& blocks)
      : module_(module), function_(function), blocks_(blocks), flow_(function, blocks), is_left_(flow_.order().size()) {
    // As it is before anything is changed: the block where one construct ends may be where the next begins.
    for (const Block* block : flow_.order()) {
      is_breakable_.push_back(block->IsLoopHeader() || block->terminator->op == Op::kSwitch);
      merge_of_.push_back(block->MergeLabel());
    }
  }

  bool Run() {
    for (Block* block : flow_.order()) {
      if (block->terminator->op == Op::kReturn || block->terminator->op == Op::kReturnValue) returns_.push_back(block);
    }
    if (returns_.empty()) return true;
    if (returns_.size() == 1 && flow_.Construct(returns_[0]->order) == ControlFlow::kNone) return true;
    for (const Block* block : returns_) MarkLeft(*block);
    if (!CanLeave()) return false;
    Wrap();
    for (Block* block : returns_) Leave(*block);
    for (uint32_t header = 0; header < is_left_.size(); ++header) {
      if (is_left_[header]) GoOn(header);
    }
    function_.blocks.push_back(last_);
    return true;
  }

 private:
  // The innermost construct that `break` leaves and that holds a block; kNone outside of all.
  uint32_t Breakable(uint32_t block) const {
    uint32_t header = flow_.Construct(block);
    while (header != ControlFlow::kNone && !is_breakable_[header]) header = flow_.Construct(header);
    return header;
  }

  void MarkLeft(const Block& block) {
    for (uint32_t at = Breakable(block.order); at != ControlFlow::kNone && !is_left_[at]; at = Breakable(at))
      is_left_[at] = true;
  }

  bool IsWithin(uint32_t block, uint32_t header) const {
    for (uint32_t at = flow_.Construct(block); at != ControlFlow::kNone; at = flow_.Construct(at)) {
      if (at == header) return true;
    }
    return false;
  }

  // A construct that is left in one more way must not hand values out but by phis, and its merge must not be where
  // another loop begins or goes on.
  bool CanLeave() const {
    if (std::ranges::find(is_left_, true) == is_left_.end()) return true;
    std::vector<Id> continues;
    for (const Block* block : flow_.order()) {
      if (block->IsLoopHeader()) continues.push_back(block->ContinueLabel());
    }
    std::ranges::sort(continues);
    for (uint32_t header = 0; header < is_left_.size(); ++header) {
      if (!is_left_[header]) continue;
      const Id merge = merge_of_[header];
      if (blocks_[merge]->IsLoopHeader() || std::ranges::binary_search(continues, merge)) return false;
    }
    std::vector<uint32_t> block_of(module_.bound(), ControlFlow::kNone);
    for (const Block* block : flow_.order()) {
      for (const Inst* inst : block->phis) block_of[inst->result] = block->order;
      for (const Inst* inst : block->body) {
        if (inst->op != Op::kVariable) block_of[inst->result] = block->order;
      }
    }
    bool is_fine = true;
    const auto check = [&](Id id, uint32_t user) {
      if (id == 0 || block_of[id] == ControlFlow::kNone || block_of[id] == user) return;
      for (uint32_t at = Breakable(block_of[id]); at != ControlFlow::kNone; at = Breakable(at)) {
        if (is_left_[at] && !IsWithin(user, at)) is_fine = false;
      }
    };
    for (const Block* block : flow_.order()) {
      for (const Inst* phi : block->phis) {
        for (uint16_t at = 0; at < phi->count; at += 2) {
          if (const Block* from = blocks_[phi->operands[at + 1]]; from->order < Block::kStub)
            check(phi->operands[at], from->order);
        }
      }
      for (const Inst* inst : block->body) ForEachId(*inst, [&](Id id) { check(id, block->order); });
      ForEachId(*block->terminator, [&](Id id) { check(id, block->order); });
    }
    return is_fine;
  }

  void Wrap() {
    Block* old_entry = function_.blocks.front();
    Block* entry = module_.MakeBlock(module_.NewId());
    last_ = module_.MakeBlock(module_.NewId());
    blocks_.Add(entry);
    blocks_.Add(last_);
    const auto first =
        std::ranges::find_if(old_entry->body, [](const Inst* inst) { return inst->op != Op::kVariable; });
    entry->body.assign(old_entry->body.begin(), first);
    old_entry->body.erase(old_entry->body.begin(), first);
    entry->merge = module_.Make(Op::kSelectionMerge, 0, 0, {last_->label, 0});
    entry->terminator = module_.Make(Op::kSwitch, 0, 0, {module_.Constant(module_.UintType(), 0), old_entry->label});
    function_.blocks.insert(function_.blocks.begin(), entry);
    if (std::ranges::find(is_left_, true) != is_left_.end()) {
      flag_ = MakeVariable(module_.BoolType());
      entry->body.push_back(module_.Make(Op::kStore, 0, 0, {flag_, module_.Constant(module_.BoolType(), 0)}));
    }
    const Id type = function_.definition->type;
    if (returns_[0]->terminator->op == Op::kReturn) {
      last_->terminator = module_.Make(Op::kReturn, 0, 0, {});
      return;
    }
    value_ = MakeVariable(type);
    Inst* load = module_.MakeValue(Op::kLoad, type, {value_}, 0);
    last_->body.push_back(load);
    last_->terminator = module_.Make(Op::kReturnValue, 0, 0, {load->result});
  }

  Id MakeVariable(Id type) {
    Inst* variable = module_.MakeValue(Op::kVariable, module_.PointerType(kFunctionClass, type), {kFunctionClass}, 0);
    Module::AddVariable(function_, variable);
    return variable->result;
  }

  void Leave(Block& block) {
    if (value_ != 0 && block.terminator->count != 0) {
      Inst* store = module_.Make(Op::kStore, 0, 0, {value_, block.terminator->operands[0]});
      store->line = block.terminator->line;
      block.body.push_back(store);
    }
    const uint32_t header = Breakable(block.order);
    if (header != ControlFlow::kNone) {
      block.body.push_back(module_.Make(Op::kStore, 0, 0, {flag_, module_.Constant(module_.BoolType(), 1)}));
    }
    block.terminator = module_.Make(Op::kBranch, 0, 0, {Exit(header, block.label)});
  }

  // Where to go to leave a construct; the phis there get a value that nobody looks at.
  Id Exit(uint32_t header, Id from) {
    if (header == ControlFlow::kNone) return last_->label;
    Block* merge = blocks_[merge_of_[header]];
    for (Inst* phi : merge->phis) AddPhiOperand(*phi, module_.Undef(phi->type), from);
    return merge->label;
  }

  void AddPhiOperand(Inst& phi, Id value, Id from) {
    std::vector<uint32_t> operands(phi.operands, phi.operands + phi.count);
    operands.push_back(value);
    operands.push_back(from);
    phi.operands = module_.arena.Copy(operands).data();
    phi.count = static_cast<uint16_t>(operands.size());
  }

  // At the merge of a construct that returns leave: on to the next one.
  void GoOn(uint32_t header) {
    Block* merge = blocks_[merge_of_[header]];
    const uint32_t outer = Breakable(header);
    if (merge->terminator->op == Op::kUnreachable && merge->body.empty()) {
      merge->terminator = module_.Make(Op::kBranch, 0, 0, {Exit(outer, merge->label)});
      return;
    }
    Block* rest = module_.MakeBlock(module_.NewId());
    blocks_.Add(rest);
    rest->body.swap(merge->body);
    std::swap(rest->merge, merge->merge);
    rest->terminator = merge->terminator;
    RenameInPhis(*rest, merge->label, blocks_);
    Inst* flag = module_.MakeValue(Op::kLoad, module_.BoolType(), {flag_}, 0);
    merge->body.push_back(flag);
    merge->merge = module_.Make(Op::kSelectionMerge, 0, 0, {rest->label, 0});
    merge->terminator =
        module_.Make(Op::kBranchConditional, 0, 0, {flag->result, Exit(outer, merge->label), rest->label});
    const auto at = std::ranges::find(function_.blocks, merge);
    function_.blocks.insert(at + 1, rest);
  }

  Module& module_;
  Function& function_;
  BlockMap& blocks_;
  ControlFlow flow_;
  // By header:
  std::vector<bool> is_left_;  // by returns
  std::vector<bool> is_breakable_;
  std::vector<Id> merge_of_;
  std::vector<Block*> returns_;
  Block* last_ = nullptr;
  Id value_ = 0;
  Id flag_ = 0;
};

}  // namespace

bool MergeReturns(Module& module, Function& function, BlockMap& blocks) {
  return ReturnMerger(module, function, blocks).Run();
}

}  // namespace kiln::opt::spirv
