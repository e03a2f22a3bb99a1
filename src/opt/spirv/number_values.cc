// SPDX-License-Identifier: Apache-2.0
// One walk over the blocks in reverse postorder: every instruction is simplified, and dropped where a dominating one
// makes the same value.
#include <algorithm>

#include "opt/spirv/effects.h"
#include "opt/spirv/passes.h"
#include "opt/spirv/simplify.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kUniformConstantClass = 0;
constexpr uint32_t kInputClass = 1;
constexpr uint32_t kUniformClass = 2;
constexpr uint32_t kPushConstantClass = 9;

constexpr uint32_t kDecorationBufferBlock = 3;
constexpr uint32_t kDecorationBuiltIn = 11;
constexpr uint32_t kDecorationVolatile = 21;
constexpr uint32_t kDecorationCoherent = 23;
constexpr uint32_t kDecorationNonUniform = 5300;
constexpr uint32_t kBuiltInHelperInvocation = 23;

constexpr uint32_t kLastClassicModel = 5;  // vertex to compute
constexpr uint32_t kExecutionModeSignedZero = 4461;

bool IsCommutative(Op op) {
  switch (op) {
    case Op::kIAdd:
    case Op::kFAdd:
    case Op::kIMul:
    case Op::kFMul:
    case Op::kLogicalEqual:
    case Op::kLogicalNotEqual:
    case Op::kLogicalOr:
    case Op::kLogicalAnd:
    case Op::kIEqual:
    case Op::kINotEqual:
    case Op::kFOrdEqual:
    case Op::kFUnordNotEqual:
    case Op::kBitwiseOr:
    case Op::kBitwiseXor:
    case Op::kBitwiseAnd:
      return true;
    default:
      return false;
  }
}

class Numbering {
 public:
  Numbering(Module& module, Function& function, const BlockMap& blocks)
      : module_(module),
        flow_(function, blocks),
        replaced_(module.bound()),
        block_of_(module.bound(), ControlFlow::kNone) {}

  bool Run() {
    FindReadOnly();
    size_t count = 16;
    for (const Block* block : flow_.order()) count += block->body.size() + block->phis.size();
    size_t size = 32;
    while (size < count * 2) size *= 2;
    table_.resize(size);
    for (uint32_t block = 0; block < flow_.order().size(); ++block) Number(block);
    for (Block* block : flow_.order()) {
      for (Inst* phi : block->phis) ForEachId(*phi, [&](uint32_t& id) { id = Resolve(id); });
    }
    return has_constant_branch_;
  }

 private:
  struct Entry {
    Inst* inst = nullptr;
    uint32_t block = 0;
    uint32_t hash = 0;
  };

  Id Resolve(Id id) const {
    while (id < replaced_.size() && replaced_[id] != 0) id = replaced_[id];
    return id;
  }

  void Number(uint32_t at) {
    Block& block = *flow_.order()[at];
    size_t kept = 0;
    for (Inst* phi : block.phis) {
      ForEachId(*phi, [&](uint32_t& id) { id = Resolve(id); });
      Id value = OnlyValue(*phi, at);
      if (value == 0) value = Twin(*phi, at, true);
      if (value != 0 && Replace(*phi, value)) continue;
      SetBlock(phi->result, at);
      block.phis[kept++] = phi;
    }
    block.phis.resize(kept);
    kept = 0;
    for (Inst* inst : block.body) {
      ForEachId(*inst, [&](uint32_t& id) { id = Resolve(id); });
      if (const Id value = inst->result == 0 ? 0 : ValueOf(*inst, at); value != 0 && Replace(*inst, value)) continue;
      if (inst->result != 0) SetBlock(inst->result, at);
      block.body[kept++] = inst;
    }
    block.body.resize(kept);
    Inst& end = *block.terminator;
    ForEachId(end, [&](uint32_t& id) { id = Resolve(id); });
    if (end.op == Op::kBranchConditional || end.op == Op::kSwitch) has_constant_branch_ |= IsDecided(end);
  }

  bool IsDecided(const Inst& end) const {
    uint32_t bits = 0;
    if (!module_.ConstantBits(end.operands[0], bits)) return false;
    return end.op == Op::kBranchConditional || end.count > 2;
  }

  void SetBlock(Id id, uint32_t block) {
    if (id >= block_of_.size()) block_of_.resize(module_.bound(), ControlFlow::kNone);
    block_of_[id] = block;
  }

  // False if it would stand for itself, as where values use each other in a circle.
  bool Replace(const Inst& inst, Id value) {
    value = Resolve(value);
    if (value == inst.result) return false;
    if (inst.result >= replaced_.size()) replaced_.resize(module_.bound());
    replaced_[inst.result] = value;
    return true;
  }

  // Whether a value is there at the start of a block.
  bool IsThere(Id id, uint32_t block) const {
    if (id >= block_of_.size() || block_of_[id] == ControlFlow::kNone) {
      const Inst* inst = module_.Find(id);
      return inst != nullptr &&
             (inst->op == Op::kUndef || (inst->op >= Op::kConstantTrue && inst->op <= Op::kSpecConstantOp));
    }
    return flow_.Dominates(block_of_[id], block) && block_of_[id] != block;
  }

  // A phi of one value and of undefined ones is that value.
  Id OnlyValue(const Inst& phi, uint32_t block) const {
    Id value = 0;
    bool has_undefined = false;
    for (uint16_t at = 0; at < phi.count; at += 2) {
      const Id operand = phi.operands[at];
      if (operand == phi.result || operand == value) continue;
      const Inst* inst = module_.Find(operand);
      if (inst != nullptr && inst->op == Op::kUndef) {
        has_undefined = true;
        continue;
      }
      if (value != 0) return 0;
      value = operand;
    }
    if (value == 0 && has_undefined)
      return phi.operands[0] == phi.result && phi.count > 2 ? phi.operands[2] : phi.operands[0];
    return value != 0 && IsThere(value, block) ? value : 0;
  }

  Id ValueOf(Inst& inst, uint32_t block) {
    if (EffectOf(inst) == Effect::kDoes || inst.op == Op::kVariable) return 0;
    if (inst.op == Op::kLoad) return IsReadOnly(inst) ? Twin(inst, block, false) : 0;
    if (EffectOf(inst) != Effect::kNone) return 0;
    if (const Id value = Simplify(module_, inst, keeps_signed_zero_); value != 0) {
      // A copy may be made for the sake of this decoration alone.
      return module_.HasDecoration(inst.result, kDecorationNonUniform) &&
                     !module_.HasDecoration(value, kDecorationNonUniform)
                 ? 0
                 : value;
    }
    // OpSampledImage stands in the block of its use, an image's texel pointer beside its atomic.
    constexpr Op kImageTexelPointer = static_cast<Op>(60);
    if (inst.op == Op::kSampledImage || inst.op == kImageTexelPointer) return 0;
    return Twin(inst, block, false);
  }

  uint32_t HashOf(const Inst& inst) const {
    uint64_t hash = (static_cast<uint64_t>(inst.op) << 32 | inst.type) * 0x9e3779b97f4a7c15;
    if (inst.count == 2 && IsCommutative(inst.op)) {
      hash ^= (inst.operands[0] + inst.operands[1]) * 0xff51afd7ed558ccd;
    } else {
      for (const uint32_t word : inst.words()) hash = (hash ^ word) * 0xff51afd7ed558ccd + (hash >> 29);
    }
    return static_cast<uint32_t>(hash >> 32);
  }

  bool AreTwins(const Inst& a, const Inst& b) const {
    if (a.op != b.op || a.type != b.type || a.count != b.count) return false;
    if (module_.DecorationsOf(a.result) != module_.DecorationsOf(b.result)) return false;
    if (std::equal(a.operands, a.operands + a.count, b.operands)) return true;
    return a.count == 2 && IsCommutative(a.op) && a.operands[0] == b.operands[1] && a.operands[1] == b.operands[0];
  }

  Id Twin(Inst& inst, uint32_t block, bool in_block) {
    const uint32_t hash = HashOf(inst);
    const size_t mask = table_.size() - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
      Entry& entry = table_[at];
      if (entry.inst == nullptr) {
        if (++filled_ * 2 > table_.size()) return 0;  // only if simplifying made more than there was
        entry = {&inst, block, hash};
        return 0;
      }
      if (entry.hash != hash || !AreTwins(*entry.inst, inst)) continue;
      if (in_block ? entry.block == block : flow_.Dominates(entry.block, block)) return entry.inst->result;
      entry = {&inst, block, hash};
      return 0;
    }
  }

  // Memory that nothing writes while the shader runs.
  bool IsReadOnly(const Inst& load) const {
    if (load.count > 1) return false;
    const Inst* pointer = module_.Find(load.operands[0]);
    for (int depth = 0; depth < 16 && pointer != nullptr; ++depth) {
      if (pointer->op == Op::kVariable) return pointer->result < is_read_only_.size() && is_read_only_[pointer->result];
      if (pointer->op != Op::kAccessChain && pointer->op != Op::kInBoundsAccessChain) return false;
      pointer = module_.Find(pointer->operands[0]);
    }
    return false;
  }

  void FindReadOnly() {
    for (const Inst* mode : module_.execution_modes) {
      keeps_signed_zero_ |= mode->count > 1 && mode->operands[1] == kExecutionModeSignedZero;
    }
    const bool is_classic = std::ranges::all_of(
        module_.entry_points, [](const Inst* entry) { return entry->operands[0] <= kLastClassicModel; });
    is_read_only_.resize(module_.bound());
    for (const Inst* inst : module_.globals) {
      if (inst->op != Op::kVariable) continue;
      const uint32_t storage = inst->operands[0];
      is_read_only_[inst->result] = storage == kUniformConstantClass || storage == kUniformClass ||
                                    storage == kPushConstantClass || (storage == kInputClass && is_classic);
    }
    std::vector<bool> is_buffer(module_.bound());
    for (const Inst* inst : module_.annotations) {
      const Id target = inst->operands[0];
      if (inst->op != Op::kDecorate || target >= is_buffer.size()) continue;
      const uint32_t decoration = inst->operands[1];
      if (decoration == kDecorationBufferBlock) is_buffer[target] = true;
      const bool is_helper =
          decoration == kDecorationBuiltIn && inst->count > 2 && inst->operands[2] == kBuiltInHelperInvocation;
      if (is_helper || decoration == kDecorationVolatile || decoration == kDecorationCoherent)
        is_read_only_[target] = false;
    }
    for (const Inst* inst : module_.globals) {
      if (inst->op != Op::kVariable || inst->operands[0] != kUniformClass) continue;
      Id type = module_.Pointee(inst->type);
      for (const Inst* at = module_.Find(type);
           at != nullptr && (at->op == Op::kTypeArray || at->op == Op::kTypeRuntimeArray);) {
        type = at->operands[0];
        at = module_.Find(type);
      }
      if (is_buffer[type]) is_read_only_[inst->result] = false;
    }
  }

  Module& module_;
  ControlFlow flow_;
  std::vector<Id> replaced_;
  std::vector<uint32_t> block_of_;  // by value: the block that makes it
  std::vector<Entry> table_;
  size_t filled_ = 0;
  std::vector<bool> is_read_only_;  // by variable
  bool keeps_signed_zero_ = false;
  bool has_constant_branch_ = false;
};

}  // namespace

bool SimplifyValues(Module& module, Function& function, const BlockMap& blocks) {
  return Numbering(module, function, blocks).Run();
}

}  // namespace kiln::opt::spirv
