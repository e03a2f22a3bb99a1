// SPDX-License-Identifier: Apache-2.0
#include "reflect/from_spirv.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "reflect/block_features.h"
#include "reflect/spirv_interface.h"
#include "reflect/spirv_module.h"
#include "reflect/spirv_names.h"
#include "reflect/spirv_types.h"

namespace kiln::reflect {
namespace {

class Builder {
 public:
  Builder(const SpirvModule& spirv, diag::Sink& sink)
      : spirv_(spirv), sink_(sink), types_(spirv, module_.structures), interface_(spirv, types_) {}

  Result<Module> Build() {
    AddSpecializationConstants();
    AddGlobals();
    for (const SpirvEntryPoint& entry : spirv_.entry_points()) AddEntryPoint(entry);
    if (types_.is_malformed())
      return sink_.Error("spirv-malformed") << "not a SPIR-V module: a type holds itself or nests too deep";
    module_.vulkan_features = BlockFeatures(module_, false);
    return std::move(module_);
  }

 private:
  // --- Globals ---

  void AddSpecializationConstants() {
    for (const uint32_t id : spirv_.specialization_constants()) {
      const auto spec_id = spirv_.Get(id, Decoration::kSpecId);
      if (!spec_id) continue;
      const Instruction definition = spirv_.Definition(id);
      const Type type = types_.TypeOf(definition[0]);
      SpecializationConstant constant;
      constant.id = *spec_id;
      constant.name = spirv_.Name(id);
      constant.scalar = type.scalar;
      constant.width = type.width;
      if (definition.op == Op::kSpecConstant) {
        constant.default_bits = definition[2];
        if (type.width == 64) constant.default_bits |= uint64_t{definition[3]} << 32;
        if (type.width < 32) constant.default_bits &= (uint64_t{1} << type.width) - 1;
      } else {
        constant.default_bits = definition.op == Op::kSpecConstantTrue;
      }
      constants_.emplace_back(id, std::move(constant));
    }
    std::stable_sort(constants_.begin(), constants_.end(),
                     [](const auto& a, const auto& b) { return a.second.id < b.second.id; });
    // Compilers write one constant several times; it is the same to the host.
    for (const auto& [id, constant] : constants_) {
      std::vector<SpecializationConstant>& list = module_.specialization_constants;
      if (list.empty() || list.back().id != constant.id) {
        list.push_back(constant);
      } else if (list.back().name.empty()) {
        list.back().name = constant.name;
      }
    }
  }

  void AddGlobals() {
    for (const uint32_t id : spirv_.variables()) {
      switch (types_.StorageOf(id)) {
        case Storage::kUniformConstant:
        case Storage::kUniform:
        case Storage::kStorageBuffer:
          AddBinding(id);
          break;
        case Storage::kPushConstant:
          AddPushConstants(id);
          break;
        default:
          break;
      }
    }
    std::stable_sort(bindings_.begin(), bindings_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.second.set, a.second.slot, a.second.name) <
             std::tie(b.second.set, b.second.slot, b.second.name);
    });
    for (const auto& [id, binding] : bindings_) module_.bindings.push_back(binding);
  }

  void AddBinding(uint32_t id) {
    Binding binding;
    const uint32_t pointee = types_.Pointee(id, binding.array);
    binding.name = spirv_.Name(id);
    if (binding.name.empty()) binding.name = spirv_.Name(pointee);
    binding.set = spirv_.Get(id, Decoration::kDescriptorSet).value_or(0);
    binding.slot = spirv_.Get(id, Decoration::kBinding).value_or(0);
    binding.input_attachment = spirv_.Get(id, Decoration::kInputAttachmentIndex);
    uint64_t count = 1;
    for (const ArrayDimension& dimension : binding.array) count = Clamp(count * dimension.count);
    binding.count = Clamp(count);
    if (!Classify(id, pointee, binding)) return;
    bindings_.emplace_back(id, std::move(binding));
  }

  bool Classify(uint32_t id, uint32_t pointee, Binding& binding) {
    Instruction definition = spirv_.Definition(pointee);
    if (types_.StorageOf(id) != Storage::kUniformConstant) {
      if (definition.op != Op::kTypeStruct) return false;
      const bool is_storage =
          types_.StorageOf(id) == Storage::kStorageBuffer || spirv_.Has(pointee, Decoration::kBufferBlock);
      binding.kind = is_storage ? BindingKind::kStorageBuffer : BindingKind::kUniformBuffer;
      binding.access = is_storage ? AccessOf(id, pointee) : Access::kRead;
      binding.structure = types_.StructureOf(pointee);
      return true;
    }
    switch (definition.op) {
      case Op::kTypeSampler:
        binding.kind = BindingKind::kSampler;
        binding.access = Access::kNone;  // nobody reads a sampler
        return true;
      case Op::kTypeAccelerationStructure:
        binding.kind = BindingKind::kAccelerationStructure;
        return true;
      case Op::kTypeSampledImage:
        definition = spirv_.Definition(definition[1]);
        binding.kind = BindingKind::kCombinedTexture;
        break;
      case Op::kTypeImage:
        binding.kind = BindingKind::kTexture;
        break;
      default:
        binding.kind = BindingKind::kPlainUniform;
        binding.type = types_.TypeOf(pointee);
        binding.type->array = binding.array;
        binding.slot = spirv_.Get(id, Decoration::kLocation).value_or(0);
        return true;
    }
    constexpr uint32_t kBuffer = 5, kSubpass = 6, kStorage = 2;
    TextureFacts facts;
    const Type sampled = types_.TypeOf(definition[1]);
    facts.sampled = sampled.scalar;
    facts.width = sampled.width;
    facts.dimension = DimensionName(definition[2]);
    facts.is_depth = definition[3] == 1;
    facts.is_arrayed = definition[4] == 1;
    facts.is_multisampled = definition[5] == 1;
    const bool is_storage = definition[6] == kStorage && definition[2] != kSubpass;
    if (is_storage) facts.format = ImageFormatName(definition[7]);
    if (definition[2] == kBuffer) {
      binding.kind = is_storage ? BindingKind::kStorageTexelBuffer : BindingKind::kUniformTexelBuffer;
    } else if (definition[2] == kSubpass) {
      binding.kind = BindingKind::kInputAttachment;
    } else if (is_storage) {
      binding.kind = BindingKind::kStorageTexture;
    }
    if (is_storage) binding.access = AccessOf(id, 0);
    binding.texture = std::move(facts);
    return true;
  }

  // A restriction holds if the variable has it or every member does.
  Access AccessOf(uint32_t id, uint32_t structure) const {
    const auto has = [&](Decoration decoration) {
      if (spirv_.Has(id, decoration)) return true;
      const Instruction definition = spirv_.Definition(structure);
      const auto members = static_cast<uint32_t>(definition.operands.empty() ? 0 : definition.operands.size() - 1);
      if (definition.op != Op::kTypeStruct || members == 0) return false;
      for (uint32_t i = 0; i < members; ++i) {
        if (!spirv_.GetMember(structure, i, decoration)) return false;
      }
      return true;
    };
    const bool reads = !has(Decoration::kNonReadable), writes = !has(Decoration::kNonWritable);
    return reads ? (writes ? Access::kReadWrite : Access::kRead) : (writes ? Access::kWrite : Access::kNone);
  }

  void AddPushConstants(uint32_t id) {
    std::vector<ArrayDimension> array;
    const uint32_t pointee = types_.Pointee(id, array);
    if (spirv_.Definition(pointee).op != Op::kTypeStruct) return;
    PushConstants block;
    block.name = spirv_.Name(id);
    if (block.name.empty()) block.name = spirv_.Name(pointee);
    const auto index = types_.StructureOf(pointee);
    if (!index) return;
    block.structure = *index;
    const Structure& structure = module_.structures[block.structure];
    block.offset = std::numeric_limits<uint32_t>::max();
    for (const Member& member : structure.members) block.offset = std::min(block.offset, member.offset);
    if (structure.members.empty()) block.offset = 0;
    block.size = structure.size - std::min(structure.size, block.offset);
    push_constants_.push_back(id);
    module_.push_constants.push_back(std::move(block));
  }

  // --- Entry points ---

  void AddEntryPoint(const SpirvEntryPoint& from) {
    EntryPoint entry;
    entry.name = from.name;
    entry.stage = StageName(from.model);
    const std::vector<bool> reached = spirv_.Reach(from.function);
    const auto is_reached = [&](uint32_t id) { return id < reached.size() && reached[id]; };
    for (size_t i = 0; i < bindings_.size(); ++i) {
      if (is_reached(bindings_[i].first)) entry.bindings.push_back(static_cast<uint32_t>(i));
    }
    for (size_t i = 0; i < push_constants_.size(); ++i) {
      if (is_reached(push_constants_[i])) entry.push_constants.push_back(static_cast<uint32_t>(i));
    }
    ReadModes(from, entry);
    for (size_t i = 0; i < module_.specialization_constants.size(); ++i) {
      const uint32_t spec_id = module_.specialization_constants[i].id;
      bool is_used = std::any_of(constants_.begin(), constants_.end(), [&](const auto& constant) {
        return constant.second.id == spec_id && is_reached(constant.first);
      });
      if (entry.workgroup) {
        for (const auto& constant : entry.workgroup->constant) is_used |= constant == spec_id;
      }
      if (is_used) entry.specialization_constants.push_back(static_cast<uint32_t>(i));
    }
    interface_.AddTo(entry, from, reached);
    module_.entry_points.push_back(std::move(entry));
  }

  void ReadModes(const SpirvEntryPoint& from, EntryPoint& entry) {
    constexpr uint32_t kLocalSize = 17, kLocalSizeId = 38;
    for (const Instruction& mode : from.modes) {
      if (mode[0] == kLocalSize) {
        entry.workgroup.emplace();
        for (size_t i = 0; i < 3; ++i) entry.workgroup->size[i] = mode[i + 1];
      } else if (mode[0] == kLocalSizeId) {
        entry.workgroup.emplace();
        for (size_t i = 0; i < 3; ++i) SetSize(*entry.workgroup, i, mode[i + 1]);
      } else if (const std::string_view name = ModeName(mode[0]); !name.empty()) {
        entry.modes.push_back(std::string(name) + (mode.operands.size() > 1 ? "-" + std::to_string(mode[1]) : ""));
      }
    }
    std::sort(entry.modes.begin(), entry.modes.end());
    if (!entry.workgroup) return;
    // A constant with the built-in WorkgroupSize wins over the mode.
    for (const uint32_t id : spirv_.workgroup_sizes()) {
      const Instruction definition = spirv_.Definition(id);
      if (definition.operands.size() != 5) continue;
      for (size_t i = 0; i < 3; ++i) SetSize(*entry.workgroup, i, definition[i + 2]);
    }
  }

  void SetSize(WorkgroupSize& size, size_t i, uint32_t constant) const {
    size.size[i] = spirv_.ConstantValue(constant).value_or(size.size[i]);
    size.constant[i] = spirv_.Get(constant, Decoration::kSpecId);
  }

  const SpirvModule& spirv_;
  diag::Sink& sink_;
  Module module_;
  SpirvTypes types_;
  SpirvInterface interface_;
  std::vector<std::pair<uint32_t, Binding>> bindings_;
  std::vector<uint32_t> push_constants_;
  std::vector<std::pair<uint32_t, SpecializationConstant>> constants_;
};

}  // namespace

Result<Module> FromSpirv(std::string_view bytes, diag::Sink& sink) {
  Result<SpirvModule> spirv = SpirvModule::Read(bytes, sink);
  if (!spirv) return sink.FailedBecauseReported();
  return Builder(*spirv, sink).Build();
}

}  // namespace kiln::reflect
