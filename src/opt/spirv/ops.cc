// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/ops.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace kiln::opt::spirv {
namespace {

constexpr OpInfo Value(uint16_t op, Effect effect = Effect::kNone, Shape shape = Shape::kIds, uint8_t leading = 0) {
  return {op, true, true, shape, leading, effect};
}
constexpr OpInfo Action(uint16_t op, Shape shape = Shape::kIds, uint8_t leading = 0) {
  return {op, false, false, shape, leading, Effect::kDoes};
}
constexpr OpInfo ActionWithResult(uint16_t op, Shape shape = Shape::kIds, uint8_t leading = 0) {
  return {op, true, true, shape, leading, Effect::kDoes};
}
constexpr OpInfo Structure(uint16_t op, Shape shape = Shape::kIds, uint8_t leading = 0) {
  return {op, false, false, shape, leading, Effect::kStructure};
}
constexpr OpInfo Declaration(uint16_t op, bool has_type, bool has_result, Shape shape, uint8_t leading = 0) {
  return {op, has_type, has_result, shape, leading, Effect::kDeclares};
}

struct Range {
  uint16_t first, last;
  OpInfo info;
};

// Ranges hold what is alike; where rows overlap, the later one counts.
constexpr Range kRanges[] = {
    {0, 0, Structure(0)},
    {1, 1, Declaration(1, true, true, Shape::kIds)},         // OpUndef
    {2, 4, Declaration(2, false, false, Shape::kLiterals)},  // OpSource (its file, an id, is told apart by ForEachId)
    {5, 6, Declaration(5, false, false, Shape::kLeading, 1)},
    {7, 7, Declaration(7, false, true, Shape::kLiterals)},
    {8, 8, Structure(8, Shape::kLeading, 1)},
    {10, 10, Declaration(10, false, false, Shape::kLiterals)},
    {11, 11, Declaration(11, false, true, Shape::kLiterals)},
    {12, 12, Value(12, Effect::kNone, Shape::kIdLiteralIds)},
    {14, 14, Declaration(14, false, false, Shape::kLiterals)},
    {15, 15, Declaration(15, false, false, Shape::kLiterals)},  // OpEntryPoint, read by hand
    {16, 16, Declaration(16, false, false, Shape::kLeading, 1)},
    {17, 17, Declaration(17, false, false, Shape::kLiterals)},
    {19, 22, Declaration(19, false, true, Shape::kLiterals)},    // void, bool, int, float
    {23, 25, Declaration(23, false, true, Shape::kLeading, 1)},  // vector, matrix, image
    {26, 26, Declaration(26, false, true, Shape::kLiterals)},
    {27, 30, Declaration(27, false, true, Shape::kIds)},       // sampled image, arrays, struct
    {32, 32, Declaration(32, false, true, Shape::kLiterals)},  // OpTypePointer: storage class, then an id
    {33, 33, Declaration(33, false, true, Shape::kIds)},
    {39, 39, Declaration(39, false, false, Shape::kLeading, 1)},
    {41, 43, Declaration(41, true, true, Shape::kLiterals)},
    {44, 44, Declaration(44, true, true, Shape::kIds)},
    {46, 46, Declaration(46, true, true, Shape::kIds)},
    {48, 50, Declaration(48, true, true, Shape::kLiterals)},
    {51, 51, Declaration(51, true, true, Shape::kIds)},
    {52, 52, Declaration(52, true, true, Shape::kSpecConstantOp)},
    {54, 54, Declaration(54, true, true, Shape::kLiterals)},  // OpFunction: control, then an id
    {55, 55, Declaration(55, true, true, Shape::kIds)},
    {56, 56, Declaration(56, false, false, Shape::kIds)},
    {57, 57, ActionWithResult(57)},
    {59, 59, Declaration(59, true, true, Shape::kLiterals)},  // OpVariable: storage class, then an id
    {60, 60, Value(60)},
    {61, 61, Value(61, Effect::kReads, Shape::kMemory, 1)},
    {62, 62, Action(62, Shape::kMemory, 2)},
    {63, 63, Action(63, Shape::kMemory, 2)},
    {65, 67, Value(65)},
    {68, 68, Value(68, Effect::kNone, Shape::kLeading, 1)},  // OpArrayLength: buffers keep their size
    {71, 71, Declaration(71, false, false, Shape::kLeading, 1)},
    {72, 72, Declaration(72, false, false, Shape::kLeading, 1)},
    {77, 78, Value(77)},
    {79, 79, Value(79, Effect::kNone, Shape::kLeading, 2)},
    {80, 80, Value(80)},
    {81, 81, Value(81, Effect::kNone, Shape::kLeading, 1)},
    {82, 82, Value(82, Effect::kNone, Shape::kLeading, 2)},
    {83, 84, Value(83)},
    {86, 86, Value(86)},
    {87, 88, Value(87, Effect::kNone, Shape::kImage, 2)},  // samples
    {89, 90, Value(89, Effect::kNone, Shape::kImage, 3)},
    {91, 92, Value(91, Effect::kNone, Shape::kImage, 2)},
    {93, 94, Value(93, Effect::kNone, Shape::kImage, 3)},
    {95, 95, Value(95, Effect::kNone, Shape::kImage, 2)},  // fetch
    {96, 97, Value(96, Effect::kNone, Shape::kImage, 3)},  // gathers
    {98, 98, Value(98, Effect::kReads, Shape::kImage, 2)},
    {99, 99, Action(99, Shape::kImage, 3)},
    {100, 100, Value(100)},
    {103, 107, Value(103)},  // queries
    {109, 116, Value(109)},  // conversions
    {117, 117, Value(117, Effect::kReads)},
    {120, 120, Value(120, Effect::kReads)},
    {124, 124, Value(124)},
    {126, 152, Value(126)},  // arithmetic
    {154, 157, Value(154)},
    {164, 191, Value(164)},  // relations
    {194, 205, Value(194)},  // bits
    {207, 215, Value(207)},  // derivatives
    {218, 219, Action(218)},
    {220, 221, Action(220)},
    {224, 225, Action(224)},
    {227, 227, ActionWithResult(227)},  // atomics
    {228, 228, Action(228)},
    {229, 230, ActionWithResult(229)},
    {232, 242, ActionWithResult(232)},
    {245, 245, {245, true, true, Shape::kIds, 0, Effect::kStructure}},
    {246, 246, Structure(246, Shape::kLeading, 2)},
    {247, 247, Structure(247, Shape::kLeading, 1)},
    {248, 248, {248, false, true, Shape::kIds, 0, Effect::kStructure}},
    {249, 249, Structure(249)},
    {250, 250, Structure(250, Shape::kLeading, 3)},
    {251, 251, Structure(251, Shape::kSwitch)},
    {252, 255, Structure(252)},
    {305, 306, Value(305, Effect::kReads, Shape::kImage, 2)},  // sparse images
    {307, 308, Value(307, Effect::kReads, Shape::kImage, 3)},
    {313, 313, Value(313, Effect::kReads, Shape::kImage, 2)},
    {314, 315, Value(314, Effect::kReads, Shape::kImage, 3)},
    {316, 316, Value(316)},
    {317, 317, Structure(317)},
    {320, 320, Value(320, Effect::kReads, Shape::kImage, 2)},
    {330, 330, Declaration(330, false, false, Shape::kLiterals)},
    {331, 332, Declaration(331, false, false, Shape::kIdLiteralIds)},
    {333, 341, ActionWithResult(333)},  // group operations depend on who takes part: they stay where they are
    {342, 342, ActionWithResult(342, Shape::kIdLiteralIds)},
    {343, 348, ActionWithResult(343)},
    {349, 364, ActionWithResult(349, Shape::kIdLiteralIds)},
    {365, 366, ActionWithResult(365)},
    {400, 400, Value(400)},
    {4416, 4416, Structure(4416)},
    {4421, 4422, ActionWithResult(4421)},
    {4428, 4430, ActionWithResult(4428)},
    {4432, 4432, ActionWithResult(4432)},
    {4445, 4446, Action(4445)},
    {4447, 4447, Value(4447)},
    {4448, 4449, Structure(4448)},
    {4472, 4472, Declaration(4472, false, true, Shape::kIds)},
    {4473, 4476, Action(4473)},
    {4477, 4477, ActionWithResult(4477)},
    {4479, 4479, ActionWithResult(4479)},
    {5056, 5056, ActionWithResult(5056)},
    {5294, 5294, Structure(5294)},
    {5295, 5295, Action(5295)},
    {5334, 5334, ActionWithResult(5334)},
    {5341, 5341, Declaration(5341, false, true, Shape::kIds)},
    {5364, 5365, Action(5364)},
    {5380, 5380, Action(5380)},
    {5381, 5381, ActionWithResult(5381)},
    {5614, 5615, ActionWithResult(5614)},
    {5632, 5633, Declaration(5632, false, false, Shape::kLeading, 1)},
    {6016, 6032, ActionWithResult(6016)},
    {6035, 6035, ActionWithResult(6035)},
};

constexpr size_t kDense = 401;

constexpr std::array<OpInfo, kDense> MakeDense() {
  std::array<OpInfo, kDense> table{};
  for (OpInfo& row : table) row.op = 0xffff;
  for (const Range& range : kRanges) {
    for (uint32_t op = range.first; op <= range.last && op < kDense; ++op) {
      table[op] = range.info;
      table[op].op = static_cast<uint16_t>(op);
    }
  }
  return table;
}
constexpr std::array<OpInfo, kDense> kTable = MakeDense();

}  // namespace

const OpInfo* FindOp(uint32_t op) {
  if (op < kDense) return kTable[op].op == 0xffff ? nullptr : &kTable[op];
  const Range* row = std::upper_bound(std::begin(kRanges), std::end(kRanges), op,
                                      [](uint32_t value, const Range& range) { return value < range.first; });
  if (row == std::begin(kRanges)) return nullptr;
  --row;
  return op <= row->last ? &row->info : nullptr;
}

bool IsTerminator(Op op) {
  switch (op) {
    case Op::kBranch:
    case Op::kBranchConditional:
    case Op::kSwitch:
    case Op::kKill:
    case Op::kReturn:
    case Op::kReturnValue:
    case Op::kUnreachable:
    case Op::kTerminateInvocation:
    case Op::kIgnoreIntersection:
    case Op::kTerminateRay:
    case Op::kEmitMeshTasks:
      return true;
    default:
      return false;
  }
}

}  // namespace kiln::opt::spirv
