// SPDX-License-Identifier: Apache-2.0
#include "target/check.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <unordered_map>

#include "ir/walk.h"
#include "target/cbuffer.h"
#include "target/lack.h"

namespace kiln::target {
namespace {

using core::AddressSpace;
using core::BuiltinFn;
using core::BuiltinValue;
using core::TexelFormat;
using core::Type;
using core::TypeKind;

std::string Quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

bool HoldsArrayOfArrays(const Type* type) {
  if (const auto* array = type->As<core::ArrayType>()) {
    return array->element->Is(TypeKind::kArray) || HoldsArrayOfArrays(array->element);
  }
  if (const auto* structure = type->As<core::StructType>()) {
    for (const core::StructMember& member : structure->members) {
      if (HoldsArrayOfArrays(member.type)) return true;
    }
  }
  return false;
}

/// https://registry.khronos.org/OpenGL/specs/es/3.2/GLSL_ES_Specification_3.20.html#format-layout-qualifiers
bool IsEsslFormat(TexelFormat format) {
  constexpr TexelFormat kFormats[] = {
      TexelFormat::kRgba8Unorm,  TexelFormat::kRgba8Snorm, TexelFormat::kRgba8Uint,   TexelFormat::kRgba8Sint,
      TexelFormat::kRgba16Uint,  TexelFormat::kRgba16Sint, TexelFormat::kRgba16Float, TexelFormat::kR32Uint,
      TexelFormat::kR32Sint,     TexelFormat::kR32Float,   TexelFormat::kRgba32Uint,  TexelFormat::kRgba32Sint,
      TexelFormat::kRgba32Float,
  };
  return std::find(std::begin(kFormats), std::end(kFormats), format) != std::end(kFormats);
}

Feature SubgroupFeature(BuiltinFn fn) {
  switch (fn) {
    case BuiltinFn::kSubgroupAll:
    case BuiltinFn::kSubgroupAny:
    case BuiltinFn::kSubgroupBallot:
    case BuiltinFn::kSubgroupElect:
    case BuiltinFn::kSubgroupBroadcastFirst:
      return Feature::kSubgroupVote;
    case BuiltinFn::kSubgroupBroadcast:
      return Feature::kSubgroupBroadcast;
    case BuiltinFn::kSubgroupAdd:
    case BuiltinFn::kSubgroupExclusiveAdd:
    case BuiltinFn::kSubgroupInclusiveAdd:
    case BuiltinFn::kSubgroupMul:
    case BuiltinFn::kSubgroupExclusiveMul:
    case BuiltinFn::kSubgroupInclusiveMul:
      return Feature::kSubgroupSum;
    case BuiltinFn::kSubgroupAnd:
    case BuiltinFn::kSubgroupOr:
    case BuiltinFn::kSubgroupXor:
    case BuiltinFn::kSubgroupMax:
    case BuiltinFn::kSubgroupMin:
      return Feature::kSubgroupExtremum;
    default:
      return Feature::kSubgroupShuffle;
  }
}

class Checker {
 public:
  Checker(const ir::Module& module, const Target& target, diag::Sink& sink) : target_(target), sink_(sink) {
    for (const ir::StructDecl* decl : module.structs) structs_.emplace(&decl->structure(), decl);
  }

  void Entry(ir::Function& entry);

 private:
  void Function(ir::Function& function);
  void Io(const core::IoAttributes& io, diag::Range range);
  void IoOf(const Type* type, const core::IoAttributes* io, diag::Range range);
  void Value(const Type* type, diag::Range range);
  void Variable(const ir::Var& var);
  void Handle(const Type* type, const ir::Var& var);
  void Cbuffer(const ir::Var& var, const Type* store);
  void Expr(const ir::Expr& expr);
  void Builtin(const ir::Expr& expr);
  void Need(Feature feature, diag::Range range, const std::string& what);

  diag::Range RangeOf(const core::StructType& structure, uint32_t member, diag::Range otherwise) const {
    const auto found = structs_.find(&structure);
    return found == structs_.end() ? otherwise : found->second->member_range(member);
  }

  const Target& target_;
  diag::Sink& sink_;
  core::Stage stage_ = core::Stage::kCompute;
  std::array<bool, kFeatureCount> is_reported_{};
  std::set<const ir::Decl*> visited_;  // by the entry point
  std::unordered_map<const core::StructType*, const ir::StructDecl*> structs_;
};

void Checker::Need(Feature feature, diag::Range range, const std::string& what) {
  bool& is_reported = is_reported_[static_cast<size_t>(feature)];
  if (is_reported) return;
  const auto lack = LackOf(feature, target_, stage_);
  if (!lack) return;
  is_reported = true;
  sink_.Error(range, "target-lacks").Hint(lack->hint) << what << " cannot become " << target_.name << ": " << lack->why;
}

void Checker::Entry(ir::Function& entry) {
  stage_ = entry.entry->stage;
  visited_.clear();
  if (stage_ == core::Stage::kCompute) {
    Need(Feature::kCompute, entry.range, "a compute shader");
    if (is_reported_[static_cast<size_t>(Feature::kCompute)]) return;  // what it needs would only repeat that
  }
  for (const ir::Param* param : entry.params) IoOf(param->type, param->io, param->range);
  IoOf(entry.type, entry.result_io, entry.range);
  Function(entry);
}

void Checker::IoOf(const Type* type, const core::IoAttributes* io, diag::Range range) {
  if (io != nullptr) Io(*io, range);
  const auto* structure = type->As<core::StructType>();
  if (structure == nullptr) return;
  for (const core::StructMember& member : structure->members) {
    const diag::Range where = RangeOf(*structure, member.index, range);
    Io(member.io, where);
    Value(member.type, where);
  }
}

void Checker::Io(const core::IoAttributes& io, diag::Range range) {
  if (io.sampling == core::InterpolationSampling::kSample) {
    Need(Feature::kSampleInterpolation, range, "interpolation for each sample");
  }
  const bool has_mode = io.depth_mode == core::DepthMode::kGreater || io.depth_mode == core::DepthMode::kLess;
  if (has_mode) Need(Feature::kDepthMode, range, "a promise about 'frag_depth'");
  if (!io.builtin) return;
  const std::string what = "the built-in value " + Quoted(core::Name(*io.builtin));
  switch (*io.builtin) {
    case BuiltinValue::kSampleIndex:
    case BuiltinValue::kSampleMask:
      return Need(Feature::kSampleValues, range, what);
    case BuiltinValue::kPrimitiveIndex:
      return Need(Feature::kPrimitiveIndex, range, what);
    case BuiltinValue::kSubgroupSize:
    case BuiltinValue::kSubgroupInvocationId:
      return Need(Feature::kSubgroupValue, range, what);
    case BuiltinValue::kNumSubgroups:
    case BuiltinValue::kSubgroupId:
      return Need(Feature::kSubgroupCount, range, what);
    default:
      return;
  }
}

/// What a value or a local variable of the type needs.
void Checker::Value(const Type* type, diag::Range range) {
  if (type->Has(Type::kHoldsF16)) Need(Feature::kF16, range, "'f16'");
  if (HoldsArrayOfArrays(type)) Need(Feature::kArrayOfArrays, range, "an array of arrays");
}

void Checker::Function(ir::Function& function) {
  if (!visited_.insert(&function).second) return;
  for (const ir::Param* param : function.params) Value(param->type, param->range);
  ir::WalkStmts(function.body, [&](ir::Stmt& stmt) {
    if (stmt.Is(ir::StmtKind::kVar)) {
      const ir::Var& var = *stmt.As<ir::VarStmt>()->var;
      Value(var.type->To<core::PointerType>().store, var.range);
    }
    ir::ForEachExpr(stmt, [&](ir::Expr*& root) { ir::WalkExpr(root, [&](ir::Expr*& expr) { Expr(*expr); }); });
  });
}

void Checker::Expr(const ir::Expr& expr) {
  if (expr.Is(ir::ExprKind::kRef) && expr.decl()->Is(ir::DeclKind::kVar)) {
    return Variable(*expr.decl()->As<ir::Var>());
  }
  const auto* pointer = expr.type->As<core::PointerType>();
  if (pointer == nullptr) Value(expr.type, expr.range);
  switch (expr.kind) {
    case ir::ExprKind::kCall:
      return Function(*expr.callee());
    case ir::ExprKind::kBuiltin:
      return Builtin(expr);
    case ir::ExprKind::kIndex: {
      if (pointer == nullptr || pointer->space != AddressSpace::kHandle) return;
      if (expr.operand(1)->Is(ir::ExprKind::kConstant)) return;
      return Need(Feature::kDynamicTextureIndex, expr.range, "a choice among textures by a value of the run");
    }
    default:
      return;
  }
}

void Checker::Builtin(const ir::Expr& expr) {
  const BuiltinFn fn = expr.builtin();
  const std::string what = Quoted(core::Name(fn));
  if (fn >= BuiltinFn::kSubgroupAdd && fn <= BuiltinFn::kQuadSwapY) return Need(SubgroupFeature(fn), expr.range, what);
  const auto space_of = [](const Type* type) { return type->To<core::PointerType>().space; };
  switch (fn) {
    case BuiltinFn::kTextureGather: {
      Need(Feature::kGather, expr.range, what);
      const ir::Expr* component = expr.operand(0);
      const bool is_first = !component->type->is_integer_scalar() ||
                            (component->Is(ir::ExprKind::kConstant) && component->constant()->i() == 0);
      if (!is_first) Need(Feature::kGatherComponent, expr.range, what + " of another component than the first");
      return;
    }
    case BuiltinFn::kTextureGatherCompare:
      return Need(Feature::kGatherCompare, expr.range, what);
    case BuiltinFn::kTextureSampleCompare:
    case BuiltinFn::kTextureSampleCompareLevel: {
      const auto* texture = expr.operand(0)->type->As<core::TextureType>();
      const bool has_offset = expr.operand_count == 6;  // texture, sampler, place, layer, depth, offset
      if (texture == nullptr || texture->dim != core::TextureDim::k2dArray || !has_offset) return;
      return Need(Feature::kCompareOffsetArray, expr.range, what + " with a layer and an offset");
    }
    case BuiltinFn::kAtomicStoreMin:
    case BuiltinFn::kAtomicStoreMax:
      return Need(Feature::kAtomic64, expr.range, what + " of 64 bits");
    case BuiltinFn::kBufferView:
    case BuiltinFn::kBufferArrayView: {
      if (!expr.type->To<core::PointerType>().store->Has(Type::kHoldsF16)) return;
      const bool is_storage = space_of(expr.type) == AddressSpace::kStorage;
      return Need(is_storage ? Feature::kF16Storage : Feature::kF16Uniform, expr.range, "'f16' in a buffer");
    }
    default:
      return;
  }
}

void Checker::Variable(const ir::Var& var) {
  const auto& pointer = var.type->To<core::PointerType>();
  if (pointer.space == AddressSpace::kFunction || !visited_.insert(&var).second) return;
  const Type* store = pointer.store;
  const std::string name = Quoted(var.name);
  switch (pointer.space) {
    case AddressSpace::kHandle:
      if (const auto* array = store->As<core::BindingArrayType>()) store = array->element;
      return Handle(store, var);
    case AddressSpace::kStorage:
      Need(Feature::kStorageBuffer, var.range, "the storage buffer " + name);
      if (store->Has(Type::kHoldsF16)) Need(Feature::kF16Storage, var.range, "'f16' in the storage buffer " + name);
      break;
    case AddressSpace::kUniform:
    case AddressSpace::kImmediate:
      if (store->Has(Type::kHoldsF16)) {
        Need(Feature::kF16Uniform, var.range, "'f16' in the uniform buffer " + name);
        Cbuffer(var, store);
      }
      break;
    default:
      break;
  }
  Value(store, var.range);
}

void Checker::Handle(const Type* type, const ir::Var& var) {
  const std::string name = Quoted(var.name);
  const auto format = [&](TexelFormat texels, core::Access access) {
    if (!IsEsslFormat(texels)) {
      return Need(Feature::kTexelFormat, var.range, "the texel format " + Quoted(core::Name(texels)) + " of " + name);
    }
    const bool is_word =
        texels == TexelFormat::kR32Float || texels == TexelFormat::kR32Uint || texels == TexelFormat::kR32Sint;
    if (access != core::Access::kReadWrite || is_word) return;
    Need(Feature::kReadWriteFormat, var.range,
         "access 'read_write' of " + name + ", whose format is " + Quoted(core::Name(texels)) + ",");
  };
  if (const auto* buffer = type->As<core::TexelBufferType>()) {
    Need(Feature::kTexelBuffer, var.range, "the texel buffer " + name);
    return format(buffer->format, buffer->access);
  }
  const auto* texture = type->As<core::TextureType>();
  if (texture == nullptr) return;
  if (texture->texture == core::TextureKind::kStorage) {
    Need(Feature::kStorageTexture, var.range, "the storage texture " + name);
    return format(texture->format, texture->access);
  }
  if (texture->is_multisampled()) {
    Need(Feature::kMultisampled, var.range, "the multisampled texture " + name);
    if (texture->is_arrayed()) Need(Feature::kMultisampledArray, var.range, "the multisampled array texture " + name);
  }
  if (texture->dim == core::TextureDim::kCubeArray) {
    Need(Feature::kCubeArray, var.range, "the cube array texture " + name);
  }
}

/// In HLSL with 16-bit types.
void Checker::Cbuffer(const ir::Var& var, const Type* store) {
  const auto* structure = store->As<core::StructType>();
  if (target_.language != Language::kHlsl || structure == nullptr || is_reported_[size_t(Feature::kF16Uniform)]) return;
  const Misfit misfit = FindMisfit(*structure);
  if (misfit.structure == nullptr) return;
  const core::StructMember& member = misfit.structure->members[misfit.member];
  auto error = sink_.Error(RangeOf(*misfit.structure, misfit.member, var.range), "target-lacks");
  error << "the member " << Quoted(member.name) << " of " << Quoted(misfit.structure->name) << ", at byte "
        << member.offset << ", cannot become " << target_.name
        << ": no cbuffer has it there, since packoffset counts in fours and rows of 16 bytes are not crossed";
  error.Note(var.range, "it is in the uniform buffer '" + std::string(var.name) + "'");
  error.Hint("move it with @align(4) or @align(16), hold 16-bit floats in pairs, or use a storage buffer");
}

}  // namespace

Result<Done> CheckTarget(const ir::Module& module, std::span<const std::string> entries, const Target& target,
                         diag::Sink& sink) {
  const size_t before = sink.error_count();
  Checker checker(module, target, sink);
  for (ir::Function* function : module.functions) {
    if (function->entry == nullptr) continue;
    const bool is_wanted =
        entries.empty() || std::find(entries.begin(), entries.end(), function->name) != entries.end();
    if (is_wanted) checker.Entry(*function);
  }
  if (sink.error_count() != before) return sink.FailedBecauseReported();
  return Done{};
}

}  // namespace kiln::target
