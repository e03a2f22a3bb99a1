// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/optimize.h"

#include <algorithm>

#include "opt/spirv/passes.h"
#include "opt/spirv/reader.h"
#include "opt/spirv/writer.h"

namespace kiln::opt::spirv {
namespace {

// Passes have tables over all ids for each function that is left, which is a few where calls can be inlined.
constexpr size_t kMostTableEntries = size_t{1} << 28;
constexpr int kMostRounds = 4;  // of folding branches whose conditions other folded branches made constant

void DropUncalledFunctions(Module& module) {
  std::vector<bool> is_called(module.bound());
  for (const Inst* entry : module.entry_points) is_called[entry->operands[1]] = true;
  for (const auto& function : module.functions) {
    for (const Block* block : function->blocks) {
      for (const Inst* inst : block->body) {
        if (inst->op == Op::kFunctionCall) is_called[inst->operands[0]] = true;
      }
    }
  }
  std::erase_if(module.functions, [&](const auto& function) { return !is_called[function->definition->result]; });
}

void OptimizeFunction(Module& module, Function& function, BlockMap& blocks) {
  // Structs first, since a variable of one part can become a value where the whole cannot.
  SplitVariables(module, function);
  PromoteVariables(module, function, blocks);
  // What is still a variable is an array that is indexed by values.
  ForwardCopies(module, function, blocks);
  // Before equal values become one: a loop that does nothing would stay for a value that others took from it.
  RemoveDeadCode(module, function, blocks);
  for (int round = 0; round < kMostRounds; ++round) {
    // Only values show that a branch is decided, and only without the other arm do phis become values.
    if (!SimplifyValues(module, function, blocks) || !RemoveDeadBranches(module, function, blocks)) break;
  }
  // Arms are empty once what nobody needs is gone.
  RemoveDeadCode(module, function, blocks);
  const bool has_selects = MakeSelects(module, function, blocks);
  MergeBlocks(module, function, blocks);
  if (!has_selects) return;
  SimplifyValues(module, function, blocks);
  RemoveDeadCode(module, function, blocks);
}

}  // namespace

Optimized Optimize(std::span<const uint32_t> words, const Options& options) {
  Module module;
  Optimized result;
  result.refused = Read(words, module);
  if (!result.refused.empty()) return result;
  BlockMap blocks(module);
  for (const auto& function : module.functions) blocks.Add(*function);
  for (const auto& function : module.functions) DropUnreachedBlocks(module, *function, blocks);
  InlineCalls(module, blocks);
  DropUncalledFunctions(module);
  if (module.functions.size() * module.bound() > kMostTableEntries) {
    result.refused = "too many functions whose calls cannot be inlined";
    return result;
  }
  // A call that never returns leaves what is behind it.
  for (const auto& function : module.functions) DropUnreachedBlocks(module, *function, blocks);
  MakePrivateVariablesLocal(module);
  for (const auto& function : module.functions) OptimizeFunction(module, *function, blocks);
  result.words = Write(module, options);
  return result;
}

}  // namespace kiln::opt::spirv
