// SPDX-License-Identifier: Apache-2.0
#include "reflect/from_ir.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "core/eval.h"
#include "core/layout.h"
#include "ir/evaluate.h"
#include "ir/names.h"
#include "reflect/block_features.h"
#include "reflect/ir_uses.h"

namespace kiln::reflect {
namespace {

std::string Hyphenated(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

ScalarKind KindOf(const core::Type* scalar) {
  if (scalar->Is(core::TypeKind::kBool)) return ScalarKind::kBool;
  if (scalar->is_float_scalar()) return ScalarKind::kFloat;
  return scalar->is_signed_integer_scalar() ? ScalarKind::kInt : ScalarKind::kUint;
}

uint32_t WidthOf(const core::Type* scalar) {
  switch (scalar->kind) {
    case core::TypeKind::kI8:
    case core::TypeKind::kU8:
      return 8;
    case core::TypeKind::kF16:
    case core::TypeKind::kI16:
    case core::TypeKind::kU16:
      return 16;
    case core::TypeKind::kI64:
    case core::TypeKind::kU64:
    case core::TypeKind::kF64:
      return 64;
    default:
      return 32;
  }
}

uint64_t BitsOf(const core::Constant& value) {
  switch (value.type->kind) {
    case core::TypeKind::kF16:
      return core::F16Bits(value.f());
    case core::TypeKind::kF32:
      return std::bit_cast<uint32_t>(static_cast<float>(value.f()));
    case core::TypeKind::kF64:
      return std::bit_cast<uint64_t>(value.f());
    case core::TypeKind::kI32:
      return static_cast<uint32_t>(value.i());
    default:
      return static_cast<uint64_t>(value.i());
  }
}

std::string ViewDimension(core::TextureDim dim) {
  constexpr std::string_view kNames[] = {"1d", "2d", "2d-array", "3d", "cube", "cube-array"};
  return std::string(kNames[static_cast<size_t>(dim)]);
}

std::string Dimension(core::TextureDim dim) {
  constexpr std::string_view kNames[] = {"1d", "2d", "2d", "3d", "cube", "cube"};
  return std::string(kNames[static_cast<size_t>(dim)]);
}

Access AccessOf(core::Access access) {
  return access == core::Access::kRead    ? Access::kRead
         : access == core::Access::kWrite ? Access::kWrite
                                          : Access::kReadWrite;
}

class Builder {
 public:
  Builder(const ir::Module& module, const std::vector<std::string>& entry_points)
      : module_(module), names_(module), uses_(module) {
    for (const ir::Function* function : module.functions) {
      const bool is_meant = entry_points.empty() ||
                            std::find(entry_points.begin(), entry_points.end(), function->name) != entry_points.end();
      if (function->entry && is_meant) entry_points_.push_back(function);
    }
  }

  Module Build() {
    Overrides();
    Bindings();
    for (const ir::Function* function : entry_points_) AddEntryPoint(*function);
    out_.vulkan_features = BlockFeatures(out_, true);
    return std::move(out_);
  }

 private:
  // -------------------------------------------------------------------------------------------------------- types

  Type TypeOf(const core::Type* type) {
    if (const auto* atomic = type->As<core::AtomicType>()) return TypeOf(atomic->element);
    if (const auto* array = type->As<core::ArrayType>()) {
      Type out = TypeOf(array->element);
      ArrayDimension dimension;
      dimension.count = array->count;
      dimension.stride = static_cast<uint32_t>(array->stride);
      if (array->override_count) {
        const ir::Expr& count = *ir::CountOf(*array->override_count).value;
        dimension.count_constant = SpecIdOf(count);
        if (const core::Constant* value = ir::EvaluateWithDefaults(module_.types, count))
          dimension.count = value->u32();
      }
      out.array.insert(out.array.begin(), dimension);
      return out;
    }
    Type out;
    if (const auto* structure = type->As<core::StructType>()) {
      out.kind = Type::Kind::kStructure;
      out.structure = StructureOf(*structure);
      return out;
    }
    const core::Type* scalar = core::ScalarOf(type);
    if (scalar == nullptr) {
      out.kind = Type::Kind::kOpaque;
      return out;
    }
    out.scalar = KindOf(scalar);
    out.width = WidthOf(scalar);
    if (const auto* vec = type->As<core::VecType>()) {
      out.kind = Type::Kind::kVector;
      out.rows = vec->width;
    } else if (const auto* mat = type->As<core::MatType>()) {
      out.kind = Type::Kind::kMatrix;
      out.rows = mat->rows;
      out.columns = mat->columns;
      out.matrix_stride = core::ColumnStride(mat);
    }
    return out;
  }

  static uint32_t SizeOf(const core::Type* type) {
    const auto* array = type->As<core::ArrayType>();
    const bool is_open = array && !array->is_fixed_size();
    return is_open ? 0 : static_cast<uint32_t>(std::min<uint64_t>(type->size, UINT32_MAX));
  }

  uint32_t StructureOf(const core::StructType& type) {
    if (const auto known = structures_.find(&type); known != structures_.end()) return known->second;
    const ir::StructDecl* decl = names_.StructOf(type);
    Structure out;
    out.name = decl ? decl->name : type.name;
    out.has_layout = type.is_host_shareable();
    for (const core::StructMember& member : type.members) {
      Member& made = out.members.emplace_back();
      made.name = decl ? decl->member_name(member.index) : member.name;
      made.type = TypeOf(member.type);
      if (!out.has_layout) continue;
      made.offset = static_cast<uint32_t>(member.offset);
      made.size = SizeOf(member.type);
      out.size = made.offset + made.size;
    }
    const auto index = static_cast<uint32_t>(out_.structures.size());
    out_.structures.push_back(std::move(out));
    structures_[&type] = index;
    return index;
  }

  /// The block of a buffer whose store type is no structure: a structure with it as its one member.
  uint32_t BlockOf(const ir::Var& var, const core::Type* store) {
    if (const auto* structure = store->As<core::StructType>()) return StructureOf(*structure);
    Structure out;
    out.has_layout = true;
    Member& member = out.members.emplace_back();
    member.name = names_.Of(var);
    member.type = TypeOf(store);
    member.size = SizeOf(store);
    out.size = member.size;
    out_.structures.push_back(std::move(out));
    return static_cast<uint32_t>(out_.structures.size() - 1);
  }

  // ---------------------------------------------------------------------------------------------------- overrides

  /// As emit/spirv numbers them: @id, or the least numbers that no @id claims, in the order of the module.
  void Overrides() {
    std::vector<uint32_t> taken;
    for (const ir::Override* decl : module_.overrides) {
      if (decl->override_id) taken.push_back(*decl->override_id);
    }
    std::sort(taken.begin(), taken.end());
    uint32_t next = 0;
    for (const ir::Override* decl : module_.overrides) {
      Override out;
      out.name = decl->name;
      uint32_t constant = 0;
      if (decl->override_id) {
        out.id = *decl->override_id;
        constant = *decl->override_id;
      } else {
        while (std::binary_search(taken.begin(), taken.end(), next)) ++next;
        constant = next++;
      }
      out.scalar = KindOf(decl->type);
      out.width = WidthOf(decl->type);
      out.has_default = decl->init != nullptr;
      const core::Constant* value = decl->init ? ir::EvaluateWithDefaults(module_.types, *decl->init) : nullptr;
      if (value) out.default_bits = BitsOf(*value);
      override_index_[decl] = static_cast<uint32_t>(out_.overrides.size());
      // A default that is computed from others is no constant of its own in SPIR-V.
      if (decl->init == nullptr || decl->init->Is(ir::ExprKind::kConstant)) {
        out.constant = constant;
        // As emit/spirv: without a default 1 for integers and booleans, which sizes of arrays may be.
        const uint64_t without = decl->type->is_float_scalar() ? 0 : 1;
        out_.specialization_constants.push_back(
            {constant, out.name, out.scalar, out.width, out.default_bits.value_or(without)});
      }
      out_.overrides.push_back(std::move(out));
    }
    std::sort(out_.specialization_constants.begin(), out_.specialization_constants.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
  }

  std::optional<uint32_t> SpecIdOf(const ir::Expr& expr) const {
    if (!expr.Is(ir::ExprKind::kRef) || !expr.decl()->Is(ir::DeclKind::kOverride)) return std::nullopt;
    return out_.overrides[override_index_.at(expr.decl()->As<ir::Override>())].constant;
  }

  // ----------------------------------------------------------------------------------------------------- bindings

  void Bindings() {
    std::vector<const ir::Var*> vars;
    for (const ir::Var* var : module_.vars) {
      if (var->binding) vars.push_back(var);
      const auto& pointer = var->type->To<core::PointerType>();
      if (pointer.space == core::AddressSpace::kImmediate) Immediates(*var, pointer.store);
    }
    std::sort(vars.begin(), vars.end(), [](const ir::Var* a, const ir::Var* b) {
      return std::tie(a->binding->group, a->binding->binding, a->name) <
             std::tie(b->binding->group, b->binding->binding, b->name);
    });
    for (const ir::Var* var : vars) {
      binding_index_[var] = static_cast<uint32_t>(out_.bindings.size());
      out_.bindings.push_back(BindingOf(*var));
    }
  }

  void Immediates(const ir::Var& var, const core::Type* store) {
    PushConstants out;
    out.name = names_.Of(var);
    out.structure = BlockOf(var, store);
    out.size = static_cast<uint32_t>(store->size);
    push_index_[&var] = static_cast<uint32_t>(out_.push_constants.size());
    out_.push_constants.push_back(std::move(out));
  }

  Binding BindingOf(const ir::Var& var) {
    const auto& pointer = var.type->To<core::PointerType>();
    Binding out;
    out.name = var.name;
    out.set = var.binding->group;
    out.slot = var.binding->binding;
    LayoutEntry layout;
    const core::Type* store = pointer.store;
    if (const auto* bindings = store->As<core::BindingArrayType>()) {
      out.count = bindings->count;
      out.array.push_back({bindings->count, 0, {}});
      store = bindings->element;
    }
    if (const auto* texture = store->As<core::TextureType>()) {
      Texture(var, *texture, out, layout);
    } else if (const auto* sampler = store->As<core::SamplerType>()) {
      out.kind = BindingKind::kSampler;
      out.access = Access::kNone;
      layout.sampler = sampler->is_comparison ? "comparison" : "filtering";
    } else if (const auto* texels = store->As<core::TexelBufferType>()) {
      const bool is_written = core::CanWrite(texels->access);
      out.kind = is_written ? BindingKind::kStorageTexelBuffer : BindingKind::kUniformTexelBuffer;
      out.access = AccessOf(texels->access);
      out.texture = TextureFacts{
          "buffer", false, false, false, KindOf(texels->sampled), 32, std::string(core::Name(texels->format))};
    } else {
      const bool is_uniform = pointer.space == core::AddressSpace::kUniform;
      out.kind = is_uniform ? BindingKind::kUniformBuffer : BindingKind::kStorageBuffer;
      out.access = AccessOf(pointer.access);
      if (!store->Is(core::TypeKind::kBuffer)) out.structure = BlockOf(var, store);
      layout.buffer = is_uniform ? "uniform" : pointer.access == core::Access::kRead ? "read-only-storage" : "storage";
      layout.min_binding_size = store->size;
      layout.is_dynamic_safe = IsDynamicSafe(pointer.store);
    }
    for (const core::Stage stage : {core::Stage::kVertex, core::Stage::kFragment, core::Stage::kCompute}) {
      for (const ir::Function* function : entry_points_) {
        if (function->entry->stage != stage || !uses_.Of(*function).vars.contains(&var)) continue;
        layout.visible.emplace_back(core::Name(stage));
        break;
      }
    }
    out.layout = std::move(layout);
    return out;
  }

  static std::optional<bool> IsDynamicSafe(const core::Type* store) {
    if (store->Is(core::TypeKind::kBindingArray)) return false;
    if (store->Has(core::Type::kCreationFixed)) return true;
    if (store->Has(core::Type::kFixedFootprint)) return std::nullopt;
    return false;
  }

  void Texture(const ir::Var& var, const core::TextureType& type, Binding& out, LayoutEntry& layout) {
    TextureFacts facts;
    facts.dimension = Dimension(type.dim);
    facts.is_arrayed = type.is_arrayed();
    facts.is_multisampled = type.is_multisampled();
    facts.is_depth = type.is_depth();
    facts.sampled = KindOf(type.sampled);
    out.kind = BindingKind::kTexture;
    layout.view_dimension = ViewDimension(type.dim);
    layout.is_multisampled = facts.is_multisampled;
    if (type.texture == core::TextureKind::kStorage) {
      out.kind = BindingKind::kStorageTexture;
      out.access = AccessOf(type.access);
      facts.format = core::Name(type.format);
      layout.storage_format = facts.format;
      layout.storage_access = type.access == core::Access::kWrite  ? "write-only"
                              : type.access == core::Access::kRead ? "read-only"
                                                                   : "read-write";
    } else if (type.texture == core::TextureKind::kExternal) {
      layout.is_external = true;
      layout.view_dimension.clear();
    } else if (facts.is_depth) {
      layout.sample_type = "depth";
    } else if (facts.sampled == ScalarKind::kFloat) {
      // Filtering is asked for where a sampler is used with it.
      layout.sample_type = IsSampled(var) ? "float" : "unfilterable-float";
    } else {
      layout.sample_type = facts.sampled == ScalarKind::kInt ? "sint" : "uint";
    }
    out.texture = std::move(facts);
  }

  bool IsSampled(const ir::Var& var) const {
    for (const ir::Function* function : module_.functions) {
      for (const auto& [texture, sampler] : uses_.Of(*function).pairs) {
        if (texture == &var) return true;
      }
    }
    return false;
  }

  // -------------------------------------------------------------------------------------------------- entry points

  void AddEntryPoint(const ir::Function& function) {
    EntryPoint out;
    out.name = function.name;
    out.stage = core::Name(function.entry->stage);
    for (const ir::Param* param : function.params) {
      Interface(param->type, param->io, names_.Of(*param), out.inputs);
    }
    if (!function.type->Is(core::TypeKind::kVoid)) Interface(function.type, function.result_io, "", out.outputs);
    if (function.entry->workgroup_size[0]) {
      WorkgroupSize& size = out.workgroup.emplace();
      for (size_t i = 0; i < 3; ++i) {
        const ir::Expr& expr = *function.entry->workgroup_size[i];
        size.constant[i] = SpecIdOf(expr);
        const core::Constant* value = ir::EvaluateWithDefaults(module_.types, expr);
        size.size[i] = value ? value->u32() : 0;
      }
    }
    const IrUses::Function& uses = uses_.Of(function);
    for (const ir::Var* var : uses.vars) {
      if (const auto found = binding_index_.find(var); found != binding_index_.end())
        out.bindings.push_back(found->second);
      if (const auto found = push_index_.find(var); found != push_index_.end()) {
        out.push_constants.push_back(found->second);
      }
    }
    for (const ir::Override* override : uses.overrides) {
      const uint32_t index = override_index_.at(override);
      out.overrides.push_back(index);
      for (uint32_t i = 0; i < out_.specialization_constants.size(); ++i) {
        if (out_.specialization_constants[i].id == out_.overrides[index].constant) {
          out.specialization_constants.push_back(i);
        }
      }
    }
    for (const auto& [texture, sampler] : uses.pairs) {
      const auto from = binding_index_.find(texture);
      const auto with = binding_index_.find(sampler);
      if (from != binding_index_.end() && with != binding_index_.end()) {
        out.sampled_pairs.push_back({from->second, with->second});
      }
    }
    std::sort(out.bindings.begin(), out.bindings.end());
    std::sort(out.push_constants.begin(), out.push_constants.end());
    std::sort(out.overrides.begin(), out.overrides.end());
    std::sort(out.specialization_constants.begin(), out.specialization_constants.end());
    std::sort(out.sampled_pairs.begin(), out.sampled_pairs.end(), [](const SampledPair& a, const SampledPair& b) {
      return std::tie(a.texture, a.sampler) < std::tie(b.texture, b.sampler);
    });
    out_.entry_points.push_back(std::move(out));
  }

  void Interface(const core::Type* type, const core::IoAttributes* io, std::string_view name,
                 std::vector<InterfaceVariable>& into) {
    if (const auto* structure = type->As<core::StructType>()) {
      const ir::StructDecl* decl = names_.StructOf(*structure);
      for (const core::StructMember& member : structure->members) {
        Interface(member.type, &member.io, decl ? decl->member_name(member.index) : member.name, into);
      }
      return;
    }
    InterfaceVariable& out = into.emplace_back();
    out.name = name;
    out.type = TypeOf(type);
    for (ArrayDimension& dimension : out.type.array) dimension.stride = 0;
    if (io == nullptr) return;
    out.location = io->location;
    out.index = io->blend_src;
    if (io->builtin) out.builtin = Hyphenated(core::Name(*io->builtin));
    if (io->interpolation && *io->interpolation != core::InterpolationType::kPerspective) {
      out.interpolation = core::Name(*io->interpolation);
    }
    if (io->sampling && *io->sampling != core::InterpolationSampling::kCenter) out.sampling = core::Name(*io->sampling);
  }

  const ir::Module& module_;
  ir::NameMap names_;
  IrUses uses_;
  std::vector<const ir::Function*> entry_points_;
  Module out_;
  std::map<const core::StructType*, uint32_t> structures_;
  std::map<const ir::Decl*, uint32_t> binding_index_;
  std::map<const ir::Decl*, uint32_t> push_index_;
  std::map<const ir::Override*, uint32_t> override_index_;
};

}  // namespace

Module FromIr(const ir::Module& module, const std::vector<std::string>& entry_points) {
  return Builder(module, entry_points).Build();
}

}  // namespace kiln::reflect
