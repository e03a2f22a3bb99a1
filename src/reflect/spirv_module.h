// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module taken apart as far as reflection needs it: names, decorations, definitions, and which global things a
// function refers to. Every access is checked; ids that do not exist give empty answers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "diag/sink.h"

namespace kiln::reflect {

// The opcodes that are looked at.
enum class Op : uint16_t {
  kLine = 8,
  kExtInst = 12,
  kEntryPoint = 15,
  kExecutionMode = 16,
  kName = 5,
  kMemberName = 6,
  kTypeVoid = 19,
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeVector = 23,
  kTypeMatrix = 24,
  kTypeImage = 25,
  kTypeSampler = 26,
  kTypeSampledImage = 27,
  kTypeArray = 28,
  kTypeRuntimeArray = 29,
  kTypeStruct = 30,
  kTypePointer = 32,
  kTypeFunction = 33,
  kConstantTrue = 41,
  kConstantFalse = 42,
  kConstant = 43,
  kConstantComposite = 44,
  kSpecConstantTrue = 48,
  kSpecConstantFalse = 49,
  kSpecConstant = 50,
  kSpecConstantComposite = 51,
  kSpecConstantOp = 52,
  kFunction = 54,
  kFunctionEnd = 56,
  kVariable = 59,
  kAccessChain = 65,
  kInBoundsAccessChain = 66,
  kDecorate = 71,
  kMemberDecorate = 72,
  kVectorShuffle = 79,
  kCompositeExtract = 81,
  kCompositeInsert = 82,
  kSwitch = 251,
  kExecutionModeId = 331,
  kTypeAccelerationStructure = 5341,
};

enum class Decoration : uint32_t {
  kSpecId = 1,
  kBlock = 2,
  kBufferBlock = 3,
  kRowMajor = 4,
  kArrayStride = 6,
  kMatrixStride = 7,
  kBuiltIn = 11,
  kNoPerspective = 13,
  kFlat = 14,
  kPatch = 15,
  kCentroid = 16,
  kSample = 17,
  kNonWritable = 24,
  kNonReadable = 25,
  kLocation = 30,
  kComponent = 31,
  kIndex = 32,
  kBinding = 33,
  kDescriptorSet = 34,
  kOffset = 35,
  kInputAttachmentIndex = 43,
  kPerPrimitive = 5271,
  kPerVertex = 5285,
};

enum class Storage : uint32_t {
  kUniformConstant = 0,
  kInput = 1,
  kUniform = 2,
  kOutput = 3,
  kPushConstant = 9,
  kStorageBuffer = 12,
};

/// One instruction: its opcode and the words after the first.
struct Instruction {
  Op op{};
  std::span<const uint32_t> operands;
  /// 0 past the end.
  uint32_t operator[](size_t i) const { return i < operands.size() ? operands[i] : 0; }
  bool exists() const { return op != Op{}; }
};

struct SpirvEntryPoint {
  uint32_t model = 0;
  uint32_t function = 0;
  std::string name;
  std::vector<uint32_t> interface;
  std::vector<Instruction> modes;  // operands begin with the mode
};

/// An access chain on a global variable: the ids of its indices.
struct ChainAccess {
  uint32_t variable = 0;
  std::span<const uint32_t> indices;
};

struct SpirvFunction {
  std::vector<uint32_t> references;  // functions, global variables, constants
  std::vector<ChainAccess> chains;
};

class SpirvModule {
 public:
  /// Takes the bytes apart.
  static Result<SpirvModule> Read(std::string_view bytes, diag::Sink& sink);

  std::string_view Name(uint32_t id) const;
  std::string_view MemberName(uint32_t structure, uint32_t member) const;
  std::optional<uint32_t> Get(uint32_t id, Decoration decoration) const;
  std::optional<uint32_t> GetMember(uint32_t structure, uint32_t member, Decoration decoration) const;
  bool Has(uint32_t id, Decoration decoration) const { return Get(id, decoration).has_value(); }
  /// The instruction that defines an id outside functions (a function: its OpFunction).
  Instruction Definition(uint32_t id) const;
  /// The value of a scalar constant, default of a specialization constant; only 32 low bits.
  std::optional<uint32_t> ConstantValue(uint32_t id) const;

  const std::vector<SpirvEntryPoint>& entry_points() const { return entry_points_; }
  const std::vector<uint32_t>& variables() const { return variables_; }
  const std::vector<uint32_t>& specialization_constants() const { return specialization_constants_; }
  const SpirvFunction* FunctionOf(uint32_t id) const;
  /// Access chains of all functions, with the function each stands in.
  std::vector<std::pair<uint32_t, ChainAccess>> AllChains() const;
  /// Constants decorated with the built-in WorkgroupSize.
  const std::vector<uint32_t>& workgroup_sizes() const { return workgroup_sizes_; }

  /// Everything global that is reached from an id: through calls, variables, types and constants.
  std::vector<bool> Reach(uint32_t from) const;

 private:
  Instruction At(size_t word) const;
  void Keep(const Instruction& instruction, size_t word);
  void ReadFunctionBody(const Instruction& instruction, SpirvFunction& function);

  std::vector<uint32_t> words_;
  std::vector<uint32_t> definitions_;  // word of the defining instruction, by id; 0: none
  std::unordered_map<uint32_t, std::string> names_;
  std::unordered_map<uint64_t, std::string> member_names_;
  std::unordered_map<uint64_t, uint32_t> decorations_;  // id and decoration -> first literal
  std::unordered_map<uint32_t, std::unordered_map<uint64_t, uint32_t>> member_decorations_;
  std::vector<SpirvEntryPoint> entry_points_;
  std::vector<uint32_t> variables_;
  std::vector<uint32_t> specialization_constants_;
  std::vector<uint32_t> workgroup_sizes_;
  std::unordered_map<uint32_t, SpirvFunction> functions_;
};

}  // namespace kiln::reflect
