// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/writer.h"

#include <algorithm>
#include <cstring>

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr uint32_t kInput = 1;
constexpr uint32_t kOutput = 3;
constexpr uint32_t kFunctionClass = 7;
constexpr uint32_t kDecorationSpecId = 1;
constexpr uint32_t kDecorationBinding = 33;
constexpr uint32_t kDecorationBuiltIn = 11;
constexpr uint32_t kBuiltInWorkgroupSize = 25;

class Writer {
 public:
  Writer(Module& module, const Options& options) : module_(module), options_(options), is_live_(module.bound()) {}

  std::vector<uint32_t> Run() {
    MarkRoots();
    MarkFunctions();
    MarkGlobals();
    Number();
    Emit();
    return std::move(out_);
  }

 private:
  void Mark(Id id) { is_live_[id] = true; }

  void MarkRoots() {
    for (const Inst* entry : module_.entry_points) {
      Mark(entry->operands[1]);
      for (size_t at = InterfaceStart(*entry); at < entry->count; ++at) {
        const Inst* variable = module_.Find(entry->operands[at]);
        if (variable == nullptr || variable->op != Op::kVariable) continue;
        const uint32_t storage = variable->operands[0];
        if (storage == kOutput || (storage == kInput && options_.keeps_interface)) Mark(variable->result);
      }
    }
    for (const Inst* mode : module_.execution_modes) {
      if (mode->op != Op::kExecutionModeId) continue;
      for (size_t at = 2; at < mode->count; ++at) Mark(mode->operands[at]);
    }
    for (const Inst* inst : module_.annotations) {
      if (inst->op != Op::kDecorate) continue;
      const uint32_t decoration = inst->operands[1];
      const bool is_workgroup_size =
          decoration == kDecorationBuiltIn && inst->count > 2 && inst->operands[2] == kBuiltInWorkgroupSize;
      if ((options_.keeps_bindings && decoration == kDecorationBinding) ||
          (options_.keeps_spec_constants && decoration == kDecorationSpecId) || is_workgroup_size) {
        Mark(inst->operands[0]);
      }
    }
  }

  // A function is needed if an entry point is or calls it.
  void MarkFunctions() {
    std::vector<Function*> waiting;
    std::vector<Function*> function_of(module_.bound());
    for (const auto& function : module_.functions) {
      function_of[function->definition->result] = function.get();
      if (is_live_[function->definition->result]) waiting.push_back(function.get());
    }
    while (!waiting.empty()) {
      Function* function = waiting.back();
      waiting.pop_back();
      const auto mark = [&](const Inst* inst) {
        if (inst->type != 0) Mark(inst->type);
        if (inst->result != 0) Mark(inst->result);
        ForEachId(*inst, [&](Id id) {
          if (function_of[id] != nullptr && !is_live_[id]) waiting.push_back(function_of[id]);
          Mark(id);
        });
        if (inst->line != 0) Mark(module_.lines[inst->line].file);
        has_inner_decorations_ |= module_.DecorationsOf(inst->result) != 0;
      };
      mark(function->definition);
      for (const Inst* parameter : function->parameters) mark(parameter);
      for (const Block* block : function->blocks) {
        Mark(block->label);
        for (const Inst* phi : block->phis) mark(phi);
        for (const Inst* inst : block->body) mark(inst);
        if (block->merge != nullptr) mark(block->merge);
        mark(block->terminator);
      }
    }
  }

  // What a live declaration names is live; declarations name what stands before them, but for the pointers of
  // OpTypeForwardPointer, which are kept.
  void MarkGlobals() {
    for (const Inst* inst : module_.globals) {
      if (inst->op == Op::kTypeForwardPointer) Mark(inst->operands[0]);
    }
    for (const Inst* inst : module_.annotations) {
      if (inst->op != Op::kDecorateId) continue;
      for (size_t at = 2; at < inst->count; ++at) Mark(inst->operands[at]);
    }
    for (size_t at = module_.globals.size(); at-- > 0;) {
      const Inst* inst = module_.globals[at];
      if (inst->result == 0 || !is_live_[inst->result]) continue;
      if (inst->type != 0) Mark(inst->type);
      ForEachId(*inst, [&](Id id) { Mark(id); });
    }
    for (const Inst* inst : module_.debug) {
      if (static_cast<uint32_t>(inst->op) == 3 && inst->count > 2) Mark(inst->operands[2]);  // OpSource's file
    }
    for (const Inst* inst : module_.preamble) {
      if (inst->op == Op::kExtInstImport) Mark(inst->result);
    }
  }

  // Ids in the order in which they are written.
  void Number() {
    number_.resize(module_.bound());
    const auto number = [&](Id id) {
      if (id != 0 && is_live_[id] && number_[id] == 0) number_[id] = next_++;
    };
    for (const Inst* inst : module_.preamble) number(inst->result);
    for (const Inst* inst : module_.debug) number(inst->result);
    for (const Inst* inst : module_.globals) number(inst->result);
    for (const auto& function : module_.functions) {
      if (!is_live_[function->definition->result]) continue;
      number(function->definition->result);
      for (const Inst* parameter : function->parameters) number(parameter->result);
      for (const Block* block : function->blocks) {
        number(block->label);
        for (const Inst* phi : block->phis) number(phi->result);
        for (const Inst* inst : block->body) number(inst->result);
      }
    }
  }

  void Emit() {
    out_ = {kMagic, module_.version, module_.generator, next_, 0};
    for (Inst* inst : module_.preamble) Put(*inst);
    for (Inst* inst : module_.entry_points) PutEntryPoint(*inst);
    for (Inst* inst : module_.execution_modes) {
      if (number_[inst->operands[0]] != 0) Put(*inst);
    }
    for (Inst* inst : module_.debug) {
      if (inst->result != 0 ? is_live_[inst->result] : !IsOfTheDead(*inst)) Put(*inst);
    }
    for (Inst* inst : module_.annotations) {
      if (number_[inst->operands[0]] != 0) Put(*inst);
    }
    PutInnerDecorations();
    for (Inst* inst : module_.globals) {
      if (inst->result == 0 || is_live_[inst->result]) Put(*inst);
    }
    for (const auto& function : module_.functions) {
      if (is_live_[function->definition->result]) PutFunction(*function);
    }
  }

  bool IsOfTheDead(const Inst& inst) const {
    return (inst.op == Op::kName || inst.op == Op::kMemberName) &&
           (inst.operands[0] >= number_.size() || number_[inst.operands[0]] == 0);
  }

  void PutEntryPoint(const Inst& entry) {
    const size_t start = out_.size();
    out_.push_back(0);
    out_.push_back(entry.operands[0]);
    out_.push_back(number_[entry.operands[1]]);
    const size_t interface = InterfaceStart(entry);
    out_.insert(out_.end(), entry.operands + 2, entry.operands + interface);
    for (size_t at = interface; at < entry.count; ++at) {
      const Inst* variable = module_.Find(entry.operands[at]);
      const bool is_local =
          variable != nullptr && variable->op == Op::kVariable && variable->operands[0] == kFunctionClass;
      if (number_[entry.operands[at]] != 0 && !is_local) out_.push_back(number_[entry.operands[at]]);
    }
    out_[start] = static_cast<uint32_t>(out_.size() - start) << 16 | static_cast<uint32_t>(Op::kEntryPoint);
  }

  void PutInnerDecorations() {
    if (!has_inner_decorations_) return;
    for (Id id = 1; id < module_.bound(); ++id) {
      const uint32_t set = module_.DecorationsOf(id);
      if (set == 0 || number_[id] == 0) continue;
      const std::vector<uint32_t>& words = module_.DecorationSet(set);
      for (size_t at = 0; at < words.size(); at += 1 + words[at]) {
        out_.push_back((2 + words[at]) << 16 | static_cast<uint32_t>(Op::kDecorate));
        out_.push_back(number_[id]);
        out_.insert(out_.end(), words.begin() + static_cast<ptrdiff_t>(at + 1),
                    words.begin() + static_cast<ptrdiff_t>(at + 1 + words[at]));
      }
    }
  }

  void PutFunction(const Function& function) {
    Put(*function.definition);
    for (Inst* parameter : function.parameters) Put(*parameter);
    for (const Block* block : function.blocks) {
      line_ = 0;
      out_.push_back(2u << 16 | static_cast<uint32_t>(Op::kLabel));
      out_.push_back(number_[block->label]);
      for (Inst* phi : block->phis) PutWithLine(*phi);
      for (Inst* inst : block->body) PutWithLine(*inst);
      if (block->merge != nullptr) {
        PutWithLine(*block->merge);
        // Nothing may stand between a merge and its branch.
        Put(*block->terminator);
      } else {
        PutWithLine(*block->terminator);
      }
    }
    out_.push_back(1u << 16 | static_cast<uint32_t>(Op::kFunctionEnd));
  }

  void PutWithLine(Inst& inst) {
    if (inst.line != line_) {
      line_ = inst.line;
      if (line_ == 0) {
        out_.push_back(1u << 16 | static_cast<uint32_t>(Op::kNoLine));
      } else {
        const Line& line = module_.lines[line_];
        out_.insert(out_.end(),
                    {4u << 16 | static_cast<uint32_t>(Op::kLine), number_[line.file], line.line, line.column});
      }
    }
    Put(inst);
  }

  void Put(Inst& inst) {
    const size_t length = 1u + (inst.type != 0) + (inst.result != 0) + inst.count;
    out_.push_back(static_cast<uint32_t>(length) << 16 | static_cast<uint32_t>(inst.op));
    if (inst.type != 0) out_.push_back(number_[inst.type]);
    if (inst.result != 0) out_.push_back(number_[inst.result]);
    if (static_cast<uint32_t>(inst.op) == 3 && inst.count > 2) inst.operands[2] = number_[inst.operands[2]];
    ForEachId(inst, [&](uint32_t& id) { id = number_[id]; });
    out_.insert(out_.end(), inst.operands, inst.operands + inst.count);
  }

  Module& module_;
  const Options& options_;
  std::vector<bool> is_live_;
  bool has_inner_decorations_ = false;
  std::vector<Id> number_;
  Id next_ = 1;
  uint32_t line_ = 0;
  std::vector<uint32_t> out_;
};

}  // namespace

std::vector<uint32_t> Write(Module& module, const Options& options) { return Writer(module, options).Run(); }

}  // namespace kiln::opt::spirv
