// SPDX-License-Identifier: Apache-2.0
#include "reflect/from_spirv.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "reflect/block_features.h"
#include "reflect/spirv_module.h"
#include "reflect/spirv_names.h"

namespace kiln::reflect {
namespace {

// Types nested deeper than this are no real shader's; it also ends types that hold themselves.
constexpr int kMaxDepth = 64;

uint32_t Clamp(uint64_t value) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, std::numeric_limits<uint32_t>::max()));
}

class Builder {
 public:
  Builder(const SpirvModule& spirv, diag::Sink& sink) : spirv_(spirv), sink_(sink) {}

  Result<Module> Build() {
    AddSpecializationConstants();
    AddGlobals();
    for (const SpirvEntryPoint& entry : spirv_.entry_points()) AddEntryPoint(entry);
    if (is_malformed_)
      return sink_.Error("spirv-malformed") << "not a SPIR-V module: a type holds itself or nests too deep";
    module_.vulkan_features = BlockFeatures(module_, false);
    return std::move(module_);
  }

 private:
  // --- Types
  // ----------------------------------------------------------------------------------------------------------

  Type TypeOf(uint32_t id, int depth = 0) {
    Type type;
    if (depth > kMaxDepth) {
      is_malformed_ = true;
      return type;
    }
    const Instruction definition = spirv_.Definition(id);
    switch (definition.op) {
      case Op::kTypeBool:
        type.scalar = ScalarKind::kBool;
        return type;
      case Op::kTypeInt:
        type.scalar = definition[2] != 0 ? ScalarKind::kInt : ScalarKind::kUint;
        type.width = definition[1];
        return type;
      case Op::kTypeFloat:
        type.width = definition[1];
        return type;
      case Op::kTypeVector:
        type = TypeOf(definition[1], depth + 1);
        type.kind = Type::Kind::kVector;
        type.rows = definition[2];
        return type;
      case Op::kTypeMatrix:
        type = TypeOf(definition[1], depth + 1);
        type.kind = Type::Kind::kMatrix;
        type.columns = definition[2];
        return type;
      case Op::kTypeArray:
      case Op::kTypeRuntimeArray: {
        type = TypeOf(definition[1], depth + 1);
        ArrayDimension dimension;
        if (definition.op == Op::kTypeArray) {
          dimension.count = spirv_.ConstantValue(definition[2]).value_or(0);
          dimension.count_constant = spirv_.Get(definition[2], Decoration::kSpecId);
        }
        dimension.stride = spirv_.Get(id, Decoration::kArrayStride).value_or(0);
        type.array.insert(type.array.begin(), dimension);
        return type;
      }
      case Op::kTypeStruct:
        type.kind = Type::Kind::kStructure;
        type.structure = StructureOf(id, depth + 1);
        return type;
      case Op::kTypePointer: {
        type.kind = Type::Kind::kPointer;
        type.scalar = ScalarKind::kUint;
        type.width = 64;
        // What it leads to may lead back here; a structure that is being built is left out.
        const uint32_t target = definition[2];
        if (spirv_.Definition(target).op == Op::kTypeStruct && building_.count(target) == 0) {
          type.structure = StructureOf(target, depth + 1);
        }
        return type;
      }
      default:
        type.kind = Type::Kind::kOpaque;
        return type;
    }
  }

  // Nothing for a structure that holds itself.
  std::optional<uint32_t> StructureOf(uint32_t id, int depth) {
    if (const auto known = structures_.find(id); known != structures_.end()) return known->second;
    if (!building_.insert({id, true}).second) {
      is_malformed_ = true;
      return std::nullopt;
    }
    const Instruction definition = spirv_.Definition(id);
    Structure structure;
    structure.name = spirv_.Name(id);
    uint64_t end = 0;
    for (uint32_t i = 0; i + 1 < definition.operands.size() && !is_malformed_; ++i) {
      Member member;
      member.name = spirv_.MemberName(id, i);
      member.type = TypeOf(definition[i + 1], depth);
      if (member.type.kind == Type::Kind::kMatrix) {
        member.type.matrix_stride = spirv_.GetMember(id, i, Decoration::kMatrixStride).value_or(0);
        member.type.row_major = spirv_.GetMember(id, i, Decoration::kRowMajor).has_value();
      }
      const auto offset = spirv_.GetMember(id, i, Decoration::kOffset);
      structure.has_layout |= offset.has_value();
      member.offset = offset.value_or(0);
      member.size = SizeOf(member.type);
      end = std::max<uint64_t>(end, uint64_t{member.offset} + member.size);
      structure.members.push_back(std::move(member));
    }
    if (structure.has_layout) {
      structure.size = Clamp(end);
    } else {
      for (Member& member : structure.members) member.size = 0;
    }
    building_.erase(id);
    const auto index = static_cast<uint32_t>(module_.structures.size());
    module_.structures.push_back(std::move(structure));
    structures_[id] = index;
    return index;
  }

  uint32_t SizeOf(const Type& type) const {
    const uint64_t scalar = type.scalar == ScalarKind::kBool ? 4 : type.width / 8;
    uint64_t size = 0;
    switch (type.kind) {
      case Type::Kind::kScalar:
        size = scalar;
        break;
      case Type::Kind::kVector:
        size = scalar * type.rows;
        break;
      case Type::Kind::kMatrix:
        size = uint64_t{type.matrix_stride} * (type.row_major ? type.rows : type.columns);
        break;
      case Type::Kind::kStructure:
        size = type.structure ? module_.structures[*type.structure].size : 0;
        break;
      case Type::Kind::kPointer:
        size = 8;
        break;
      case Type::Kind::kOpaque:
        size = 0;
        break;
    }
    // The outermost dimension's stride covers all inner ones.
    if (!type.array.empty()) size = uint64_t{type.array.front().count} * type.array.front().stride;
    return Clamp(size);
  }

  // The type under a pointer and its arrays; the arrays go to `array`.
  uint32_t Pointee(uint32_t variable, std::vector<ArrayDimension>& array) const {
    const Instruction pointer = spirv_.Definition(spirv_.Definition(variable)[0]);
    uint32_t id = pointer.op == Op::kTypePointer ? pointer[2] : 0;
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      const Instruction definition = spirv_.Definition(id);
      if (definition.op != Op::kTypeArray && definition.op != Op::kTypeRuntimeArray) break;
      ArrayDimension dimension;
      if (definition.op == Op::kTypeArray) {
        dimension.count = spirv_.ConstantValue(definition[2]).value_or(0);
        dimension.count_constant = spirv_.Get(definition[2], Decoration::kSpecId);
      }
      array.push_back(dimension);
      id = definition[1];
    }
    return id;
  }

  Storage StorageOf(uint32_t variable) const { return static_cast<Storage>(spirv_.Definition(variable)[2]); }

  // --- Globals
  // --------------------------------------------------------------------------------------------------------

  void AddSpecializationConstants() {
    for (const uint32_t id : spirv_.specialization_constants()) {
      const auto spec_id = spirv_.Get(id, Decoration::kSpecId);
      if (!spec_id) continue;
      const Instruction definition = spirv_.Definition(id);
      const Type type = TypeOf(definition[0]);
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
      switch (StorageOf(id)) {
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
    const uint32_t pointee = Pointee(id, binding.array);
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
    if (StorageOf(id) != Storage::kUniformConstant) {
      if (definition.op != Op::kTypeStruct) return false;
      const bool is_storage = StorageOf(id) == Storage::kStorageBuffer || spirv_.Has(pointee, Decoration::kBufferBlock);
      binding.kind = is_storage ? BindingKind::kStorageBuffer : BindingKind::kUniformBuffer;
      binding.access = is_storage ? AccessOf(id, pointee) : Access::kRead;
      binding.structure = StructureOf(pointee, 0);
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
        binding.type = TypeOf(pointee);
        binding.type->array = binding.array;
        binding.slot = spirv_.Get(id, Decoration::kLocation).value_or(0);
        return true;
    }
    constexpr uint32_t kBuffer = 5, kSubpass = 6, kStorage = 2;
    TextureFacts facts;
    const Type sampled = TypeOf(definition[1]);
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
    const uint32_t pointee = Pointee(id, array);
    if (spirv_.Definition(pointee).op != Op::kTypeStruct) return;
    PushConstants block;
    block.name = spirv_.Name(id);
    if (block.name.empty()) block.name = spirv_.Name(pointee);
    const auto index = StructureOf(pointee, 0);
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

  // --- Entry points
  // ---------------------------------------------------------------------------------------------------

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
    for (const uint32_t id : from.interface) {
      const Storage storage = StorageOf(id);
      if (storage == Storage::kInput) AddInterface(id, entry, entry.inputs, reached);
      if (storage == Storage::kOutput) AddInterface(id, entry, entry.outputs, reached);
    }
    for (auto* list : {&entry.inputs, &entry.outputs}) {
      std::stable_sort(list->begin(), list->end(), [](const InterfaceVariable& a, const InterfaceVariable& b) {
        const auto key = [](const InterfaceVariable& v) {
          return std::make_tuple(!v.location.has_value(), v.is_per_patch, v.location.value_or(0), v.component,
                                 v.index.value_or(0), std::string_view(v.builtin), std::string_view(v.name));
        };
        return key(a) < key(b);
      });
    }
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

  // Inputs and outputs that are arrays over the vertices of a primitive: one of them is what the author declared.
  static bool IsArrayedOverVertices(std::string_view stage, bool is_input, bool is_patch) {
    if (is_patch) return false;
    if (is_input) return stage == "tesscontrol" || stage == "tesseval" || stage == "geometry";
    return stage == "tesscontrol" || stage == "mesh";
  }

  void AddInterface(uint32_t id, const EntryPoint& entry, std::vector<InterfaceVariable>& list,
                    const std::vector<bool>& reached) {
    std::vector<ArrayDimension> array;
    const uint32_t pointee = Pointee(id, array);
    const bool is_input = &list == &entry.inputs;
    const bool is_patch = spirv_.Has(id, Decoration::kPatch);
    const Instruction definition = spirv_.Definition(pointee);
    const bool is_per_vertex = spirv_.Has(id, Decoration::kPerVertex);
    size_t stripped = 0;
    if ((IsArrayedOverVertices(entry.stage, is_input, is_patch) || is_per_vertex) && !array.empty()) {
      const bool is_primitive_builtin = spirv_.Get(id, Decoration::kBuiltIn).value_or(0) >= 5294;  // of mesh stages
      if (!is_primitive_builtin) {
        array.erase(array.begin());
        stripped = 1;
      }
    }
    InterfaceVariable variable;
    variable.name = spirv_.Name(id);
    variable.is_per_patch = is_patch;
    variable.is_per_vertex = is_per_vertex;
    variable.is_per_primitive = spirv_.Has(id, Decoration::kPerPrimitive);
    if (definition.op != Op::kTypeStruct) {
      variable.type = TypeOf(pointee);
      variable.type.array = array;
      Fill(variable, [&](Decoration decoration) { return spirv_.Get(id, decoration); });
      list.push_back(std::move(variable));
      return;
    }
    // A block: one row a member.
    const std::string prefix = variable.name.empty() ? std::string(spirv_.Name(pointee)) : variable.name;
    std::optional<uint32_t> next = spirv_.Get(id, Decoration::kLocation);
    const auto members = static_cast<uint32_t>(definition.operands.size() - 1);
    for (uint32_t i = 0; i < members; ++i) {
      InterfaceVariable member = variable;
      const std::string member_name(spirv_.MemberName(pointee, i));
      member.name = prefix.empty() || member_name.starts_with("gl_") ? member_name : prefix + "." + member_name;
      member.type = TypeOf(definition[i + 1]);
      member.type.array.insert(member.type.array.begin(), array.begin(), array.end());
      member.is_per_patch |= spirv_.GetMember(pointee, i, Decoration::kPatch).has_value();
      member.is_per_primitive |= spirv_.GetMember(pointee, i, Decoration::kPerPrimitive).has_value();
      Fill(member, [&](Decoration decoration) {
        const auto own = spirv_.GetMember(pointee, i, decoration);
        const bool is_location = decoration == Decoration::kLocation || decoration == Decoration::kComponent;
        return own || is_location ? own : spirv_.Get(id, decoration);
      });
      if (member.builtin.empty()) {
        if (!member.location) member.location = next;
        if (member.location) next = Clamp(uint64_t{*member.location} + LocationsOf(member.type));
      } else if (!UsesMember(id, i, stripped + array.size(), reached)) {
        continue;  // compilers declare all members of gl_PerVertex
      }
      list.push_back(std::move(member));
    }
  }

  template <typename Get>
  static void Fill(InterfaceVariable& variable, Get get) {
    if (const auto builtin = get(Decoration::kBuiltIn)) variable.builtin = BuiltinName(*builtin);
    variable.location = get(Decoration::kLocation);
    variable.component = get(Decoration::kComponent).value_or(0);
    variable.index = get(Decoration::kIndex);
    if (get(Decoration::kFlat)) variable.interpolation = "flat";
    if (get(Decoration::kNoPerspective)) variable.interpolation = "linear";
    if (get(Decoration::kCentroid)) variable.sampling = "centroid";
    if (get(Decoration::kSample)) variable.sampling = "sample";
  }

  uint64_t LocationsOf(const Type& type) const {
    uint64_t count = type.width == 64 && type.rows > 2 ? 2 : 1;
    if (type.kind == Type::Kind::kMatrix) count *= type.columns;
    if (type.kind == Type::Kind::kStructure && type.structure) {
      count = 0;
      for (const Member& member : module_.structures[*type.structure].members) count += LocationsOf(member.type);
    }
    for (const ArrayDimension& dimension : type.array) count = Clamp(count * std::max(dimension.count, 1u));
    return Clamp(count);
  }

  // Whether code that is reached touches a member of a block. An index that is not constant may be any.
  bool UsesMember(uint32_t variable, uint32_t member, size_t level, const std::vector<bool>& reached) {
    if (chains_.empty()) chains_ = spirv_.AllChains();
    bool has_chain = false;
    for (const auto& [function, chain] : chains_) {
      if (chain.variable != variable || function >= reached.size() || !reached[function]) continue;
      has_chain = true;
      if (level >= chain.indices.size()) return true;
      const auto index = spirv_.ConstantValue(chain.indices[level]);
      if (!index || *index == member) return true;
    }
    // Loaded or stored as a whole.
    return !has_chain && variable < reached.size() && reached[variable];
  }

  const SpirvModule& spirv_;
  diag::Sink& sink_;
  Module module_;
  bool is_malformed_ = false;
  std::unordered_map<uint32_t, uint32_t> structures_;
  std::unordered_map<uint32_t, bool> building_;
  std::vector<std::pair<uint32_t, Binding>> bindings_;
  std::vector<uint32_t> push_constants_;
  std::vector<std::pair<uint32_t, SpecializationConstant>> constants_;
  std::vector<std::pair<uint32_t, ChainAccess>> chains_;
};

}  // namespace

Result<Module> FromSpirv(std::string_view bytes, diag::Sink& sink) {
  Result<SpirvModule> spirv = SpirvModule::Read(bytes, sink);
  if (!spirv) return sink.FailedBecauseReported();
  return Builder(*spirv, sink).Build();
}

}  // namespace kiln::reflect
