// SPDX-License-Identifier: Apache-2.0
// Makes variables smaller and nearer: from the module into a function, from a struct into its members.
#include <algorithm>

#include "opt/spirv/effects.h"
#include "opt/spirv/passes.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kPrivateClass = 6;
constexpr uint32_t kFunctionClass = 7;
constexpr uint32_t kMostParts = 64;  // of one variable
constexpr int kDeepest = 8;          // structs within structs

template <typename Each>
void ForEachInst(const Function& function, const Each& each) {
  for (const Block* block : function.blocks) {
    for (Inst* inst : block->phis) each(*inst);
    for (Inst* inst : block->body) each(*inst);
    each(*block->terminator);
  }
}

class PrivateVariables {
 public:
  explicit PrivateVariables(Module& module) : module_(module) {}

  void Run() {
    for (const Inst* inst : module_.globals) {
      if (inst->op == Op::kVariable && inst->operands[0] == kPrivateClass) is_private_ = true;
    }
    if (!is_private_) return;
    user_.resize(module_.bound());
    root_.resize(module_.bound());
    for (const Inst* inst : module_.globals) {
      if (inst->op == Op::kVariable && inst->operands[0] == kPrivateClass) root_[inst->result] = inst->result;
    }
    for (const Inst* inst : module_.globals) ForEachId(*inst, [&](Id id) { Refuse(id); });
    for (uint32_t at = 0; at < module_.functions.size(); ++at) {
      const Function& function = *module_.functions[at];
      const bool is_entry = std::ranges::any_of(
          module_.entry_points, [&](const Inst* entry) { return entry->operands[1] == function.definition->result; });
      ForEachInst(function, [&](const Inst& inst) { Look(inst, is_entry ? at + 1 : kRefused); });
    }
    std::vector<Inst*> kept;
    // Moving makes pointer types, which come at the end of the list.
    for (size_t at = 0; at < module_.globals.size(); ++at) {
      Inst* inst = module_.globals[at];
      const bool moves = inst->op == Op::kVariable && inst->operands[0] == kPrivateClass && user_[inst->result] != 0 &&
                         user_[inst->result] != kRefused;
      if (moves) Move(*inst, *module_.functions[user_[inst->result] - 1]);
      if (!moves) kept.push_back(inst);
    }
    if (kept.size() == module_.globals.size()) return;
    module_.SetGlobals(std::move(kept));
    for (const auto& function : module_.functions) ForEachInst(*function, [&](Inst& inst) { Retype(inst); });
  }

 private:
  static constexpr uint32_t kRefused = 0xffffffff;

  void Refuse(Id id) {
    if (root_[id] != 0) user_[root_[id]] = kRefused;
  }

  void Look(const Inst& inst, uint32_t function) {
    const bool is_access = inst.op == Op::kLoad || inst.op == Op::kStore || IsChain(inst.op);
    size_t at = 0;
    ForEachId(inst, [&](Id id) {
      const bool is_pointer = at++ == 0;
      if (root_[id] == 0) return;
      uint32_t& user = user_[root_[id]];
      user = !is_access || !is_pointer || (user != 0 && user != function) ? kRefused : function;
      if (IsChain(inst.op) && is_pointer) root_[inst.result] = root_[id];
    });
  }

  void Move(Inst& variable, Function& function) {
    variable.operands[0] = kFunctionClass;
    variable.type = module_.PointerType(kFunctionClass, module_.Pointee(variable.type));
    Module::AddVariable(function, &variable);
  }

  void Retype(Inst& inst) {
    if (!IsChain(inst.op) || root_[inst.result] == 0) return;
    const uint32_t user = user_[root_[inst.result]];
    if (user != kRefused) inst.type = module_.PointerType(kFunctionClass, module_.Pointee(inst.type));
  }

  Module& module_;
  bool is_private_ = false;
  std::vector<uint32_t> user_;  // by variable: place of the function from 1, 0 for none
  std::vector<Id> root_;        // by pointer: the variable that it points into
};

class Splitter {
 public:
  Splitter(Module& module, Function& function) : module_(module), function_(function) {}

  void Run() {
    const std::vector<Inst*>& first = function_.blocks.front()->body;
    if (first.empty() || first.front()->op != Op::kVariable) return;
    FlattenChains();
    for (int depth = 0; depth < kDeepest && Round(); ++depth) {
    }
  }

 private:
  struct Split {
    Inst* variable = nullptr;
    std::vector<Id> parts;  // variables
  };

  // Chains of chains become one from the variable on; copies between variables become loads and stores.
  void FlattenChains() {
    for (Block* block : function_.blocks) {
      for (size_t at = 0; at < block->body.size(); ++at) {
        Inst* inst = block->body[at];
        if (inst->op == Op::kCopyMemory && inst->count == 2) {
          const Id type = module_.Pointee(module_.TypeOf(inst->operands[1]));
          if (type == 0 || type != module_.Pointee(module_.TypeOf(inst->operands[0]))) continue;
          Inst* load = module_.MakeValue(Op::kLoad, type, {inst->operands[1]}, inst->line);
          Inst* store = module_.Make(Op::kStore, 0, 0, {inst->operands[0], load->result});
          store->line = inst->line;
          block->body[at] = load;
          block->body.insert(block->body.begin() + static_cast<ptrdiff_t>(++at), store);
          continue;
        }
        // Others may say of a part of the way that it is not uniform.
        if (!IsChain(inst->op) || module_.StorageClassOf(inst->type) != kFunctionClass) continue;
        const Inst* base = module_.Find(inst->operands[0]);
        if (base == nullptr || !IsChain(base->op) || base == inst) continue;
        std::vector<uint32_t> operands(base->operands, base->operands + base->count);
        operands.insert(operands.end(), inst->operands + 1, inst->operands + inst->count);
        inst->operands = module_.arena.Copy(operands).data();
        inst->count = static_cast<uint16_t>(operands.size());
        if (base->op == Op::kAccessChain) inst->op = Op::kAccessChain;
      }
    }
  }

  bool Round() {
    split_of_.assign(module_.bound(), 0);
    splits_.assign(1, {});
    for (Inst* inst : function_.blocks.front()->body) {
      if (inst->op != Op::kVariable) break;
      const Id type = module_.Pointee(inst->type);
      const Inst* definition = module_.Find(type);
      if (definition == nullptr || (definition->op != Op::kTypeStruct && definition->op != Op::kTypeArray)) continue;
      const uint32_t parts = module_.PartCount(type);
      if (parts == 0 || parts > kMostParts || !CanSplitInitial(*inst) || HasPointers(*definition)) continue;
      split_of_[inst->result] = static_cast<uint32_t>(splits_.size());
      splits_.push_back({inst, {}});
    }
    if (splits_.size() == 1) return false;
    ForEachInst(function_, [&](const Inst& inst) { Look(inst); });
    bool is_any = false;
    for (size_t at = 1; at < splits_.size(); ++at) is_any |= split_of_[splits_[at].variable->result] != 0;
    if (!is_any) return false;
    for (Split& split : splits_) {
      if (split.variable != nullptr && split_of_[split.variable->result] != 0) MakeParts(split);
    }
    Rewrite();
    return true;
  }

  // A variable that is itself a pointer to a buffer needs a decoration that a member does not.
  bool HasPointers(const Inst& type) const {
    const std::span<const uint32_t> parts = type.words().first(type.op == Op::kTypeStruct ? type.count : 1);
    return std::ranges::any_of(parts, [&](Id part) { return module_.Pointee(part) != 0; });
  }

  bool CanSplitInitial(const Inst& variable) const {
    if (variable.count < 2) return true;
    const Inst* initial = module_.Find(variable.operands[1]);
    return initial != nullptr && (initial->op == Op::kConstantComposite || initial->op == Op::kSpecConstantComposite ||
                                  initial->op == Op::kConstantNull);
  }

  void Look(const Inst& inst) {
    size_t at = 0;
    ForEachId(inst, [&](Id id) {
      const bool is_pointer = at++ == 0;
      if (id >= split_of_.size() || split_of_[id] == 0) return;
      bool is_fine = is_pointer;
      if (IsChain(inst.op)) {
        uint32_t index = 0;
        is_fine &= inst.count > 1 && module_.ConstantBits(inst.operands[1], index) &&
                   index < module_.PartCount(module_.Pointee(splits_[split_of_[id]].variable->type));
      } else {
        is_fine &=
            (inst.op == Op::kLoad && IsPlainAccess(inst, 1)) || (inst.op == Op::kStore && IsPlainAccess(inst, 2));
      }
      if (!is_fine) split_of_[id] = 0;
    });
  }

  void MakeParts(Split& split) {
    const Id type = module_.Pointee(split.variable->type);
    const uint32_t count = module_.PartCount(type);
    const Inst* initial = split.variable->count > 1 ? module_.Find(split.variable->operands[1]) : nullptr;
    for (uint32_t part = 0; part < count; ++part) {
      const Id part_type = module_.PartType(type, part);
      std::vector<uint32_t> operands{kFunctionClass};
      if (initial != nullptr && initial->op == Op::kConstantNull) {
        operands.push_back(module_.Null(part_type));
      } else if (initial != nullptr && part < initial->count) {
        operands.push_back(initial->operands[part]);
      }
      Inst* variable = module_.MakeValue(Op::kVariable, module_.PointerType(kFunctionClass, part_type), operands,
                                         split.variable->line);
      module_.SetDecorations(variable->result, module_.DecorationsOf(split.variable->result));
      module_.CopyName(split.variable->result, variable->result);
      split.parts.push_back(variable->result);
    }
  }

  const Split* SplitOf(Id id) const {
    return id < split_of_.size() && split_of_[id] != 0 ? &splits_[split_of_[id]] : nullptr;
  }

  void Rewrite() {
    std::vector<Id> replaced(module_.bound());
    for (Block* block : function_.blocks) {
      std::vector<Inst*> body;
      body.reserve(block->body.size());
      if (block == function_.blocks.front()) {
        for (const Split& split : splits_) {
          for (const Id part : split.parts) body.push_back(module_.Find(part));
        }
      }
      for (Inst* inst : block->body) {
        ForEachId(*inst, [&](uint32_t& id) {
          if (id < replaced.size() && replaced[id] != 0) id = replaced[id];
        });
        const Split* split = inst->op == Op::kVariable ? SplitOf(inst->result)
                             : inst->count > 0         ? SplitOf(inst->operands[0])
                                                       : nullptr;
        if (split == nullptr) {
          body.push_back(inst);
        } else if (inst->op == Op::kLoad) {
          Load(*inst, *split, body);
        } else if (inst->op == Op::kStore) {
          Store(*inst, *split, body);
        } else if (IsChain(inst->op)) {
          uint32_t index = 0;
          module_.ConstantBits(inst->operands[1], index);
          if (inst->count == 2) {
            replaced[inst->result] = split->parts[index];
            continue;
          }
          inst->operands[1] = split->parts[index];
          ++inst->operands;
          --inst->count;
          body.push_back(inst);
        }
      }
      block->body = std::move(body);
      for (Inst* phi : block->phis) {
        ForEachId(*phi, [&](uint32_t& id) {
          if (id < replaced.size() && replaced[id] != 0) id = replaced[id];
        });
      }
    }
  }

  void Load(Inst& inst, const Split& split, std::vector<Inst*>& body) {
    std::vector<uint32_t> values;
    for (uint32_t part = 0; part < split.parts.size(); ++part) {
      Inst* load = module_.MakeValue(Op::kLoad, module_.PartType(inst.type, part), {split.parts[part]}, inst.line);
      module_.SetDecorations(load->result, module_.DecorationsOf(inst.result));
      values.push_back(load->result);
      body.push_back(load);
    }
    inst.op = Op::kCompositeConstruct;
    inst.operands = module_.arena.Copy(values).data();
    inst.count = static_cast<uint16_t>(values.size());
    body.push_back(&inst);
  }

  void Store(const Inst& inst, const Split& split, std::vector<Inst*>& body) {
    const Id type = module_.Pointee(split.variable->type);
    for (uint32_t part = 0; part < split.parts.size(); ++part) {
      Inst* value =
          module_.MakeValue(Op::kCompositeExtract, module_.PartType(type, part), {inst.operands[1], part}, inst.line);
      Inst* store = module_.Make(Op::kStore, 0, 0, {split.parts[part], value->result});
      store->line = inst.line;
      body.push_back(value);
      body.push_back(store);
    }
  }

  Module& module_;
  Function& function_;
  std::vector<uint32_t> split_of_;  // by variable: index in splits_; 0 for what is not split
  std::vector<Split> splits_;
};

}  // namespace

void MakePrivateVariablesLocal(Module& module) { PrivateVariables(module).Run(); }

void SplitVariables(Module& module, Function& function) { Splitter(module, function).Run(); }

}  // namespace kiln::opt::spirv
