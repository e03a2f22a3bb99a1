// SPDX-License-Identifier: Apache-2.0
// Everything that the passes rely on is looked at here: that operands are there, that ids are defined once, that types
// are types. What is valid beyond that is spirv-val's.
#include "opt/spirv/reader.h"

#include <algorithm>
#include <cstring>

#include "opt/spirv/reader_checks.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr uint32_t kMostIds = 1u << 22;
constexpr uint32_t kDeepest = 64;  // composite constants within each other

// Capabilities whose instructions and rules are known here, as ranges. RoundingModeRTZ (4468) is not: constants are
// folded with rounding to nearest.
constexpr std::pair<uint32_t, uint32_t> kCapabilities[] = {
    {0, 3},                      // Matrix, Shader, Geometry, Tessellation
    {9, 12},                     // Float16, Float64, Int64, Int64Atomics
    {21, 25},                    // AtomicStorage to ImageGatherExtended
    {27, 37},                    // StorageImageMultisample to SampledRect
    {39, 57},                    // Int8 to MultiViewport
    {61, 70},                    // GroupNonUniform... to ShaderViewportIndex
    {4422, 4423},                // FragmentShadingRate, SubgroupBallot
    {4427, 4442},                // DrawParameters to VariablePointers
    {4445, 4450},                // AtomicStorageOps to StoragePushConstant8
    {4464, 4467},                // DenormPreserve to RoundingModeRTE
    {4471, 4472},                // RayQueryProvisional, RayQuery
    {4478, 4479},                // RayTraversalPrimitiveCulling, RayTracing
    {5013, 5013},                // StencilExport
    {5055, 5055},                // ShaderClock
    {5249, 5255},                // SampleMaskOverrideCoverage to ShaderViewportMask
    {5282, 5284},                // FragmentFullyCovered to FragmentBarycentric
    {5288, 5288},                // ComputeDerivativeGroupQuads
    {5301, 5312},                // ShaderNonUniform to UniformTexelBufferArrayNonUniformIndexing
    {5336, 5336},                // RayTracingPositionFetch
    {5340, 5340}, {5345, 5347},  // VulkanMemoryModel to PhysicalStorageBufferAddresses
    {5350, 5353},                // ComputeDerivativeGroupLinear, RayTracingProvisional
    {5363, 5379},                // FragmentShaderSampleInterlock to DemoteToHelperInvocation
    {5612, 5616},                // AtomicFloat32MinMax and its like
    {6033, 6034},                // AtomicFloat32Add, AtomicFloat64Add
    {6095, 6095},
};

bool IsKnownCapability(uint32_t capability) {
  return std::ranges::any_of(
      kCapabilities, [&](const auto& range) { return capability >= range.first && capability <= range.second; });
}

// The fewest operand words, without type and result, that the passes read of it.
uint32_t FewestOperands(Op op, const OpInfo& info) {
  switch (op) {
    case Op::kTypeFloat:
    case Op::kVariable:
    case Op::kConstant:
    case Op::kSpecConstant:
    case Op::kSpecConstantOp:
    case Op::kBranch:
    case Op::kReturnValue:
    case Op::kFunctionCall:
    case Op::kAccessChain:
    case Op::kInBoundsAccessChain:
    case Op::kTypeRuntimeArray:
    case Op::kTypeFunction:
    case Op::kCopyObject:
    case Op::kImage:
    case Op::kCapability:
      return 1;
    case Op::kTypeInt:
    case Op::kTypeVector:
    case Op::kTypeMatrix:
    case Op::kTypeArray:
    case Op::kTypePointer:
    case Op::kFunction:
    case Op::kSwitch:
    case Op::kExtInst:
    case Op::kDecorate:
    case Op::kSampledImage:
      return 2;
    case Op::kEntryPoint:
    case Op::kMemberDecorate:
      return 3;
    default:
      return info.leading;
  }
}

class Reader {
 public:
  Reader(std::span<const uint32_t> words, Module& module) : words_(words), module_(module) {}

  std::string_view Run() {
    constexpr size_t kHeader = 5;
    if (words_.size() < kHeader || words_[0] != kMagic) return "no SPIR-V";
    if (words_[3] > kMostIds || words_[3] == 0) return "too many ids";
    module_.version = words_[1];
    module_.generator = words_[2];
    module_.ResizeBound(words_[3]);
    defined_.resize(words_[3]);
    for (size_t at = kHeader; at < words_.size();) {
      const size_t length = words_[at] >> 16;
      if (length == 0 || length > words_.size() - at) return "an instruction of a length that cannot be";
      if (std::string_view problem = One(words_[at] & 0xffff, words_.subspan(at + 1, length - 1)); !problem.empty()) {
        return problem;
      }
      at += length;
    }
    if (function_ != nullptr) return "a function without an end";
    if (module_.entry_points.empty()) return "no entry point";
    if (std::string_view problem = CheckIds(module_); !problem.empty()) return problem;
    return SortDecorations(module_);
  }

 private:
  std::string_view One(uint32_t code, std::span<const uint32_t> words) {
    const Op op = static_cast<Op>(code);
    if (op == Op::kLine && function_ != nullptr) return SetLine(words);
    if (op == Op::kNoLine || op == Op::kLine) {
      line_ = 0;
      return {};
    }
    const OpInfo* info = FindOp(code);
    if (info == nullptr) return "an instruction that the optimiser does not know";
    Id type = 0;
    Id result = 0;
    if (info->has_type) {
      if (words.empty() || !IsType(words[0])) return "a result type that is no type";
      type = words[0];
      words = words.subspan(1);
    }
    if (info->has_result) {
      if (words.empty() || words[0] == 0 || words[0] >= defined_.size() || defined_[words[0]])
        return "a result defined twice";
      result = words[0];
      defined_[result] = true;
      words = words.subspan(1);
    }
    if (words.size() < FewestOperands(op, *info)) return "an instruction with too few operands";
    if (op == Op::kLabel) return StartBlock(result);
    if (op == Op::kFunctionEnd) return EndFunction();
    Inst* inst = module_.Make(op, type, result, words);
    inst->line = line_;
    return function_ == nullptr ? Outside(inst) : Inside(inst, *info);
  }

  std::string_view Outside(Inst* inst) {
    switch (inst->op) {
      case Op::kCapability:
        if (!IsKnownCapability(inst->operands[0])) return "a capability that the optimiser does not know";
        module_.preamble.push_back(inst);
        return {};
      case Op::kExtInstImport:
        if (!IsGlsl450(*inst)) return "an instruction set that the optimiser does not know";
        module_.preamble.push_back(inst);
        return {};
      case Op::kEntryPoint:
        module_.entry_points.push_back(inst);
        return {};
      case Op::kExecutionMode:
      case Op::kExecutionModeId:
        module_.execution_modes.push_back(inst);
        return {};
      case Op::kDecorate:
      case Op::kMemberDecorate:
      case Op::kDecorateId:
      case Op::kDecorateString:
      case Op::kMemberDecorateString:
        module_.annotations.push_back(inst);
        return {};
      case Op::kFunction:
        if (!IsType(inst->operands[1])) return "a function type that is no type";
        function_ = module_.functions.emplace_back(std::make_unique<Function>()).get();
        function_->definition = inst;
        return {};
      case Op::kNop:
        return {};
      default:
        break;
    }
    const uint32_t code = static_cast<uint32_t>(inst->op);
    if (code == 10 || code == 14) {  // OpExtension, OpMemoryModel
      module_.preamble.push_back(inst);
    } else if (code < 10 || inst->op == Op::kModuleProcessed) {
      if (inst->op == Op::kUndef) return AddGlobal(inst);
      module_.debug.push_back(inst);
    } else if (InfoOf(inst->op).effect == Effect::kDeclares && inst->op != Op::kFunctionParameter) {
      return AddGlobal(inst);
    } else {
      return "an instruction outside of functions";
    }
    return {};
  }

  std::string_view AddGlobal(Inst* inst) {
    // Types and constants name what stands before them, but for pointers to what holds them.
    if (inst->op == Op::kTypeForwardPointer) forward_.push_back(inst->operands[0]);
    bool is_known = true;
    uint32_t depth = 0;
    ForEachId(*inst, [&](Id id) {
      const bool is_before = id < defined_.size() && defined_[id] && id != inst->result;
      // Only types name what comes later.
      is_known &= is_before || (inst->type == 0 && std::ranges::find(forward_, id) != forward_.end());
      if (inst->op != Op::kConstantComposite || id >= depth_.size()) return;
      depth = std::max(depth, depth_[id]);
    });
    if (!is_known) return "an id that is used before it is defined";
    if (inst->op == Op::kConstantComposite) {
      if (++depth > kDeepest) return "constants too deep within each other";
      if (depth_.size() <= inst->result) depth_.resize(defined_.size());
      depth_[inst->result] = depth;
    }
    if (std::string_view problem = CheckGlobal(*inst); !problem.empty()) return problem;
    module_.globals.push_back(inst);
    return {};
  }

  std::string_view CheckGlobal(const Inst& inst) const {
    switch (inst.op) {
      case Op::kTypeVector:
      case Op::kTypeMatrix:
        if (inst.operands[1] < 2 || inst.operands[1] > 16 || !IsType(inst.operands[0])) return "a vector of no size";
        break;
      case Op::kConstantTrue:
      case Op::kConstantFalse:
        if (module_.Find(inst.type)->op != Op::kTypeBool) return "a constant of another type";
        break;
      case Op::kConstantComposite:
        if (const uint32_t parts = module_.PartCount(inst.type); parts != 0 && parts != inst.count) {
          return "a constant with too few parts";
        }
        break;
      case Op::kTypePointer:
      case Op::kVariable:
        break;
      case Op::kTypeFunction:
      case Op::kTypeArray:
      case Op::kTypeRuntimeArray:
        if (!IsType(inst.operands[0])) return "an element type that is no type";
        break;
      default:
        break;
    }
    return {};
  }

  std::string_view Inside(Inst* inst, const OpInfo& info) {
    if (block_ == nullptr) {
      if (inst->op != Op::kFunctionParameter) return "an instruction outside of blocks";
      function_->parameters.push_back(inst);
      return {};
    }
    switch (inst->op) {
      case Op::kNop:
        return {};
      case Op::kUndef:
        return AddGlobal(inst);
      case Op::kPhi:
        if (inst->count % 2 != 0 || !block_->body.empty()) return "a phi that cannot be";
        block_->phis.push_back(inst);
        return {};
      case Op::kSelectionMerge:
      case Op::kLoopMerge:
        if (block_->merge != nullptr) return "two merges in a block";
        block_->merge = inst;
        return {};
      case Op::kSwitch:
        if (inst->count % 2 != 0) return "a switch over what has more than 32 bits";
        break;
      case Op::kVariable:
        if (block_ != function_->blocks.front() || inst->operands[0] != 7) return "a variable that cannot be";
        break;
      default:
        break;
    }
    if (IsTerminator(inst->op)) {
      block_->terminator = inst;
      block_ = nullptr;
      line_ = 0;
      return {};
    }
    if (block_->merge != nullptr) return "an instruction after a merge";
    if (info.effect == Effect::kStructure || (info.effect == Effect::kDeclares && inst->op != Op::kVariable)) {
      return "an instruction in a function that belongs outside";
    }
    block_->body.push_back(inst);
    return {};
  }

  std::string_view StartBlock(Id label) {
    if (function_ == nullptr || block_ != nullptr) return "a label that cannot be";
    block_ = module_.MakeBlock(label);
    function_->blocks.push_back(block_);
    return {};
  }

  std::string_view EndFunction() {
    if (function_ == nullptr || block_ != nullptr) return "an end of a function that cannot be";
    if (function_->blocks.empty()) return "a function without a body";
    function_ = nullptr;
    line_ = 0;
    return {};
  }

  std::string_view SetLine(std::span<const uint32_t> words) {
    if (words.size() < 3) return "an instruction with too few operands";
    const Line line{words[0], words[1], words[2]};
    if (module_.lines.back() != line) module_.lines.push_back(line);
    line_ = static_cast<uint32_t>(module_.lines.size() - 1);
    return {};
  }

  bool IsType(Id id) const {
    const Inst* inst = module_.Find(id);
    if (inst == nullptr) return false;
    const uint32_t op = static_cast<uint32_t>(inst->op);
    return (op >= 19 && op <= 33) || op == 4472 || op == 5341;
  }

  static bool IsGlsl450(const Inst& import) {
    constexpr std::string_view kName = "GLSL.std.450";
    return import.count * sizeof(uint32_t) > kName.size() &&
           std::memcmp(import.operands, kName.data(), kName.size() + 1) == 0;
  }

  std::span<const uint32_t> words_;
  Module& module_;
  std::vector<bool> defined_;
  std::vector<Id> forward_;
  std::vector<uint32_t> depth_;
  Function* function_ = nullptr;
  Block* block_ = nullptr;
  uint32_t line_ = 0;
};

}  // namespace

std::string_view Read(std::span<const uint32_t> words, Module& module) { return Reader(words, module).Run(); }

}  // namespace kiln::opt::spirv
