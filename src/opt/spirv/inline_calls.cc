// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

// A function does not grow beyond this many instructions by inlining: a call graph that doubles at each level would.
constexpr size_t kMostInstructions = 200'000;

class Inliner {
 public:
  Inliner(Module& module, BlockMap& blocks) : module_(module), blocks_(blocks) {}

  void Run() {
    function_of_.resize(module_.bound());
    for (size_t at = 0; at < module_.functions.size(); ++at) {
      function_of_[module_.functions[at]->definition->result] = static_cast<uint32_t>(at + 1);
    }
    facts_.resize(module_.functions.size());
    bool has_calls = false;
    for (const auto& function : module_.functions) has_calls |= HasCalls(*function);
    if (!has_calls) return;
    for (uint32_t at = 0; at < module_.functions.size(); ++at) Visit(at);
  }

 private:
  enum class State : uint8_t { kNew, kBusy, kDone };
  struct Facts {
    State state = State::kNew;
    bool can_inline = false;
    bool ends_by_kill = false;  // or in another way that is no return
    size_t size = 0;
  };

  static bool HasCalls(const Function& function) {
    return std::ranges::any_of(function.blocks, [](const Block* block) {
      return std::ranges::any_of(block->body, [](const Inst* inst) { return inst->op == Op::kFunctionCall; });
    });
  }

  // Callees first. Calls that go in a circle are no valid shader; they stay calls. The stack is ours: a chain of 10,000
  // functions needs no stack for it.
  void Visit(uint32_t root) {
    struct Step {
      uint32_t function;
      std::vector<uint32_t> callees;
    };
    std::vector<Step> stack;
    const auto enter = [&](uint32_t at) {
      facts_[at].state = State::kBusy;
      std::vector<uint32_t> callees;
      for (const Block* block : module_.functions[at]->blocks) {
        for (const Inst* inst : block->body) {
          if (inst->op != Op::kFunctionCall || inst->operands[0] >= function_of_.size()) continue;
          if (const uint32_t callee = function_of_[inst->operands[0]]; callee != 0) callees.push_back(callee - 1);
        }
      }
      stack.push_back({at, std::move(callees)});
    };
    if (facts_[root].state == State::kNew) enter(root);
    while (!stack.empty()) {
      Step& step = stack.back();
      if (step.callees.empty()) {
        Finish(step.function);
        stack.pop_back();
        continue;
      }
      const uint32_t callee = step.callees.back();
      step.callees.pop_back();
      if (facts_[callee].state == State::kNew) enter(callee);
    }
  }

  void Finish(uint32_t at) {
    Function& function = *module_.functions[at];
    Facts& facts = facts_[at];
    InlineInto(function);
    facts.state = State::kDone;
    facts.size = SizeOf(function);
    const bool is_entry = std::ranges::any_of(
        module_.entry_points, [&](const Inst* entry) { return entry->operands[1] == function.definition->result; });
    constexpr uint32_t kDontInline = 2;
    if (is_entry || (function.definition->operands[0] & kDontInline) != 0) return;
    for (const Block* block : function.blocks) {
      const Op end = block->terminator->op;
      const bool is_other = end == Op::kKill || end == Op::kTerminateInvocation || end == Op::kIgnoreIntersection ||
                            end == Op::kTerminateRay || end == Op::kEmitMeshTasks || end == Op::kUnreachable;
      facts.ends_by_kill |= is_other;
    }
    facts.can_inline = MergeReturns(module_, function, blocks_);
  }

  static size_t SizeOf(const Function& function) {
    size_t size = 0;
    for (const Block* block : function.blocks) size += block->phis.size() + block->body.size() + 2;
    return size;
  }

  void InlineInto(Function& caller) {
    if (!HasCalls(caller)) return;
    const ControlFlow flow(caller, blocks_);
    const std::vector<bool> in_continue = FindContinues(flow);
    size_t size = SizeOf(caller);
    std::vector<Block*> result;
    for (Block* block : caller.blocks) {
      result.push_back(block);
      if (block->order >= Block::kStub) continue;
      // From the last call to the first, so that each instruction behind a call moves once.
      std::vector<std::vector<Block*>> parts;
      for (size_t at = block->body.size(); at-- > 0;) {
        const Inst* call = block->body[at];
        Function* callee = call->op == Op::kFunctionCall ? CalleeOf(*call, in_continue[block->order], size) : nullptr;
        if (callee != nullptr && CanSplit(*block)) parts.push_back(Inline(*block, at, *call, *callee));
      }
      for (; !parts.empty(); parts.pop_back()) result.insert(result.end(), parts.back().begin(), parts.back().end());
    }
    caller.blocks = std::move(result);
    // Only now: the entry block was being walked.
    std::vector<Inst*>& entry = caller.blocks.front()->body;
    entry.insert(entry.begin(), variables_.begin(), variables_.end());
    variables_.clear();
  }

  // The function that a call can be replaced by; null if it must stay a call. `size` is the caller's, with the body.
  Function* CalleeOf(const Inst& call, bool is_in_continue, size_t& size) const {
    const uint32_t number = call.operands[0] < function_of_.size() ? function_of_[call.operands[0]] : 0;
    if (number == 0) return nullptr;
    const Facts& facts = facts_[number - 1];
    Function& function = *module_.functions[number - 1];
    if (!facts.can_inline || (is_in_continue && facts.ends_by_kill)) return nullptr;
    if (call.count != function.parameters.size() + 1 || size + facts.size > kMostInstructions) return nullptr;
    size += facts.size;
    return &function;
  }

  // Blocks of continue constructs: what a continue target dominates.
  std::vector<bool> FindContinues(const ControlFlow& flow) const {
    std::vector<bool> is_in(flow.order().size()), is_target(flow.order().size());
    for (const Block* block : flow.order()) {
      if (!block->IsLoopHeader()) continue;
      if (const Block* target = blocks_[block->ContinueLabel()]; target->order < Block::kStub)
        is_target[target->order] = true;
    }
    for (const uint32_t block : flow.tree()) {
      is_in[block] = is_target[block] || (flow.Dominator(block) != ControlFlow::kNone && is_in[flow.Dominator(block)]);
    }
    return is_in;
  }

  // A loop's header keeps its merge and loses its branch to the block behind the call. There the branch must still be
  // one that needs no merge of its own.
  static bool CanSplit(const Block& block) {
    if (!block.IsLoopHeader()) return true;
    if (block.terminator->op == Op::kSwitch) return false;
    if (block.terminator->op != Op::kBranchConditional) return true;
    const auto leaves = [&](Id label) { return label == block.MergeLabel() || label == block.ContinueLabel(); };
    return leaves(block.terminator->operands[1]) || leaves(block.terminator->operands[2]);
  }

  Id NewIdOf(Id id) {
    if (id >= new_id_.size()) new_id_.resize(module_.bound());
    if (new_id_[id] == 0) {
      new_id_[id] = module_.NewId();
      changed_.push_back(id);
    }
    return new_id_[id];
  }

  // The blocks of the body, then the one behind the call.
  std::vector<Block*> Inline(Block& before, size_t at, const Inst& call, Function& callee) {
    Block* after = module_.MakeBlock(module_.NewId());
    blocks_.Add(after);
    after->order = before.order;
    after->body.assign(before.body.begin() + static_cast<ptrdiff_t>(at) + 1, before.body.end());
    before.body.resize(at);
    after->terminator = before.terminator;
    RenameInPhis(*after, before.label, blocks_);
    if (before.IsLoopHeader()) {
      if (before.ContinueLabel() == before.label) before.merge->operands[1] = after->label;
    } else {
      std::swap(after->merge, before.merge);
    }
    RepeatSampledImages(before, *after);

    for (size_t parameter = 0; parameter < callee.parameters.size(); ++parameter) {
      const Id id = callee.parameters[parameter]->result;
      if (id >= new_id_.size()) new_id_.resize(module_.bound());
      new_id_[id] = call.operands[parameter + 1];
      changed_.push_back(id);
    }
    // What the body defines gets new ids; everything else stands outside of functions and keeps its own.
    for (const Block* block : callee.blocks) {
      NewIdOf(block->label);
      for (const Inst* inst : block->phis) NewIdOf(inst->result);
      for (const Inst* inst : block->body) {
        if (inst->result != 0) NewIdOf(inst->result);
      }
    }
    before.terminator = module_.Make(Op::kBranch, 0, 0, {NewIdOf(callee.blocks.front()->label)});
    std::vector<Block*> blocks;
    for (const Block* block : callee.blocks) blocks.push_back(Copy(*block, call, *after));
    blocks.push_back(after);
    for (const Id id : changed_) new_id_[id] = 0;
    changed_.clear();
    return blocks;
  }

  Block* Copy(const Block& block, const Inst& call, Block& after) {
    Block* copy = module_.MakeBlock(NewIdOf(block.label));
    blocks_.Add(copy);
    for (const Inst* phi : block.phis) copy->phis.push_back(Copy(*phi));
    for (const Inst* inst : block.body) {
      Inst* made = Copy(*inst);
      if (inst->op != Op::kVariable) {
        copy->body.push_back(made);
        continue;
      }
      module_.CopyName(inst->result, made->result);
      if (made->count > 1) {  // its initial value, at each call
        copy->body.push_back(module_.Make(Op::kStore, 0, 0, {made->result, made->operands[1]}));
        made->count = 1;
      }
      variables_.push_back(made);
    }
    if (block.merge != nullptr) copy->merge = Copy(*block.merge);
    const Inst& end = *block.terminator;
    if (end.op != Op::kReturn && end.op != Op::kReturnValue) {
      copy->terminator = Copy(end);
      return copy;
    }
    copy->terminator = module_.Make(Op::kBranch, 0, 0, {after.label});
    if (end.op == Op::kReturnValue) {
      Id value = end.operands[0];
      if (value < new_id_.size() && new_id_[value] != 0) value = new_id_[value];
      Inst* result = module_.Make(Op::kCopyObject, call.type, call.result, {value});
      result->line = call.line;
      after.body.insert(after.body.begin(), result);
    }
    return copy;
  }

  Inst* Copy(const Inst& inst) {
    Inst* copy = module_.Make(inst.op, inst.type, inst.result == 0 ? 0 : NewIdOf(inst.result), inst.words());
    copy->line = inst.line;
    ForEachId(*copy, [&](uint32_t& id) {
      if (id < new_id_.size() && new_id_[id] != 0) id = new_id_[id];
    });
    if (const uint32_t set = module_.DecorationsOf(inst.result); set != 0) module_.SetDecorations(copy->result, set);
    return copy;
  }

  // OpSampledImage must stand in the block of its use.
  void RepeatSampledImages(const Block& before, Block& after) {
    for (const Inst* inst : before.body) {
      if (inst->op != Op::kSampledImage) continue;
      Inst* copy = nullptr;
      for (Inst* user : after.body) {
        ForEachId(*user, [&](uint32_t& id) {
          if (id != inst->result) return;
          if (copy == nullptr) copy = module_.MakeValue(inst->op, inst->type, inst->words(), inst->line);
          id = copy->result;
        });
      }
      if (copy == nullptr) continue;
      if (const uint32_t set = module_.DecorationsOf(inst->result); set != 0) module_.SetDecorations(copy->result, set);
      after.body.insert(after.body.begin(), copy);
    }
  }

  Module& module_;
  BlockMap& blocks_;
  std::vector<uint32_t> function_of_;  // by id: place in the module's functions, from 1
  std::vector<Facts> facts_;
  std::vector<Id> new_id_;  // while a body is copied
  std::vector<Id> changed_;
  std::vector<Inst*> variables_;  // of the bodies that were put into the caller
};

}  // namespace

void InlineCalls(Module& module, BlockMap& blocks) { Inliner(module, blocks).Run(); }

}  // namespace kiln::opt::spirv
