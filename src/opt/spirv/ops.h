// SPDX-License-Identifier: Apache-2.0
// What the optimiser knows of SPIR-V's instructions: which of their words are ids, and what they do besides making a
// value. (https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#_instructions_3)
#pragma once

#include <cstdint>

namespace kiln::opt::spirv {

enum class Op : uint16_t {
  kNop = 0,
  kUndef = 1,
  kString = 7,
  kLine = 8,
  kName = 5,
  kMemberName = 6,
  kExtInstImport = 11,
  kExtInst = 12,
  kMemoryModel = 14,
  kEntryPoint = 15,
  kExecutionMode = 16,
  kCapability = 17,
  kTypeVoid = 19,
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeVector = 23,
  kTypeMatrix = 24,
  kTypeArray = 28,
  kTypeRuntimeArray = 29,
  kTypeStruct = 30,
  kTypePointer = 32,
  kTypeFunction = 33,
  kTypeForwardPointer = 39,
  kConstantTrue = 41,
  kConstantFalse = 42,
  kConstant = 43,
  kConstantComposite = 44,
  kConstantNull = 46,
  kSpecConstantTrue = 48,
  kSpecConstantFalse = 49,
  kSpecConstant = 50,
  kSpecConstantComposite = 51,
  kSpecConstantOp = 52,
  kFunction = 54,
  kFunctionParameter = 55,
  kFunctionEnd = 56,
  kFunctionCall = 57,
  kVariable = 59,
  kLoad = 61,
  kStore = 62,
  kCopyMemory = 63,
  kAccessChain = 65,
  kInBoundsAccessChain = 66,
  kDecorate = 71,
  kMemberDecorate = 72,
  kVectorShuffle = 79,
  kCompositeConstruct = 80,
  kCompositeExtract = 81,
  kCompositeInsert = 82,
  kCopyObject = 83,
  kSampledImage = 86,
  kImage = 100,
  kConvertFToU = 109,
  kConvertFToS = 110,
  kConvertSToF = 111,
  kConvertUToF = 112,
  kBitcast = 124,
  kSNegate = 126,
  kFNegate = 127,
  kIAdd = 128,
  kFAdd = 129,
  kISub = 130,
  kFSub = 131,
  kIMul = 132,
  kFMul = 133,
  kUDiv = 134,
  kSDiv = 135,
  kFDiv = 136,
  kUMod = 137,
  kSRem = 138,
  kSMod = 139,
  kVectorTimesScalar = 142,
  kMatrixTimesScalar = 143,
  kLogicalEqual = 164,
  kLogicalNotEqual = 165,
  kLogicalOr = 166,
  kLogicalAnd = 167,
  kLogicalNot = 168,
  kSelect = 169,
  kIEqual = 170,
  kINotEqual = 171,
  kUGreaterThan = 172,
  kSGreaterThan = 173,
  kUGreaterThanEqual = 174,
  kSGreaterThanEqual = 175,
  kULessThan = 176,
  kSLessThan = 177,
  kULessThanEqual = 178,
  kSLessThanEqual = 179,
  kFOrdEqual = 180,
  kFUnordEqual = 181,
  kFOrdNotEqual = 182,
  kFUnordNotEqual = 183,
  kFOrdLessThan = 184,
  kFUnordLessThan = 185,
  kFOrdGreaterThan = 186,
  kFUnordGreaterThan = 187,
  kFOrdLessThanEqual = 188,
  kFUnordLessThanEqual = 189,
  kFOrdGreaterThanEqual = 190,
  kFUnordGreaterThanEqual = 191,
  kShiftRightLogical = 194,
  kShiftRightArithmetic = 195,
  kShiftLeftLogical = 196,
  kBitwiseOr = 197,
  kBitwiseXor = 198,
  kBitwiseAnd = 199,
  kNot = 200,
  kPhi = 245,
  kLoopMerge = 246,
  kSelectionMerge = 247,
  kLabel = 248,
  kBranch = 249,
  kBranchConditional = 250,
  kSwitch = 251,
  kKill = 252,
  kReturn = 253,
  kReturnValue = 254,
  kUnreachable = 255,
  kNoLine = 317,
  kModuleProcessed = 330,
  kExecutionModeId = 331,
  kDecorateId = 332,
  kDecorateString = 5632,
  kMemberDecorateString = 5633,
  kTerminateInvocation = 4416,
  kIgnoreIntersection = 4448,
  kTerminateRay = 4449,
  kEmitMeshTasks = 5294,
};

/// Which operand words (after result type and result) are ids.
enum class Shape : uint8_t {
  kIds,            // all
  kLiterals,       // none
  kLeading,        // the first `leading`; literals after them
  kMemory,         // the first `leading`, then a memory-access mask with its operands
  kImage,          // the first `leading`, then a mask, then ids
  kIdLiteralIds,   // an id, a literal, ids (extended instructions, group operations)
  kSwitch,         // selector, default, then (literal, label)
  kSpecConstantOp  // an opcode, then what that has
};

/// What an instruction does besides making its result.
enum class Effect : uint8_t {
  kNone,       // equal operands, equal results: one that a dominating twin has made is not needed
  kReads,      // may be dropped where nobody needs the result, but two are not one
  kDoes,       // stays
  kStructure,  // merges, branches, phis: the control flow's own
  kDeclares    // a type, a constant, a name, ...: stands outside functions (OpVariable and OpUndef also inside)
};

struct OpInfo {
  uint16_t op = 0;
  bool has_type = false;  // so a result too
  bool has_result = false;
  Shape shape = Shape::kIds;
  uint8_t leading = 0;
  Effect effect = Effect::kDoes;
};

/// Null for what the optimiser does not know.
const OpInfo* FindOp(uint32_t op);

inline const OpInfo& InfoOf(Op op) { return *FindOp(static_cast<uint32_t>(op)); }

/// Whether the function's block ends here.
bool IsTerminator(Op op);

}  // namespace kiln::opt::spirv
