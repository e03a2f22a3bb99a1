// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/reader_checks.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace kiln::opt::spirv {

namespace {

bool AreKnownOutside(const Module& module) {
  bool is_known = true;
  const auto check = [&](const Inst* inst) {
    ForEachId(*inst, [&](Id id) { is_known &= module.Find(id) != nullptr; });
  };
  for (const Inst* entry : module.entry_points) {
    const Inst* function = module.Find(entry->operands[1]);
    is_known &= function != nullptr && function->op == Op::kFunction;
    for (size_t at = InterfaceStart(*entry); at < entry->count; ++at) {
      is_known &= module.Find(entry->operands[at]) != nullptr;
    }
  }
  for (const Inst* inst : module.execution_modes) check(inst);
  for (const Inst* inst : module.annotations) check(inst);
  for (const Line& line : module.lines) is_known &= line.file < module.bound();
  for (const Inst* inst : module.debug) {
    const bool has_file = static_cast<uint32_t>(inst->op) == 3 && inst->count > 2;  // OpSource
    is_known &= !has_file || module.Find(inst->operands[2]) != nullptr;
  }
  return is_known;
}

// `is_label`: whether an id is a label of the block's function.
template <typename IsLabel>
bool AreKnownIn(const Module& module, const Block& block, const IsLabel& is_label) {
  bool is_known = true;
  const auto check_value = [&](Id id) { is_known &= module.TypeOf(id) != 0; };
  for (const Inst* phi : block.phis) {
    for (size_t at = 0; at < phi->count; at += 2) {
      check_value(phi->operands[at]);
      is_known &= is_label(phi->operands[at + 1]);
    }
  }
  for (const Inst* inst : block.body) {
    // A function or a set of instructions comes first, and is no value.
    bool is_name = inst->op == Op::kFunctionCall || inst->op == Op::kExtInst;
    ForEachId(*inst, [&](Id id) {
      if (is_name) {
        is_known &= module.Find(id) != nullptr;
      } else {
        check_value(id);
      }
      is_name = false;
    });
  }
  if (block.merge != nullptr) {
    is_known &= is_label(block.MergeLabel()) && (!block.IsLoopHeader() || is_label(block.ContinueLabel()));
  }
  const Inst& end = *block.terminator;
  const bool has_value = end.op == Op::kBranchConditional || end.op == Op::kSwitch || end.op == Op::kReturnValue;
  if (has_value) check_value(end.operands[0]);
  if (end.op == Op::kSwitch) {  // literals of another width have another number of words
    const Module::Scalar selector = module.ScalarOf(module.TypeOf(end.operands[0]));
    is_known &= selector == Module::Scalar::kInt32 || selector == Module::Scalar::kUint32;
  }
  ForEachId(end, [&](Id id) { is_known &= module.Find(id) != nullptr || is_label(id); });
  ForEachSuccessor(block, [&](Id label) { is_known &= is_label(label); });
  return is_known;
}

}  // namespace

std::string_view CheckIds(const Module& module) {
  bool is_known = AreKnownOutside(module);
  std::vector<uint32_t> function_of(module.bound());  // by label, from 1
  uint32_t number = 0;
  for (const auto& function : module.functions) {
    ++number;
    for (const Block* block : function->blocks) function_of[block->label] = number;
    const auto is_label = [&](Id id) { return id < function_of.size() && function_of[id] == number; };
    for (const Block* block : function->blocks) is_known &= AreKnownIn(module, *block, is_label);
  }
  return is_known ? std::string_view() : "an id that is not defined, or is no value or label where one is meant";
}

std::string_view SortDecorations(Module& module) {
  std::vector<bool> is_inside(module.bound());
  for (const auto& function : module.functions) {
    for (const Block* block : function->blocks) {
      for (const Inst* inst : block->phis) is_inside[inst->result] = true;
      for (const Inst* inst : block->body) is_inside[inst->result] = true;
    }
  }
  is_inside[0] = false;
  std::vector<std::pair<Id, Inst*>> inside;
  std::vector<Inst*> others;
  for (Inst* inst : module.annotations) {
    const Id target = inst->operands[0];
    if (target >= is_inside.size()) return "an id that is not defined";
    if (!is_inside[target]) {
      others.push_back(inst);
      continue;
    }
    if (inst->op != Op::kDecorate) return "a decoration that the optimiser does not know";
    inside.emplace_back(target, inst);
  }
  module.annotations = std::move(others);
  std::ranges::stable_sort(inside, {}, [](const auto& row) { return row.first; });
  for (size_t at = 0; at < inside.size();) {
    const Id target = inside[at].first;
    std::vector<std::vector<uint32_t>> each;
    for (; at < inside.size() && inside[at].first == target; ++at) {
      const std::span<const uint32_t> words = inside[at].second->words().subspan(1);
      each.emplace_back(words.begin(), words.end());
    }
    std::ranges::sort(each);
    std::vector<uint32_t> set;
    for (const std::vector<uint32_t>& words : each) {
      set.push_back(static_cast<uint32_t>(words.size()));
      set.insert(set.end(), words.begin(), words.end());
    }
    module.SetDecorations(target, module.InternDecorations(set));
  }
  return {};
}

}  // namespace kiln::opt::spirv
