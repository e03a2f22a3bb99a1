// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module taken apart into functions, blocks and instructions, so that passes can move them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "opt/spirv/ops.h"

namespace kiln::opt::spirv {

using Id = uint32_t;  // 0 is none

/// Where in the author's text an instruction comes from: an OpLine.
struct Line {
  Id file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const Line&) const = default;
};

struct Inst {
  Op op = Op::kNop;
  uint16_t count = 0;  // of operand words
  uint32_t line = 0;   // index into Module::lines; 0 is none
  Id type = 0;
  Id result = 0;
  uint32_t* operands = nullptr;  // without type and result; in the module's arena

  uint32_t& operator[](size_t at) { return operands[at]; }
  uint32_t operator[](size_t at) const { return operands[at]; }
  std::span<uint32_t> words() { return {operands, count}; }
  std::span<const uint32_t> words() const { return {operands, count}; }
};

/// A basic block. Its label's id is its name.
struct Block {
  Id label = 0;
  std::vector<Inst*> phis;
  std::vector<Inst*> body;
  Inst* merge = nullptr;  // OpSelectionMerge or OpLoopMerge: the block is the header of a construct
  Inst* terminator = nullptr;
  uint32_t order = 0;  // in reverse postorder, from ControlFlow; kUnreached if nothing leads here

  static constexpr uint32_t kUnreached = 0xffffffff;
  static constexpr uint32_t kStub = 0xfffffffe;  // unreached, but named by a merge
  bool IsLoopHeader() const { return merge != nullptr && merge->op == Op::kLoopMerge; }
  Id MergeLabel() const { return merge == nullptr ? 0 : merge->operands[0]; }
  Id ContinueLabel() const { return IsLoopHeader() ? merge->operands[1] : 0; }
};

struct Function {
  Inst* definition = nullptr;  // OpFunction: operands are control and function type
  std::vector<Inst*> parameters;
  std::vector<Block*> blocks;  // the first is the entry; a block stands after those that dominate it
};

class Module {
 public:
  Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  uint32_t version = 0;
  uint32_t generator = 0;
  Arena arena;
  std::vector<Inst*> preamble;      // capabilities, extensions, imports, memory model
  std::vector<Inst*> entry_points;  // operands: model, function, name, interface
  std::vector<Inst*> execution_modes;
  std::vector<Inst*> debug;        // strings, sources, names, module-processed
  std::vector<Inst*> annotations;  // decorations of what stands outside functions, of functions and parameters
  std::vector<Inst*> globals;      // types, constants, variables
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Line> lines{Line{}};

  Id bound() const { return static_cast<Id>(definitions_.size()); }
  /// The instruction whose result is `id`; null for labels and for what is not there.
  Inst* Find(Id id) const { return id < definitions_.size() ? definitions_[id] : nullptr; }
  void Define(Inst* inst) { definitions_[inst->result] = inst; }
  Id NewId();
  void ResizeBound(Id bound);

  Inst* Make(Op op, Id type, Id result, std::span<const uint32_t> operands);
  Inst* Make(Op op, Id type, Id result, std::initializer_list<uint32_t> operands) {
    return Make(op, type, result, std::span<const uint32_t>(operands.begin(), operands.size()));
  }
  /// A new value: an instruction with a new id.
  Inst* MakeValue(Op op, Id type, std::span<const uint32_t> operands, uint32_t line) {
    Inst* inst = Make(op, type, NewId(), operands);
    inst->line = line;
    return inst;
  }
  Inst* MakeValue(Op op, Id type, std::initializer_list<uint32_t> operands, uint32_t line) {
    return MakeValue(op, type, std::span<const uint32_t>(operands.begin(), operands.size()), line);
  }
  Block* MakeBlock(Id label);

  /// The decorations of an id inside a function (RelaxedPrecision, NoContraction, ...): a number that is equal for
  /// equal sets; 0 is none.
  uint32_t DecorationsOf(Id id) const { return id < decorations_.size() ? decorations_[id] : 0; }
  void SetDecorations(Id id, uint32_t set);
  /// The set's decorations: each is the words after the target, the first word being their count.
  const std::vector<uint32_t>& DecorationSet(uint32_t set) const { return decoration_sets_[set]; }
  uint32_t InternDecorations(const std::vector<uint32_t>& words);
  static constexpr uint32_t kRelaxedPrecision = 0;
  bool HasDecoration(Id id, uint32_t decoration) const;

  /// The type that a pointer type points to, or 0.
  Id Pointee(Id pointer_type) const;
  /// The storage class of a pointer type, or kNoClass.
  uint32_t StorageClassOf(Id pointer_type) const;
  static constexpr uint32_t kNoClass = 0xffffffff;
  /// The type of the value `id`, or 0.
  Id TypeOf(Id id) const {
    const Inst* inst = Find(id);
    return inst == nullptr ? 0 : inst->type;
  }
  /// The types of the parts of a composite type: how many (0: not a composite, or its size is not known), and each.
  uint32_t PartCount(Id type) const;
  Id PartType(Id type, uint32_t part) const;
  /// The pointer type of this class to this type, made if it is not there.
  Id PointerType(uint32_t storage_class, Id pointee);
  /// Replaces the list; what is not in it is no longer found as a constant or type.
  void SetGlobals(std::vector<Inst*> kept);
  Id BoolType();
  Id UintType();
  Id VectorType(Id component, uint32_t count);

  // Constants, made if they are not there.
  Id Constant(Id type, uint32_t bits);  // of a 32-bit number or a bool
  Id CompositeConstant(Id type, std::span<const uint32_t> parts);
  Id Undef(Id type);
  Id Null(Id type);
  /// Gives `to` the name of `from`, if it has one.
  void CopyName(Id from, Id to);
  /// The variables of function storage are listed at the start of the entry block.
  static void AddVariable(Function& function, Inst* variable);

  enum class Scalar : uint8_t { kOther, kBool, kInt32, kUint32, kFloat32 };
  /// What a scalar type is, or the component of a vector type.
  Scalar ScalarOf(Id type) const;
  /// The bits of a constant 32-bit number or bool (not of a specialization constant).
  bool ConstantBits(Id id, uint32_t& bits) const;
  bool IsConstant(Id id) const;

 private:
  Id FindOrMakeGlobal(Op op, Id type, std::span<const uint32_t> operands);
  void IndexGlobals();

  std::vector<Inst*> definitions_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<uint32_t> decorations_;
  std::vector<std::vector<uint32_t>> decoration_sets_{{}};
  std::map<std::vector<uint32_t>, uint32_t> decoration_set_numbers_{{{}, 0}};
  std::unordered_multimap<uint64_t, Inst*> globals_by_hash_;
  size_t indexed_globals_ = 0;
  std::vector<const Inst*> names_;  // OpName by its target
  size_t indexed_names_ = 0;
};

/// Where an entry point's interface begins among its operands: after its name.
size_t InterfaceStart(const Inst& entry_point);

/// Calls `each` with every id among the operands (not type and result), as something that may be changed.
template <typename Each>
void ForEachId(Inst& inst, const Each& each) {
  const OpInfo& info = InfoOf(inst.op);
  const auto ids = [&](size_t first, size_t end) {
    for (size_t at = first; at < end && at < inst.count; ++at) each(inst.operands[at]);
  };
  switch (info.shape) {
    case Shape::kIds:
      ids(0, inst.count);
      break;
    case Shape::kLeading:
      ids(0, info.leading);
      break;
    case Shape::kIdLiteralIds:
      ids(0, 1);
      ids(2, inst.count);
      break;
    case Shape::kImage:
      ids(0, info.leading);
      ids(info.leading + 1u, inst.count);
      break;
    case Shape::kMemory: {
      ids(0, info.leading);
      for (size_t at = info.leading; at < inst.count;) {
        const uint32_t mask = inst.operands[at++];
        if ((mask & 2) != 0) ++at;  // alignment
        for (const uint32_t scope : {8u, 16u}) {
          if ((mask & scope) == 0) continue;
          ids(at, at + 1);
          ++at;
        }
      }
      break;
    }
    case Shape::kSwitch:
      ids(0, 2);
      for (size_t at = 3; at < inst.count; at += 2) each(inst.operands[at]);
      break;
    case Shape::kSpecConstantOp: {
      if (inst.count == 0) break;
      const OpInfo* inner = FindOp(inst.operands[0]);
      const bool has_literals = inner != nullptr && inner->shape == Shape::kLeading;
      ids(1, has_literals ? 1u + inner->leading : inst.count);
      break;
    }
    case Shape::kLiterals:
      switch (inst.op) {
        case Op::kTypePointer:
        case Op::kFunction:
        case Op::kVariable:
          ids(1, 2);
          break;
        default:
          break;
      }
      break;
  }
}
template <typename Each>
void ForEachId(const Inst& inst, const Each& each) {
  ForEachId(const_cast<Inst&>(inst), [&](uint32_t& id) { each(Id{id}); });
}

/// Calls `each` with every label that the block may go to; a label may come twice.
template <typename Each>
void ForEachSuccessor(const Block& block, const Each& each) {
  const Inst& end = *block.terminator;
  switch (end.op) {
    case Op::kBranch:
      each(end.operands[0]);
      break;
    case Op::kBranchConditional:
      each(end.operands[1]);
      each(end.operands[2]);
      break;
    case Op::kSwitch:
      each(end.operands[1]);
      for (size_t at = 3; at < end.count; at += 2) each(end.operands[at]);
      break;
    default:
      break;
  }
}

}  // namespace kiln::opt::spirv
