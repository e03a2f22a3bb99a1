// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/module.h"

#include <algorithm>

namespace kiln::opt::spirv {
namespace {

uint64_t HashOf(Op op, Id type, std::span<const uint32_t> operands) {
  uint64_t hash = (static_cast<uint64_t>(op) << 32 | type) * 0x9e3779b97f4a7c15;
  for (const uint32_t word : operands) hash = (hash ^ word) * 0xff51afd7ed558ccd + (hash >> 29);
  return hash;
}

}  // namespace

size_t InterfaceStart(const Inst& entry) {
  size_t at = 2;
  while (at < entry.count) {
    const uint32_t word = entry.operands[at++];
    if ((word & 0xff) == 0 || (word >> 8 & 0xff) == 0 || (word >> 16 & 0xff) == 0 || word >> 24 == 0) break;
  }
  return at;
}

Id Module::NewId() {
  definitions_.push_back(nullptr);
  return bound() - 1;
}

void Module::ResizeBound(Id bound) { definitions_.resize(bound); }

Inst* Module::Make(Op op, Id type, Id result, std::span<const uint32_t> operands) {
  Inst* inst = arena.Make<Inst>();
  inst->op = op;
  inst->type = type;
  inst->result = result;
  inst->operands = arena.Copy(operands).data();
  inst->count = static_cast<uint16_t>(operands.size());
  if (result != 0) Define(inst);
  return inst;
}

void Module::SetDecorations(Id id, uint32_t set) {
  if (set == 0 && id >= decorations_.size()) return;
  if (id >= decorations_.size()) decorations_.resize(std::max<size_t>(id + 1, definitions_.size()));
  decorations_[id] = set;
}

uint32_t Module::InternDecorations(const std::vector<uint32_t>& words) {
  const auto [at, is_new] = decoration_set_numbers_.emplace(words, static_cast<uint32_t>(decoration_sets_.size()));
  if (is_new) decoration_sets_.push_back(words);
  return at->second;
}

bool Module::HasDecoration(Id id, uint32_t decoration) const {
  const std::vector<uint32_t>& set = decoration_sets_[DecorationsOf(id)];
  for (size_t at = 0; at < set.size(); at += 1 + set[at]) {
    if (set[at + 1] == decoration) return true;
  }
  return false;
}

Id Module::Pointee(Id pointer_type) const {
  const Inst* type = Find(pointer_type);
  return type != nullptr && type->op == Op::kTypePointer ? type->operands[1] : 0;
}

uint32_t Module::StorageClassOf(Id pointer_type) const {
  const Inst* type = Find(pointer_type);
  return type != nullptr && type->op == Op::kTypePointer ? type->operands[0] : kNoClass;
}

uint32_t Module::PartCount(Id type) const {
  const Inst* inst = Find(type);
  if (inst == nullptr) return 0;
  switch (inst->op) {
    case Op::kTypeVector:
    case Op::kTypeMatrix:
      return inst->operands[1];
    case Op::kTypeStruct:
      return inst->count;
    case Op::kTypeArray: {
      uint32_t length = 0;
      const Inst* constant = Find(inst->operands[1]);
      if (constant == nullptr || constant->op != Op::kConstant) return 0;
      return ConstantBits(inst->operands[1], length) ? length : 0;
    }
    default:
      return 0;
  }
}

Id Module::PartType(Id type, uint32_t part) const {
  const Inst* inst = Find(type);
  if (inst == nullptr) return 0;
  switch (inst->op) {
    case Op::kTypeVector:
    case Op::kTypeMatrix:
    case Op::kTypeArray:
    case Op::kTypeRuntimeArray:
      return inst->operands[0];
    case Op::kTypeStruct:
      return part < inst->count ? inst->operands[part] : 0;
    default:
      return 0;
  }
}

Id Module::PointerType(uint32_t storage_class, Id pointee) {
  return FindOrMakeGlobal(Op::kTypePointer, 0, std::initializer_list<uint32_t>{storage_class, pointee});
}

void Module::SetGlobals(std::vector<Inst*> kept) {
  globals = std::move(kept);
  globals_by_hash_.clear();
  indexed_globals_ = 0;
}

Id Module::BoolType() { return FindOrMakeGlobal(Op::kTypeBool, 0, {}); }

Id Module::UintType() { return FindOrMakeGlobal(Op::kTypeInt, 0, std::initializer_list<uint32_t>{32, 0}); }

Id Module::VectorType(Id component, uint32_t count) {
  return FindOrMakeGlobal(Op::kTypeVector, 0, std::initializer_list<uint32_t>{component, count});
}

Id Module::Constant(Id type, uint32_t bits) {
  const Inst* inst = Find(type);
  if (inst->op == Op::kTypeBool) return FindOrMakeGlobal(bits != 0 ? Op::kConstantTrue : Op::kConstantFalse, type, {});
  return FindOrMakeGlobal(Op::kConstant, type, {&bits, 1});
}

Id Module::CompositeConstant(Id type, std::span<const uint32_t> parts) {
  return FindOrMakeGlobal(Op::kConstantComposite, type, parts);
}

Id Module::Undef(Id type) { return FindOrMakeGlobal(Op::kUndef, type, {}); }

Id Module::Null(Id type) { return FindOrMakeGlobal(Op::kConstantNull, type, {}); }

void Module::CopyName(Id from, Id to) {
  for (; indexed_names_ < debug.size(); ++indexed_names_) {
    const Inst* inst = debug[indexed_names_];
    if (inst->op != Op::kName || inst->operands[0] >= bound()) continue;
    if (names_.size() <= inst->operands[0]) names_.resize(bound());
    names_[inst->operands[0]] = inst;
  }
  if (from >= names_.size() || names_[from] == nullptr) return;
  Inst* name = Make(Op::kName, 0, 0, names_[from]->words());
  name->operands[0] = to;
  debug.push_back(name);
}

Id Module::FindOrMakeGlobal(Op op, Id type, std::span<const uint32_t> operands) {
  IndexGlobals();
  const uint64_t hash = HashOf(op, type, operands);
  const auto [first, last] = globals_by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const Inst& inst = *at->second;
    if (inst.op == op && inst.type == type && std::ranges::equal(inst.words(), operands)) return inst.result;
  }
  Inst* inst = Make(op, type, NewId(), operands);
  globals.push_back(inst);
  IndexGlobals();
  return inst->result;
}

// Only what FindOrMakeGlobal asks for; others may be twins that differ by their decorations.
void Module::IndexGlobals() {
  for (; indexed_globals_ < globals.size(); ++indexed_globals_) {
    Inst* inst = globals[indexed_globals_];
    switch (inst->op) {
      case Op::kUndef:
      case Op::kTypeBool:
      case Op::kTypeInt:
      case Op::kTypeVector:
      case Op::kTypePointer:
      case Op::kConstantTrue:
      case Op::kConstantFalse:
      case Op::kConstant:
      case Op::kConstantComposite:
      case Op::kConstantNull:
        globals_by_hash_.emplace(HashOf(inst->op, inst->type, inst->words()), inst);
        break;
      default:
        break;
    }
  }
}

Block* Module::MakeBlock(Id label) {
  auto& block = blocks_.emplace_back(std::make_unique<Block>());
  block->label = label;
  return block.get();
}

void Module::AddVariable(Function& function, Inst* variable) {
  std::vector<Inst*>& body = function.blocks.front()->body;
  body.insert(body.begin(), variable);
}

Module::Scalar Module::ScalarOf(Id type) const {
  const Inst* inst = Find(type);
  if (inst != nullptr && inst->op == Op::kTypeVector) inst = Find(inst->operands[0]);
  if (inst == nullptr) return Scalar::kOther;
  switch (inst->op) {
    case Op::kTypeBool:
      return Scalar::kBool;
    case Op::kTypeInt:
      if (inst->operands[0] != 32) return Scalar::kOther;
      return inst->operands[1] != 0 ? Scalar::kInt32 : Scalar::kUint32;
    case Op::kTypeFloat:
      return inst->operands[0] == 32 ? Scalar::kFloat32 : Scalar::kOther;
    default:
      return Scalar::kOther;
  }
}

bool Module::ConstantBits(Id id, uint32_t& bits) const {
  const Inst* inst = Find(id);
  if (inst == nullptr) return false;
  switch (inst->op) {
    case Op::kConstantTrue:
      bits = 1;
      return true;
    case Op::kConstantFalse:
      bits = 0;
      return true;
    case Op::kConstant:
      if (ScalarOf(inst->type) == Scalar::kOther) return false;
      bits = inst->operands[0];
      return true;
    case Op::kConstantNull: {
      const Inst* type = Find(inst->type);
      if (type->op == Op::kTypeVector || ScalarOf(inst->type) == Scalar::kOther) return false;
      bits = 0;
      return true;
    }
    default:
      return false;
  }
}

bool Module::IsConstant(Id id) const {
  const Inst* inst = Find(id);
  if (inst == nullptr) return false;
  switch (inst->op) {
    case Op::kConstantTrue:
    case Op::kConstantFalse:
    case Op::kConstant:
    case Op::kConstantNull:
      return true;
    case Op::kConstantComposite:
      return std::ranges::all_of(inst->words(), [&](Id part) { return IsConstant(part); });
    default:
      return false;
  }
}

}  // namespace kiln::opt::spirv
