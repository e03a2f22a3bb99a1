// SPDX-License-Identifier: Apache-2.0
// Entry points. The function that WGSL calls the entry point is emitted like any other; around it stands a function
// without parameters that reads the inputs, calls it and writes the outputs.
// https://www.w3.org/TR/WGSL/#stage-inputs-outputs
#include <algorithm>

#include "emit/spirv/guards.h"

namespace kiln::emit::spirv {

using core::BuiltinValue;
using core::Stage;
using core::TypeKind;

namespace {

bool IsIntegral(const core::Type* type) { return core::ScalarOf(type)->is_integer_scalar(); }

}  // namespace

Id Emitter::IoVariable(spv::StorageClass storage, Id type, std::string_view name) {
  const Id pointer = PointerId(storage, type);
  const Id id = NewId();
  globals_.Op(spv::Op::kVariable, pointer, id, storage);
  Name(id, name);
  interface_.push_back(id);
  return id;
}

Id Emitter::BuiltinVariable(spv::StorageClass storage, spv::BuiltIn builtin, Id type, std::string_view name) {
  Id& id = builtin_vars_[{static_cast<uint32_t>(storage), static_cast<uint32_t>(builtin)}];
  if (id == 0) {
    id = IoVariable(storage, type, name);
    Decorate(id, spv::Decoration::kBuiltIn, builtin);
  }
  return id;
}

void Emitter::DecorateIo(Id var, const core::Type* type, const core::IoAttributes& io, Stage stage, bool is_input) {
  Decorate(var, spv::Decoration::kLocation, *io.location);
  if (io.blend_src) Decorate(var, spv::Decoration::kIndex, *io.blend_src);
  // Interpolation belongs to what lies between the vertex and the fragment stage.
  const bool is_between = (stage == Stage::kVertex && !is_input) || (stage == Stage::kFragment && is_input);
  if (!is_between) return;
  if (IsIntegral(type) || io.interpolation == core::InterpolationType::kFlat) {
    Decorate(var, spv::Decoration::kFlat);
    return;
  }
  if (io.interpolation == core::InterpolationType::kLinear) Decorate(var, spv::Decoration::kNoPerspective);
  if (io.sampling == core::InterpolationSampling::kCentroid) Decorate(var, spv::Decoration::kCentroid);
  if (io.sampling == core::InterpolationSampling::kSample) {
    Need(spv::Capability::kSampleRateShading);
    Decorate(var, spv::Decoration::kSample);
  }
}

Id Emitter::InputBuiltin(BuiltinValue value) {
  using spv::BuiltIn;
  const auto load = [&](BuiltIn builtin, const core::Type* type, bool is_flat = false) {
    const Id type_id = TypeId(type);
    const size_t before = builtin_vars_.size();
    const Id var = BuiltinVariable(spv::StorageClass::kInput, builtin, type_id, core::Name(value));
    if (is_flat && builtin_vars_.size() != before) Decorate(var, spv::Decoration::kFlat);
    return Op(spv::Op::kLoad, type_id, var);
  };
  const core::Type* u32 = core::U32();
  const core::Type* vec3 = core::StaticVec(core::U32(), 3);
  const bool in_fragment = instances_[current_].function->entry->stage == Stage::kFragment;
  switch (value) {
    case BuiltinValue::kVertexIndex:
      return load(BuiltIn::kVertexIndex, u32);
    case BuiltinValue::kInstanceIndex:
      return load(BuiltIn::kInstanceIndex, u32);
    case BuiltinValue::kPosition:
      return load(BuiltIn::kFragCoord, core::StaticVec(core::F32(), 4));
    case BuiltinValue::kFrontFacing:
      return load(BuiltIn::kFrontFacing, core::Bool());
    case BuiltinValue::kSampleIndex:
      Need(spv::Capability::kSampleRateShading);
      return load(BuiltIn::kSampleId, u32, true);
    case BuiltinValue::kPrimitiveIndex:
      Need(spv::Capability::kGeometry);
      return load(BuiltIn::kPrimitiveId, u32, true);
    case BuiltinValue::kSampleMask: {
      const Id array = TypeId(types_.Array(u32, 1));
      const size_t before = builtin_vars_.size();
      const Id var = BuiltinVariable(spv::StorageClass::kInput, BuiltIn::kSampleMask, array, core::Name(value));
      if (builtin_vars_.size() != before) Decorate(var, spv::Decoration::kFlat);
      const Id pointer = PointerId(spv::StorageClass::kInput, U32Id());
      const Id zero = U32(0);
      const Id chain = Op(spv::Op::kAccessChain, pointer, var, zero);
      return Op(spv::Op::kLoad, U32Id(), chain);
    }
    case BuiltinValue::kLocalInvocationId:
      return load(BuiltIn::kLocalInvocationId, vec3);
    case BuiltinValue::kLocalInvocationIndex:
      return load(BuiltIn::kLocalInvocationIndex, u32);
    case BuiltinValue::kGlobalInvocationId:
      return load(BuiltIn::kGlobalInvocationId, vec3);
    case BuiltinValue::kWorkgroupId:
      return load(BuiltIn::kWorkgroupId, vec3);
    case BuiltinValue::kNumWorkgroups:
      return load(BuiltIn::kNumWorkgroups, vec3);
    case BuiltinValue::kSubgroupInvocationId:
      Need(spv::Capability::kGroupNonUniform);
      return load(BuiltIn::kSubgroupLocalInvocationId, u32, in_fragment);
    case BuiltinValue::kSubgroupSize:
      Need(spv::Capability::kGroupNonUniform);
      return load(BuiltIn::kSubgroupSize, u32, in_fragment);
    case BuiltinValue::kSubgroupId:
      Need(spv::Capability::kGroupNonUniform);
      return load(BuiltIn::kSubgroupId, u32);
    case BuiltinValue::kNumSubgroups:
      Need(spv::Capability::kGroupNonUniform);
      return load(BuiltIn::kNumSubgroups, u32);
    case BuiltinValue::kWorkgroupIndex:
    case BuiltinValue::kGlobalInvocationIndex: {
      // #global-invocation-index-builtin-value, #workgroup-index-builtin-value: x runs fastest, then y, then z.
      const bool is_global = value == BuiltinValue::kGlobalInvocationIndex;
      const Id at = InputBuiltin(is_global ? BuiltinValue::kGlobalInvocationId : BuiltinValue::kWorkgroupId);
      const Id groups = InputBuiltin(BuiltinValue::kNumWorkgroups);
      bool all_constant;
      std::array<uint32_t, 3> constant_size;
      const std::array<Id, 3> size =
          WorkgroupSizeIds(*instances_[current_].function->entry, &all_constant, &constant_size);
      const auto extent = [&](uint32_t axis) {
        const Id count = Op(spv::Op::kCompositeExtract, U32Id(), groups, axis);
        return is_global ? Op(spv::Op::kIMul, U32Id(), count, size[axis]) : count;
      };
      const Id width = extent(0);
      const Id height = extent(1);
      const Id x = Op(spv::Op::kCompositeExtract, U32Id(), at, 0u);
      const Id y = Op(spv::Op::kCompositeExtract, U32Id(), at, 1u);
      const Id z = Op(spv::Op::kCompositeExtract, U32Id(), at, 2u);
      const Id layers = Op(spv::Op::kIMul, U32Id(), z, height);
      const Id rows = Op(spv::Op::kIAdd, U32Id(), y, layers);
      const Id before = Op(spv::Op::kIMul, U32Id(), rows, width);
      return Op(spv::Op::kIAdd, U32Id(), x, before);
    }
    default:
      KILN_UNREACHABLE("a built-in input value");
  }
}

Id Emitter::LoadInput(const core::Type* type, const core::IoAttributes& io, Stage stage, std::string_view name) {
  if (io.builtin) return InputBuiltin(*io.builtin);
  const bool widen = type->Has(core::Type::kHoldsF16) && !options_.f16_io;
  if (type->Has(core::Type::kHoldsF16) && options_.f16_io) Need(spv::Capability::kStorageInputOutput16);
  const core::Type* io_type = widen ? types_.Retype(type, core::F32()) : type;
  const Id var = IoVariable(spv::StorageClass::kInput, TypeId(io_type), name);
  DecorateIo(var, io_type, io, stage, true);
  const Id value = Op(spv::Op::kLoad, TypeId(io_type), var);
  return widen ? Convert(value, io_type, type) : value;
}

void Emitter::StoreOutput(Id value, const core::Type* type, const core::IoAttributes& io, Stage stage,
                          std::string_view name) {
  using spv::BuiltIn;
  constexpr auto kOutput = spv::StorageClass::kOutput;
  if (io.builtin) {
    Id var = 0;
    switch (*io.builtin) {
      case BuiltinValue::kPosition:
        var = BuiltinVariable(kOutput, BuiltIn::kPosition, TypeId(type), name);
        break;
      case BuiltinValue::kFragDepth:
        var = BuiltinVariable(kOutput, BuiltIn::kFragDepth, TypeId(type), name);
        break;
      case BuiltinValue::kClipDistances:
        Need(spv::Capability::kClipDistance);
        var = BuiltinVariable(kOutput, BuiltIn::kClipDistance, TypeId(type), name);
        break;
      case BuiltinValue::kSampleMask: {
        var = BuiltinVariable(kOutput, BuiltIn::kSampleMask, TypeId(types_.Array(core::U32(), 1)), name);
        const Id zero = U32(0);
        var = Op(spv::Op::kAccessChain, PointerId(kOutput, U32Id()), var, zero);
        break;
      }
      default:
        KILN_UNREACHABLE("a built-in output value");
    }
    if (io.invariant) Decorate(var, spv::Decoration::kInvariant);
    body_.Op(spv::Op::kStore, var, value);
    return;
  }
  const bool narrow = type->Has(core::Type::kHoldsF16) && !options_.f16_io;
  if (type->Has(core::Type::kHoldsF16) && options_.f16_io) Need(spv::Capability::kStorageInputOutput16);
  const core::Type* io_type = narrow ? types_.Retype(type, core::F32()) : type;
  const Id var = IoVariable(kOutput, TypeId(io_type), name);
  DecorateIo(var, io_type, io, stage, false);
  if (narrow) value = Convert(value, type, io_type);
  body_.Op(spv::Op::kStore, var, value);
}

std::array<Id, 3> Emitter::WorkgroupSizeIds(const ir::EntryPoint& entry, bool* all_constant,
                                            std::array<uint32_t, 3>* size, bool is_declaration) {
  std::array<Id, 3> ids;
  *all_constant = true;
  for (size_t i = 0; i < 3; ++i) {
    const ir::Expr* expr = entry.workgroup_size[i];
    if (expr == nullptr || expr->Is(ir::ExprKind::kConstant)) {
      (*size)[i] = expr == nullptr ? 1 : static_cast<uint32_t>(expr->constant()->i());
      ids[i] = U32((*size)[i]);
      continue;
    }
    *all_constant = false;
    (*size)[i] = 1;
    const auto* decl = expr->Is(ir::ExprKind::kRef) ? expr->decl()->TryAs<ir::Override>() : nullptr;
    if (decl != nullptr && (is_declaration || options_.block_rules != BlockRules::kGl)) {
      ids[i] = WorkgroupOverrideId(decl);
      if (ids[i] != 0) continue;
    }
    Id id = SpecExpr(expr);
    const bool is_derived = decl == nullptr || (decl->init != nullptr && !decl->init->Is(ir::ExprKind::kConstant));
    if (options_.block_rules != BlockRules::kOffsets && is_derived) {
      sink_.Error(expr->range, "workgroup-size-computed")
              .Hint("give the overrides values: --override NAME=VALUE, or 'overrides' in kiln.json")
          << "the workgroup size is computed from overrides; this language can take it from one override alone";
      id = U32(1);
    } else if (id == 0) {
      ReportNotSpecializable(expr, "the workgroup size");
      id = U32(1);
    } else if (expr->type != core::U32()) {
      const Id same = NewId();
      const Id zero = U32(0);
      globals_.Op(spv::Op::kSpecConstantOp, U32Id(), same, spv::Op::kIAdd, id, zero);
      id = same;
    }
    ids[i] = id;
  }
  return ids;
}

void Emitter::InitPrivates(std::span<const ir::Var* const> vars) {
  for (const ir::Var* var : vars) {
    const auto& pointer = var->type->To<core::PointerType>();
    if (pointer.space != core::AddressSpace::kPrivate) continue;
    if (IsZeroedByLoop(var)) ZeroPlace(GlobalPlace(var));
    if (var->init == nullptr) continue;
    if (var->init->Is(ir::ExprKind::kConstant) || SpecExpr(var->init) != 0) continue;
    const Id value = Value(var->init);
    body_.Op(spv::Op::kStore, GlobalId(var), value);
  }
}

// Arrays are cleared by all invocations together, everything else by the first.
// https://www.w3.org/TR/WGSL/#address-spaces-workgroup
void Emitter::ZeroWorkgroup(const ir::Function* function, std::span<const ir::Var* const> vars) {
  std::vector<Place> singles, arrays, buffers;
  for (const ir::Var* var : vars) {
    if (var->type->To<core::PointerType>().space != core::AddressSpace::kWorkgroup) continue;
    Place place = GlobalPlace(var);
    (place.store->Is(TypeKind::kBuffer)  ? buffers
     : place.store->Is(TypeKind::kArray) ? arrays
                                         : singles)
        .push_back(place);
  }
  if (singles.empty() && arrays.empty() && buffers.empty()) return;
  const Id index = InputBuiltin(BuiltinValue::kLocalInvocationIndex);
  const Id zero = U32(0);
  if (!singles.empty()) {
    const Id is_first = Op(spv::Op::kIEqual, BoolId(), index, zero);
    If(is_first, 0, [&] {
      for (const Place& place : singles) ZeroPlace(place);
      return Id{0};
    });
  }
  bool all_constant;
  std::array<uint32_t, 3> size;
  const std::array<Id, 3> sizes = WorkgroupSizeIds(*function->entry, &all_constant, &size);
  const uint64_t invocations = uint64_t{size[0]} * size[1] * size[2];
  const auto stride_of_all = [&] {
    if (all_constant) return U32(static_cast<uint32_t>(invocations));
    const Id plane = Op(spv::Op::kIMul, U32Id(), sizes[0], sizes[1]);
    return Op(spv::Op::kIMul, U32Id(), plane, sizes[2]);
  };
  for (const Place& place : buffers) ZeroBuffer(place, index, stride_of_all());
  for (Place& place : arrays) {
    const auto& array = place.store->To<core::ArrayType>();
    Id count = 0;
    if (array.is_override_sized()) {
      count = CountId(*array.override_count);
      if (ir::CountOf(*array.override_count).value->type != core::U32()) {
        count = Op(spv::Op::kBitcast, U32Id(), count);
      }
    }
    // Arrays of arrays are cleared as one, so that all invocations have a part in it.
    std::vector<uint32_t> inner;  // their counts, from without to within
    uint64_t each = 1;            // innermost elements in one of the outermost
    const core::Type* element_type = array.element;
    while (const auto* nested = element_type->As<core::ArrayType>()) {
      if (std::max<uint64_t>(array.count, 1) * each * nested->count > 0xFFFFFFFF) break;
      each *= nested->count;
      inner.push_back(nested->count);
      element_type = nested->element;
    }
    if (!array.is_override_sized()) {
      count = U32(static_cast<uint32_t>(array.count * each));
    } else if (each != 1) {
      count = Op(spv::Op::kIMul, U32Id(), count, U32(static_cast<uint32_t>(each)));
    }
    const auto clear = [&](Id at) {
      Place element = place;
      const auto step = [&](Id id) { element.steps[element.step_count++] = {id, true, false, 0}; };
      uint32_t below = static_cast<uint32_t>(each);
      for (const uint32_t inner_count : inner) {
        const Id divisor = U32(below);
        step(Op(spv::Op::kUDiv, U32Id(), at, divisor));
        at = Op(spv::Op::kUMod, U32Id(), at, divisor);
        below /= inner_count;
      }
      step(at);
      element.store = element_type;
      ZeroPlace(element);
      return Id{0};
    };
    if (all_constant && !array.is_override_sized() && array.count * each <= invocations) {
      const Id inside = Op(spv::Op::kULessThan, BoolId(), index, count);
      If(inside, 0, [&] { return clear(index); });
      continue;
    }
    Repeat(index, count, stride_of_all(), clear);
  }
  const Id workgroup = U32(spv::kScopeWorkgroup);
  const Id semantics = U32(spv::kAcquireRelease | spv::kWorkgroupMemory);
  body_.Op(spv::Op::kControlBarrier, workgroup, workgroup, semantics);
}

void Emitter::EmitEntryPoint(const ir::Function* function) {
  const Stage stage = function->entry->stage;
  interface_.clear();
  builtin_vars_.clear();
  is_guarded_ = stage == Stage::kFragment && options_.discard == DiscardMode::kFlagAndKill && Discards(function);
  const bool guarded = is_guarded_;
  if (guarded && discard_flag_ == 0) {
    const Id pointer = PointerId(spv::StorageClass::kPrivate, BoolId());
    const Id no = Bool(false);
    discard_flag_ = NewId();
    globals_.Op(spv::Op::kVariable, pointer, discard_flag_, spv::StorageClass::kPrivate, no);
    Name(discard_flag_, "kiln_discarded");
  }
  const uint32_t inner = InstanceOf(function, {}, {});
  EmitPending();
  current_ = inner;
  is_guarded_ = false;
  std::vector<const ir::Var*> vars = Closure(inner);

  const Id id = NewId();
  Name(id, function->name);
  BeginFunction(VoidId(), id, FunctionTypeId(VoidId(), {}), {}, {});
  InitPrivates(vars);
  if (stage == Stage::kCompute && protect_.zero_workgroup) ZeroWorkgroup(function, vars);

  IdList arguments;
  for (const ir::Param* param : function->params) {
    if (const auto* structure = param->type->As<core::StructType>()) {
      IdList members;
      for (const core::StructMember& member : structure->members) {
        members.push_back(LoadInput(member.type, member.io, stage, member.name));
      }
      arguments.push_back(OpList(spv::Op::kCompositeConstruct, TypeId(param->type), members));
    } else {
      arguments.push_back(LoadInput(param->type, *param->io, stage, param->name));
    }
  }
  const Id result = NewId();
  body_.OpList(spv::Op::kFunctionCall, arguments, TypeId(function->type), result, instances_[inner].id);
  const core::IoAttributes* depth = nullptr;
  const auto output = [&](Id value, const core::Type* type, const core::IoAttributes& io, std::string_view name) {
    if (io.builtin == BuiltinValue::kFragDepth) depth = &io;
    StoreOutput(value, type, io, stage, name);
  };
  if (const auto* structure = function->type->As<core::StructType>()) {
    for (uint32_t i = 0; i < structure->members.size(); ++i) {
      const core::StructMember& member = structure->members[i];
      output(Extract(result, member.type, i), member.type, member.io, member.name);
    }
  } else if (!function->type->Is(TypeKind::kVoid)) {
    output(result, function->type, *function->result_io, "result");
  }
  if (stage == Stage::kVertex && options_.point_size) {
    const Id var =
        BuiltinVariable(spv::StorageClass::kOutput, spv::BuiltIn::kPointSize, TypeId(core::F32()), "point_size");
    const Id one = FloatSplat(core::F32(), 1);
    body_.Op(spv::Op::kStore, var, one);
  }
  if (guarded) {
    const Id discarded = Op(spv::Op::kLoad, BoolId(), discard_flag_);
    const Id kill = NewId(), merge = NewId();
    body_.Op(spv::Op::kSelectionMerge, merge, 0u);
    BranchIf(discarded, kill, merge);
    Label(kill);
    body_.Op(spv::Op::kKill);
    Label(merge);
  }
  body_.Op(spv::Op::kReturn);
  EndFunction();

  switch (stage) {
    case Stage::kVertex:
      break;
    case Stage::kFragment:
      execution_modes_.Op(spv::Op::kExecutionMode, id, spv::ExecutionMode::kOriginUpperLeft);
      if (depth != nullptr) {
        execution_modes_.Op(spv::Op::kExecutionMode, id, spv::ExecutionMode::kDepthReplacing);
        if (depth->depth_mode == core::DepthMode::kLess) {
          execution_modes_.Op(spv::Op::kExecutionMode, id, spv::ExecutionMode::kDepthLess);
        } else if (depth->depth_mode == core::DepthMode::kGreater) {
          execution_modes_.Op(spv::Op::kExecutionMode, id, spv::ExecutionMode::kDepthGreater);
        }
      }
      break;
    case Stage::kCompute: {
      bool all_constant;
      std::array<uint32_t, 3> size;
      const std::array<Id, 3> ids = WorkgroupSizeIds(*function->entry, &all_constant, &size, true);
      execution_modes_.Op(spv::Op::kExecutionMode, id, spv::ExecutionMode::kLocalSize, size[0], size[1], size[2]);
      if (!all_constant) {
        const Id object = NewId();
        const Id type = VecId(core::U32(), 3);
        globals_.OpList(spv::Op::kSpecConstantComposite, ids, type, object);
        Decorate(object, spv::Decoration::kBuiltIn, spv::BuiltIn::kWorkgroupSize);
      }
      break;
    }
  }
  std::vector<Id> interface = interface_;
  if (options_.version >= 0x00010400) {  // from 1.4 on, every variable that is reached
    for (const ir::Var* var : Closure(inner)) {
      // A handle that is only handed to a function that does not look at it is no variable of the module.
      if (global_ids_[var->id] != 0) interface.push_back(global_ids_[var->id]);
    }
    if (guarded) interface.push_back(discard_flag_);
  }
  const spv::ExecutionModel model = stage == Stage::kVertex     ? spv::ExecutionModel::kVertex
                                    : stage == Stage::kFragment ? spv::ExecutionModel::kFragment
                                                                : spv::ExecutionModel::kGLCompute;
  const Id before[] = {static_cast<uint32_t>(model), id};
  entry_points_.OpString(spv::Op::kEntryPoint, before, function->name, interface);
}

}  // namespace kiln::emit::spirv
