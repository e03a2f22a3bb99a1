// SPDX-License-Identifier: Apache-2.0
// Expressions as values: references, elements, swizzles, construction, conversion, short circuit.
#include "emit/spirv/guards.h"

namespace kiln::emit::spirv {

using core::TypeKind;
using ir::ExprKind;

Id Emitter::Value(const ir::Expr* expr) {
  switch (expr->kind) {
    case ExprKind::kConstant:
      return ConstantId(expr->constant());
    case ExprKind::kRef:
      return RefValue(expr);
    case ExprKind::kLoad: {
      const Place place = PlaceOf(expr->operand(0));
      return Load(place);
    }
    case ExprKind::kIndex:
      return IndexValue(expr);
    case ExprKind::kMember:
      return MemberValue(expr);
    case ExprKind::kSwizzle:
      return SwizzleValue(expr);
    case ExprKind::kUnary:
      return UnaryValue(expr);
    case ExprKind::kBinary:
      return BinaryValue(expr);
    case ExprKind::kLogicalAnd:
    case ExprKind::kLogicalOr:
      return LogicalValue(expr);
    case ExprKind::kConstruct:
      return ConstructValue(expr);
    case ExprKind::kConvert: {
      const Id value = Value(expr->operand(0));
      return Convert(value, expr->operand(0)->type, expr->type);
    }
    case ExprKind::kBitcast: {
      const Id value = Value(expr->operand(0));
      return Bitcast(value, expr->operand(0)->type, expr->type);
    }
    case ExprKind::kBuiltin:
      return EmitBuiltin(expr);
    case ExprKind::kCall:
      return EmitCall(expr);
  }
  KILN_UNREACHABLE("expression kind");
}

Id Emitter::Unsupported(const ir::Expr* expr, std::string_view what) {
  sink_.Error(expr->range, "spirv-unsupported") << what << " cannot be expressed in SPIR-V by this version of Kiln";
  return expr->type->Is(TypeKind::kVoid) || expr->type->Is(TypeKind::kPointer) ? 0 : Null(TypeId(expr->type));
}

Id Emitter::RefValue(const ir::Expr* expr) {
  const ir::Decl* decl = expr->decl();
  if (const auto* override_decl = decl->TryAs<ir::Override>()) {
    const Id id = OverrideId(override_decl);
    if (id != 0) return id;
    const auto known = override_values_.find(override_decl);
    return known != override_values_.end() ? known->second : OverrideValue(override_decl);
  }
  const Binding& binding = bindings_[decl->id];
  if (binding.kind == Binding::Kind::kCopy) return Load(places_[binding.number]);
  KILN_CHECK(binding.kind == Binding::Kind::kValue);
  return binding.value;
}

Id Emitter::Extract(Id value, const core::Type* part, uint32_t index) {
  return Op(spv::Op::kCompositeExtract, TypeId(part), value, index);
}

// An element or member of what a load reads is read alone: `buffer.items[i].x` must not copy the buffer. Only where the
// indices do nothing that could be seen by the load.
bool Emitter::PlaceOfValue(const ir::Expr* expr, Place* place) {
  switch (expr->kind) {
    case ExprKind::kLoad:
      *place = PlaceOf(expr->operand(0));
      return true;
    case ExprKind::kRef: {
      const Binding& binding = bindings_[expr->decl()->id];
      if (binding.kind != Binding::Kind::kCopy) return false;
      *place = places_[binding.number];
      return true;
    }
    case ExprKind::kMember:
      if (!PlaceOfValue(expr->operand(0), place)) return false;
      StepMember(*place, expr->member());
      return true;
    case ExprKind::kIndex: {
      const ir::Expr* index = expr->operand(1);
      if (!ir::EffectsOf(*index).IsDroppable()) return false;
      if (!PlaceOfValue(expr->operand(0), place)) return false;
      StepInto(*place, index);
      return true;
    }
    default:
      return false;
  }
}

Id Emitter::IndexValue(const ir::Expr* expr) {
  Place place;
  if (PlaceOfValue(expr, &place)) return Load(place);
  const ir::Expr* base = expr->operand(0);
  const Id value = Value(base);
  Step step;
  ClampedIndex(expr->operand(1), base->type, nullptr, &step);
  if (!step.is_dynamic) {
    const auto index = static_cast<uint32_t>(expr->operand(1)->constant()->i());
    return Extract(value, expr->type, index);
  }
  if (base->type->Is(TypeKind::kVec)) return Op(spv::Op::kVectorExtractDynamic, TypeId(expr->type), value, step.id);
  // Only memory can be indexed by a value.
  Place copy;
  copy.root_store = copy.store = base->type;
  copy.root = NewFunctionVar(TypeId(base->type));
  body_.Op(spv::Op::kStore, copy.root, value);
  copy.steps[copy.step_count++] = step;
  copy.store = core::ElementOf(base->type);
  return Load(copy);
}

Id Emitter::MemberValue(const ir::Expr* expr) {
  Place place;
  if (PlaceOfValue(expr, &place)) return Load(place);
  const Id value = Value(expr->operand(0));
  return Extract(value, expr->type, expr->member());
}

Id Emitter::SwizzleValue(const ir::Expr* expr) {
  const ir::Swizzle swizzle = expr->swizzle();
  const Id value = Value(expr->operand(0));
  if (swizzle.count == 1) return Extract(value, expr->type, swizzle.component[0]);
  std::array<Id, 4> lanes;
  for (uint32_t i = 0; i < swizzle.count; ++i) lanes[i] = swizzle.component[i];
  const Id id = NewId();
  body_.OpList(spv::Op::kVectorShuffle, std::span<const Id>(lanes.data(), swizzle.count), TypeId(expr->type), id, value,
               value);
  return id;
}

Id Emitter::Splat(Id scalar, const core::Type* type) {
  const auto* vec = type->As<core::VecType>();
  if (vec == nullptr) return scalar;
  const Id parts[4] = {scalar, scalar, scalar, scalar};
  return OpList(spv::Op::kCompositeConstruct, TypeId(type), std::span(parts, vec->width));
}

Id Emitter::ConstructValue(const ir::Expr* expr) {
  IdList parts;
  for (const ir::Expr* operand : expr->operands()) parts.push_back(Value(operand));
  const Id type = TypeId(expr->type);
  if (parts.size() == 0) return Null(type);
  if (expr->type->Is(TypeKind::kVec) && parts.size() == 1) {
    return expr->operand(0)->type == expr->type ? parts[0] : Splat(parts[0], expr->type);
  }
  if (expr->type->is_scalar()) return parts[0];
  if (const auto* mat = expr->type->As<core::MatType>(); mat != nullptr && parts.size() == mat->columns * mat->rows) {
    // Scalars, column by column.
    IdList columns;
    for (uint32_t c = 0; c < mat->columns; ++c) {
      columns.push_back(
          OpList(spv::Op::kCompositeConstruct, TypeId(mat->column), parts.span().subspan(c * mat->rows, mat->rows)));
    }
    return OpList(spv::Op::kCompositeConstruct, type, columns);
  }
  if (parts.size() == 1 && expr->operand(0)->type == expr->type) return parts[0];
  return OpList(spv::Op::kCompositeConstruct, type, parts);
}

Id Emitter::LogicalValue(const ir::Expr* expr) {
  const bool is_and = expr->Is(ExprKind::kLogicalAnd);
  const Id lhs = Value(expr->operand(0));
  const ir::Expr* right = expr->operand(1);
  const auto is_cheap = [](const ir::Expr* e) {
    return e->Is(ExprKind::kConstant) || (e->Is(ExprKind::kRef) && !e->decl()->Is(ir::DeclKind::kOverride));
  };
  if (is_in_prologue_ || is_cheap(right)) {
    const Id rhs = Value(right);
    return Op(is_and ? spv::Op::kLogicalAnd : spv::Op::kLogicalOr, BoolId(), lhs, rhs);
  }
  const Id before = label_;
  const Id right_label = NewId();
  const Id merge = NewId();
  body_.Op(spv::Op::kSelectionMerge, merge, 0u);
  if (is_and) {
    BranchIf(lhs, right_label, merge);
  } else {
    BranchIf(lhs, merge, right_label);
  }
  Label(right_label);
  const Id rhs = Value(right);
  const Id after = label_;
  Branch(merge);
  Label(merge);
  return Op(spv::Op::kPhi, BoolId(), lhs, before, rhs, after);
}

Id Emitter::Bitcast(Id value, const core::Type* from, const core::Type* to) {
  if (TypeId(from) == TypeId(to)) return value;
  return Op(spv::Op::kBitcast, TypeId(to), value);
}

// Value conversions of https://www.w3.org/TR/WGSL/#floating-point-conversion and #value-constructor-builtin-function.
Id Emitter::Convert(Id value, const core::Type* from, const core::Type* to) {
  if (from == to) return value;
  if (const auto* mat = to->As<core::MatType>()) {
    IdList columns;
    const core::Type* from_column = from->To<core::MatType>().column;
    for (uint32_t i = 0; i < mat->columns; ++i) {
      columns.push_back(Convert(Extract(value, from_column, i), from_column, mat->column));
    }
    return OpList(spv::Op::kCompositeConstruct, TypeId(to), columns);
  }
  const core::Type* source = core::ScalarOf(from);
  const core::Type* target = core::ScalarOf(to);
  const Id type = TypeId(to);
  const auto zero_of = [&](const core::Type* t) { return Null(TypeId(t)); };
  if (source->Is(TypeKind::kBool)) {
    const Id one = target->is_float_scalar() ? FloatSplat(to, 1) : IntSplat(to, 1);
    const Id zero = target->is_float_scalar() ? FloatSplat(to, 0) : IntSplat(to, 0);
    return Op(spv::Op::kSelect, type, value, one, zero);
  }
  if (target->Is(TypeKind::kBool)) {
    const Id zero = zero_of(from);
    return Op(source->is_float_scalar() ? spv::Op::kFUnordNotEqual : spv::Op::kINotEqual, type, value, zero);
  }
  if (source->is_float_scalar()) {
    if (target->is_float_scalar()) return Op(spv::Op::kFConvert, type, value);
    const bool is_signed = target->is_signed_integer_scalar();
    if (protect_.saturate_conversions) {
      // The greatest and least values that convert without overflow; those of f32 are the neighbours below 2^31, 2^32.
      const bool is_half = source->Is(TypeKind::kF16);
      const double most = is_half ? 65504.0 : is_signed ? 2147483520.0 : 4294967040.0;
      const double least = is_signed ? (is_half ? -65504.0 : -2147483648.0) : 0.0;
      const Id low = FloatSplat(from, least);
      const Id high = FloatSplat(from, most);
      value = Ext(spv::Glsl::kFClamp, TypeId(from), value, low, high);
    }
    return Op(is_signed ? spv::Op::kConvertFToS : spv::Op::kConvertFToU, type, value);
  }
  if (target->is_float_scalar()) {
    return Op(source->is_signed_integer_scalar() ? spv::Op::kConvertSToF : spv::Op::kConvertUToF, type, value);
  }
  return Bitcast(value, from, to);
}

}  // namespace kiln::emit::spirv
