// SPDX-License-Identifier: Apache-2.0
#include "reflect/spirv_module.h"

#include <algorithm>
#include <cstring>

namespace kiln::reflect {
namespace {

constexpr uint32_t kMagic = 0x07230203, kSwapped = 0x03022307;
constexpr size_t kHeader = 5;
// The universal limit of the specification, with room.
constexpr uint32_t kMaxBound = 4u << 20;

uint64_t Key(uint32_t id, uint32_t second) { return (uint64_t{id} << 32) | second; }

std::string TextOf(std::span<const uint32_t> words) {
  std::string text;
  for (const uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(word >> shift);
      if (c == '\0') return text;
      text += c;
    }
  }
  return text;
}

size_t WordsOfText(std::span<const uint32_t> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if ((words[i] >> 24) == 0) return i + 1;
  }
  return words.size();
}

// The operand that is a mask of image operands, counted as in the specification without the opcode; 0: none.
size_t ImageMaskOperand(uint32_t op) {
  switch (op) {
    case 87:
    case 88:
    case 91:
    case 92:
    case 95:
    case 98:
      return 4;  // sample, proj, fetch, read
    case 89:
    case 90:
    case 93:
    case 94:
    case 96:
    case 97:
      return 5;  // dref, gather
    case 99:
      return 3;  // write
    case 305:
    case 306:
    case 313:
    case 320:
      return 4;  // sparse
    case 307:
    case 308:
    case 314:
    case 315:
      return 5;
    default:
      return 0;
  }
}

// How many of the operands, from the first, may be ids; the rest are literals.
size_t IdOperands(const Instruction& instruction) {
  const size_t all = instruction.operands.size();
  switch (instruction.op) {
    case Op::kLine:
      return 0;
    case Op::kCompositeExtract:
      return std::min<size_t>(all, 3);
    case Op::kCompositeInsert:
    case Op::kVectorShuffle:
      return std::min<size_t>(all, 4);
    case Op::kSwitch:
      return std::min<size_t>(all, 1);
    default:
      break;
  }
  switch (static_cast<uint32_t>(instruction.op)) {
    case 61:
      return std::min<size_t>(all, 3);  // load
    case 62:
    case 63:
      return std::min<size_t>(all, 2);  // store, copy memory
    case 246:
    case 247:
      return 0;  // merges
    case 249:
      return 0;  // branch
    case 250:
      return std::min<size_t>(all, 1);  // conditional branch
    default:
      return all;
  }
}

}  // namespace

Result<SpirvModule> SpirvModule::Read(std::string_view bytes, diag::Sink& sink) {
  const auto malformed = [&](std::string_view why) -> Failed {
    return sink.Error("spirv-malformed") << "not a SPIR-V module: " << why;
  };
  if (bytes.size() < kHeader * 4 || bytes.size() % 4 != 0) return malformed("its size is wrong");
  SpirvModule module;
  module.words_.resize(bytes.size() / 4);
  std::memcpy(module.words_.data(), bytes.data(), bytes.size());
  if (module.words_[0] == kSwapped) {
    for (uint32_t& word : module.words_) word = __builtin_bswap32(word);
  }
  if (module.words_[0] != kMagic) return malformed("its first word is not the magic number");
  const uint32_t bound = module.words_[3];
  if (bound > kMaxBound) return malformed("it claims too many ids");
  module.definitions_.assign(bound, 0);

  SpirvFunction* function = nullptr;
  for (size_t at = kHeader; at < module.words_.size();) {
    const uint32_t count = module.words_[at] >> 16;
    if (count == 0 || count > module.words_.size() - at) return malformed("an instruction is cut short");
    const Instruction instruction = module.At(at);
    if (instruction.op == Op::kFunction) {
      module.Keep(instruction, at);
      function = &module.functions_[instruction[1]];
    } else if (instruction.op == Op::kFunctionEnd) {
      function = nullptr;
    } else if (function != nullptr) {
      module.ReadFunctionBody(instruction, *function);
    } else {
      module.Keep(instruction, at);
    }
    at += count;
  }
  return module;
}

Instruction SpirvModule::At(size_t word) const {
  const uint32_t first = words_[word];
  return {static_cast<Op>(first & 0xffff), std::span(words_).subspan(word + 1, (first >> 16) - 1)};
}

void SpirvModule::Keep(const Instruction& instruction, size_t word) {
  const auto define = [&](uint32_t id) {
    if (id < definitions_.size()) definitions_[id] = static_cast<uint32_t>(word);
  };
  switch (instruction.op) {
    case Op::kName:
      if (!instruction.operands.empty()) names_[instruction[0]] = TextOf(instruction.operands.subspan(1));
      return;
    case Op::kMemberName:
      if (instruction.operands.size() > 2) {
        member_names_[Key(instruction[0], instruction[1])] = TextOf(instruction.operands.subspan(2));
      }
      return;
    case Op::kDecorate: {
      constexpr uint32_t kWorkgroupSize = 25;
      decorations_[Key(instruction[0], instruction[1])] = instruction[2];
      const bool is_builtin = instruction[1] == static_cast<uint32_t>(Decoration::kBuiltIn);
      if (is_builtin && instruction[2] == kWorkgroupSize) workgroup_sizes_.push_back(instruction[0]);
      return;
    }
    case Op::kMemberDecorate:
      member_decorations_[instruction[0]][Key(instruction[1], instruction[2])] = instruction[3];
      return;
    case Op::kEntryPoint: {
      if (instruction.operands.size() < 3) return;
      SpirvEntryPoint entry;
      entry.model = instruction[0];
      entry.function = instruction[1];
      const auto rest = instruction.operands.subspan(2);
      entry.name = TextOf(rest);
      const auto interface = rest.subspan(WordsOfText(rest));
      entry.interface.assign(interface.begin(), interface.end());
      entry_points_.push_back(std::move(entry));
      return;
    }
    case Op::kExecutionMode:
    case Op::kExecutionModeId:
      if (instruction.operands.size() < 2) return;
      for (SpirvEntryPoint& entry : entry_points_) {
        if (entry.function == instruction[0]) entry.modes.push_back({instruction.op, instruction.operands.subspan(1)});
      }
      return;
    case Op::kVariable:
      if (instruction.operands.size() < 3) return;
      define(instruction[1]);
      variables_.push_back(instruction[1]);
      return;
    case Op::kSpecConstantTrue:
    case Op::kSpecConstantFalse:
    case Op::kSpecConstant:
      specialization_constants_.push_back(instruction[1]);
      define(instruction[1]);
      return;
    case Op::kConstantTrue:
    case Op::kConstantFalse:
    case Op::kConstant:
    case Op::kConstantComposite:
    case Op::kSpecConstantComposite:
    case Op::kSpecConstantOp:
    case Op::kFunction:
      define(instruction[1]);
      return;
    case Op::kTypeVoid:
    case Op::kTypeBool:
    case Op::kTypeInt:
    case Op::kTypeFloat:
    case Op::kTypeVector:
    case Op::kTypeMatrix:
    case Op::kTypeImage:
    case Op::kTypeSampler:
    case Op::kTypeSampledImage:
    case Op::kTypeArray:
    case Op::kTypeRuntimeArray:
    case Op::kTypeStruct:
    case Op::kTypePointer:
    case Op::kTypeFunction:
    case Op::kTypeAccelerationStructure:
      define(instruction[0]);
      return;
    default:
      return;
  }
}

void SpirvModule::ReadFunctionBody(const Instruction& instruction, SpirvFunction& function) {
  const size_t mask = ImageMaskOperand(static_cast<uint32_t>(instruction.op));
  const size_t ids = IdOperands(instruction);
  for (size_t i = 0; i < ids; ++i) {
    if (mask != 0 && i == mask) continue;
    if (instruction.op == Op::kExtInst && i == 3) continue;
    const uint32_t id = instruction[i];
    // Functions may come later, so that their definition is not known yet: keep what may be one.
    if (id < definitions_.size() && (function.references.empty() || function.references.back() != id)) {
      function.references.push_back(id);
    }
  }
  const bool is_chain = instruction.op == Op::kAccessChain || instruction.op == Op::kInBoundsAccessChain;
  if (is_chain && instruction.operands.size() >= 3) {
    function.chains.push_back({instruction[2], instruction.operands.subspan(3)});
  }
}

std::string_view SpirvModule::Name(uint32_t id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::string_view() : found->second;
}

std::string_view SpirvModule::MemberName(uint32_t structure, uint32_t member) const {
  const auto found = member_names_.find(Key(structure, member));
  return found == member_names_.end() ? std::string_view() : found->second;
}

std::optional<uint32_t> SpirvModule::Get(uint32_t id, Decoration decoration) const {
  const auto found = decorations_.find(Key(id, static_cast<uint32_t>(decoration)));
  if (found == decorations_.end()) return std::nullopt;
  return found->second;
}

std::optional<uint32_t> SpirvModule::GetMember(uint32_t structure, uint32_t member, Decoration decoration) const {
  const auto members = member_decorations_.find(structure);
  if (members == member_decorations_.end()) return std::nullopt;
  const auto found = members->second.find(Key(member, static_cast<uint32_t>(decoration)));
  if (found == members->second.end()) return std::nullopt;
  return found->second;
}

Instruction SpirvModule::Definition(uint32_t id) const {
  if (id >= definitions_.size() || definitions_[id] == 0) return {};
  return At(definitions_[id]);
}

std::optional<uint32_t> SpirvModule::ConstantValue(uint32_t id) const {
  const Instruction definition = Definition(id);
  switch (definition.op) {
    case Op::kConstant:
    case Op::kSpecConstant:
      return definition[2];
    case Op::kConstantTrue:
    case Op::kSpecConstantTrue:
      return 1;
    case Op::kConstantFalse:
    case Op::kSpecConstantFalse:
      return 0;
    default:
      return std::nullopt;
  }
}

const SpirvFunction* SpirvModule::FunctionOf(uint32_t id) const {
  const auto found = functions_.find(id);
  return found == functions_.end() ? nullptr : &found->second;
}

std::vector<std::pair<uint32_t, ChainAccess>> SpirvModule::AllChains() const {
  std::vector<std::pair<uint32_t, ChainAccess>> all;
  for (const auto& [id, function] : functions_) {
    for (const ChainAccess& chain : function.chains) all.emplace_back(id, chain);
  }
  return all;
}

std::vector<bool> SpirvModule::Reach(uint32_t from) const {
  std::vector<bool> reached(definitions_.size(), false);
  std::vector<uint32_t> stack = {from};
  while (!stack.empty()) {
    const uint32_t id = stack.back();
    stack.pop_back();
    if (id >= reached.size() || reached[id]) continue;
    const Instruction definition = Definition(id);
    if (!definition.exists()) continue;
    reached[id] = true;
    size_t first = 1, last = definition.operands.size();  // the operands that are ids
    switch (definition.op) {
      case Op::kVariable:
        stack.push_back(definition[0]);
        first = 3;
        break;
      case Op::kTypePointer:
        first = 2;
        break;
      case Op::kTypeVector:
      case Op::kTypeMatrix:
      case Op::kTypeImage:
        last = std::min<size_t>(last, 2);
        break;
      case Op::kTypeInt:
      case Op::kTypeFloat:
      case Op::kConstant:
      case Op::kSpecConstant:
        last = 0;
        break;
      case Op::kConstantComposite:
      case Op::kSpecConstantComposite:
        stack.push_back(definition[0]);
        first = 2;
        break;
      case Op::kSpecConstantOp:
        stack.push_back(definition[0]);
        first = 3;
        break;
      case Op::kFunction:
        last = 0;
        break;
      default:
        break;
    }
    for (size_t i = first; i < last; ++i) stack.push_back(definition[i]);
    if (const SpirvFunction* function = FunctionOf(id)) {
      stack.insert(stack.end(), function->references.begin(), function->references.end());
    }
  }
  return reached;
}

}  // namespace kiln::reflect
