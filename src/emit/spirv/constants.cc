// SPDX-License-Identifier: Apache-2.0
// Constants, specialization constants and what is computed from them before a pipeline exists.
#include <algorithm>
#include <bit>
#include <set>

#include "core/eval.h"
#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::BinaryOp;
using core::TypeKind;

Id Emitter::U32(uint32_t value) {
  if (value < small_u32_.size() && small_u32_[value] != 0) return small_u32_[value];
  const Id id = ScalarConstant(core::U32(), {.i = value});
  if (value < small_u32_.size()) small_u32_[value] = id;
  return id;
}

Id Emitter::Bool(bool value) { return ScalarConstant(core::Bool(), {.i = value}); }

Id Emitter::ScalarConstant(const core::Type* type, core::Scalar64 value) {
  const Id type_id = TypeId(type);
  const uint32_t bits = core::ScalarBits(type, value);
  Id& id = scalars_.Find(type_id, bits);
  if (id != 0) return id;
  id = NewId();
  if (type->Is(TypeKind::kBool)) {
    globals_.Op(bits != 0 ? spv::Op::kConstantTrue : spv::Op::kConstantFalse, type_id, id);
  } else {
    globals_.Op(spv::Op::kConstant, type_id, id, bits);
  }
  return id;
}

Id Emitter::SplatConstant(const core::Type* type, Id scalar) {
  const auto* vec = type->As<core::VecType>();
  if (vec == nullptr) return scalar;
  const Id parts[4] = {scalar, scalar, scalar, scalar};
  return ConstantComposite(TypeId(type), std::span(parts, vec->width));
}

Id Emitter::FloatSplat(const core::Type* type, double value) {
  return SplatConstant(type, ScalarConstant(core::ScalarOf(type), {.f = value}));
}

Id Emitter::IntSplat(const core::Type* type, int64_t value) {
  return SplatConstant(type, ScalarConstant(core::ScalarOf(type), {.i = value}));
}

Id Emitter::ConstantComposite(Id type, std::span<const Id> parts) {
  Id& id = composites_.Find(type, parts);
  if (id == 0) {
    id = NewId();
    globals_.OpList(spv::Op::kConstantComposite, parts, type, id);
  }
  return id;
}

Id Emitter::Null(Id type) {
  Id& id = nulls_.Find(type, 0);
  if (id == 0) {
    id = NewId();
    globals_.Op(spv::Op::kConstantNull, type, id);
  }
  return id;
}

Id Emitter::ConstantId(const core::Constant* constant, Layout layout) {
  if (constant->form == core::Constant::Form::kScalar) return ScalarConstant(constant->type, constant->scalar());
  if (constant->form == core::Constant::Form::kZero) return Null(TypeId(constant->type, layout));
  const auto key = static_cast<uint64_t>(layout);
  if (const Id known = constant_ids_.Find(constant, key); known != 0) return known;
  const uint32_t count = core::ElementCountOf(constant->type);
  IdList parts;
  for (uint32_t i = 0; i < count; ++i) {
    if (constant->form == core::Constant::Form::kSplat && i > 0) {
      parts.push_back(parts[0]);
    } else {
      parts.push_back(ConstantId(constant->Element(types_.arena(), i), layout));
    }
  }
  const Id id = ConstantComposite(TypeId(constant->type, layout), parts);
  constant_ids_.Find(constant, key) = id;
  return id;
}

// The number by which the host specializes: @id, or the least number that no override claims, in order of the module.
static uint32_t SpecIdOf(const ir::Module& module, const ir::Override* decl) {
  if (decl->override_id) return *decl->override_id;
  std::set<uint32_t> taken;
  for (const ir::Override* other : module.overrides) {
    if (other->override_id) taken.insert(*other->override_id);
  }
  uint32_t next = 0;
  for (const ir::Override* other : module.overrides) {
    if (other->override_id) continue;
    while (taken.contains(next)) ++next;
    if (other == decl) break;
    ++next;
  }
  return next;
}

// Whether some workgroup size is this override as it is.
static bool IsWorkgroupSize(const ir::Module& module, const ir::Override* decl) {
  for (const ir::Function* function : module.functions) {
    if (function->entry == nullptr) continue;
    for (const ir::Expr* size : function->entry->workgroup_size) {
      if (size != nullptr && size->Is(ir::ExprKind::kRef) && size->decl() == decl) return true;
    }
  }
  return false;
}

// Workgroup sizes are u32, and translators want specialization constants there, not operations on them. So an i32
// override that is one is declared as the u32 of the same bits, and the i32 is made from that where one is needed.
// And in GLSL what is a workgroup size is declared nowhere else: there the size is a constant of its own.
Id Emitter::WorkgroupOverrideId(const ir::Override* decl) {
  const bool is_apart = options_.block_rules == BlockRules::kGl && decl->type == core::U32();
  if ((decl->type != core::I32() && !is_apart) || (decl->init != nullptr && !decl->init->Is(ir::ExprKind::kConstant))) return 0;
  const auto found = workgroup_override_ids_.find(decl);
  if (found != workgroup_override_ids_.end()) return found->second;
  if (!IsWorkgroupSize(module_, decl)) return 0;
  const uint32_t value = decl->init != nullptr ? static_cast<uint32_t>(decl->init->constant()->i()) : 1;
  const Id type = U32Id();
  const Id id = NewId();
  globals_.Op(spv::Op::kSpecConstant, type, id, value);
  Decorate(id, spv::Decoration::kSpecId, SpecIdOf(module_, decl));
  Name(id, decl->name);
  workgroup_override_ids_.emplace(decl, id);
  return id;
}

namespace {

bool IsDerived(const ir::Override* decl) { return decl->init != nullptr && !decl->init->Is(ir::ExprKind::kConstant); }

const ir::Override* OverrideOf(const ir::Expr* expr) {
  return expr->Is(ir::ExprKind::kRef) ? expr->decl()->TryAs<ir::Override>() : nullptr;
}

// The first override in the tree that `is_done` does not know.
template <typename IsDone>
const ir::Override* FirstOpen(const ir::Expr* expr, const IsDone& is_done) {
  const ir::Override* decl = OverrideOf(expr);
  if (decl != nullptr && !is_done(decl)) return decl;
  for (const ir::Expr* operand : expr->operands()) {
    if (const ir::Override* found = FirstOpen(operand, is_done)) return found;
  }
  return nullptr;
}

// Calls `make` for the override and all that it is computed from, those first. A chain of them may be longer than the
// stack is deep.
template <typename IsDone, typename Make>
void InOrder(const ir::Override* decl, const IsDone& is_done, const Make& make) {
  std::vector<const ir::Override*> open = {decl};
  while (!open.empty()) {
    const ir::Override* next = IsDerived(open.back()) ? FirstOpen(open.back()->init, is_done) : nullptr;
    if (next != nullptr) {
      open.push_back(next);
      continue;
    }
    if (!is_done(open.back())) make(open.back());
    open.pop_back();
  }
}

}  // namespace

// The value of an override that SPIR-V cannot compute before a pipeline exists: computed at the start of the function,
// once, in a place that all of it sees. Such expressions have no effects and no control flow but `&&` and `||`, which
// there evaluate both sides.
Id Emitter::OverrideValue(const ir::Override* decl) {
  const bool was_in_prologue = is_in_prologue_;
  if (!was_in_prologue) std::swap(body_, prologue_);
  is_in_prologue_ = true;
  InOrder(
      decl, [&](const ir::Override* each) { return OverrideId(each) != 0 || override_values_.contains(each); },
      [&](const ir::Override* each) {
        const Id value = Value(each->init);
        override_values_.emplace(each, value);
      });
  is_in_prologue_ = was_in_prologue;
  if (!was_in_prologue) std::swap(body_, prologue_);
  return override_values_.at(decl);
}

Id Emitter::OverrideId(const ir::Override* decl) {
  Id& id = override_ids_[decl->id];
  if (id != 0 || has_no_spec_form_[decl->id]) return id;
  if (decl->init != nullptr && !decl->init->Is(ir::ExprKind::kConstant)) {
    InOrder(
        decl, [&](const ir::Override* each) { return override_ids_[each->id] != 0 || has_no_spec_form_[each->id]; },
        [&](const ir::Override* each) {
          override_ids_[each->id] = IsDerived(each) ? SpecExpr(each->init) : OverrideId(each);
          has_no_spec_form_[each->id] = override_ids_[each->id] == 0;
        });
    return id;
  }
  const Id type = TypeId(decl->type);
  const Id same_bits = options_.block_rules == BlockRules::kGl ? 0 : WorkgroupOverrideId(decl);
  if (same_bits != 0) {
    const Id zero = ScalarConstant(decl->type, {.i = 0});
    id = NewId();
    globals_.Op(spv::Op::kSpecConstantOp, type, id, spv::Op::kIAdd, same_bits, zero);
    return id;
  }
  // Without a default the host must give a value; until then 1 is one that sizes of arrays may have.
  const core::Scalar64 value = decl->init != nullptr           ? decl->init->constant()->scalar()
                               : decl->type->is_float_scalar() ? core::Scalar64{.f = 0}
                                                               : core::Scalar64{.i = decl->type != core::Bool()};
  id = NewId();
  if (decl->type->Is(TypeKind::kBool)) {
    globals_.Op(value.i != 0 ? spv::Op::kSpecConstantTrue : spv::Op::kSpecConstantFalse, type, id);
  } else {
    globals_.Op(spv::Op::kSpecConstant, type, id, ScalarBits(decl->type, value));
  }
  Decorate(id, spv::Decoration::kSpecId, SpecIdOf(module_, decl));
  Name(id, decl->name);
  return id;
}

Id Emitter::CountId(const core::OverrideCount& count) {
  const ir::Expr* value = ir::CountOf(count).value;
  const Id id = SpecExpr(value);
  if (id != 0) return id;
  ReportNotSpecializable(value, "the size '" + std::string(count.text) + "'");
  return U32(1);
}

// Sizes must be specialization constants or operations on them. Everything else that overrides decide is computed when
// the shader runs.
void Emitter::ReportNotSpecializable(const ir::Expr* expr, std::string_view what) {
  if (!reported_.insert(expr).second) return;  // each use of an array asks for its size
  std::vector<const ir::Override*> needed;
  std::set<const ir::Override*> seen;
  std::vector<const ir::Expr*> work = {expr};
  while (!work.empty()) {
    const ir::Expr* at = work.back();
    work.pop_back();
    const ir::Override* decl = OverrideOf(at);
    if (decl != nullptr && seen.insert(decl).second) {
      if (IsDerived(decl)) {
        work.push_back(decl->init);
      } else {
        needed.push_back(decl);
      }
    }
    for (const ir::Expr* operand : at->operands()) work.push_back(operand);
  }
  std::sort(needed.begin(), needed.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
  auto error = sink_.Error(expr->range, "spirv-override-expression");
  error << what
        << " depends on overrides in a way that SPIR-V cannot specialize: sizes can use arithmetic of integers "
           "and booleans, but no floats";
  std::string hint;
  for (const ir::Override* decl : needed) {
    const std::string key = decl->override_id ? std::to_string(*decl->override_id) : std::string(decl->name);
    hint += (hint.empty() ? "give the value when compiling: --override " : " --override ") + key + "=VALUE";
  }
  if (!hint.empty()) error.Hint(hint);
}

// OpSpecConstantOp takes integer and boolean operations only in shaders.
// https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#OpSpecConstantOp
Id Emitter::SpecExpr(const ir::Expr* expr) {
  const auto make = [&](spv::Op op, auto... operands) {
    const Id type = TypeId(expr->type);
    const Id id = NewId();
    globals_.Op(spv::Op::kSpecConstantOp, type, id, op, operands...);
    return id;
  };
  const core::Type* type = expr->type;
  switch (expr->kind) {
    case ir::ExprKind::kConstant:
      return ConstantId(expr->constant());
    case ir::ExprKind::kRef:
      if (const auto* decl = expr->decl()->TryAs<ir::Override>()) return OverrideId(decl);
      return 0;
    case ir::ExprKind::kUnary: {
      if (!type->is_scalar() || type->is_float_scalar()) return 0;
      const Id value = SpecExpr(expr->operand(0));
      if (value == 0) return 0;
      switch (expr->unary_op()) {
        case core::UnaryOp::kNegate:
          return make(spv::Op::kSNegate, value);
        case core::UnaryOp::kComplement:
          return make(spv::Op::kNot, value);
        case core::UnaryOp::kNot:
          return make(spv::Op::kLogicalNot, value);
      }
      return 0;
    }
    case ir::ExprKind::kConvert: {
      const core::Type* from = expr->operand(0)->type;
      if (!type->is_scalar() || type->is_float_scalar() || from->is_float_scalar()) return 0;
      const Id value = SpecExpr(expr->operand(0));
      if (value == 0 || from == type) return value;
      if (from->Is(TypeKind::kBool)) {
        const Id one = ScalarConstant(type, {.i = 1});
        const Id zero = ScalarConstant(type, {.i = 0});
        return make(spv::Op::kSelect, value, one, zero);
      }
      if (type->Is(TypeKind::kBool)) {
        const Id zero = ScalarConstant(from, {.i = 0});
        return make(spv::Op::kINotEqual, value, zero);
      }
      const Id zero = ScalarConstant(type, {.i = 0});
      return make(spv::Op::kIAdd, value, zero);  // the same bits with another sign
    }
    case ir::ExprKind::kBitcast: {
      const core::Type* from = expr->operand(0)->type;
      if (!type->is_integer_scalar() || !from->is_integer_scalar()) return 0;
      const Id value = SpecExpr(expr->operand(0));
      if (value == 0 || from == type) return value;
      const Id zero = ScalarConstant(type, {.i = 0});
      return make(spv::Op::kIAdd, value, zero);
    }
    case ir::ExprKind::kSwizzle: {
      // A component of a vector that is made of scalars: `vec3(n, 1, 1).x`.
      const ir::Expr* vector = expr->operand(0);
      if (expr->swizzle().count != 1 || !vector->Is(ir::ExprKind::kConstruct)) return 0;
      if (vector->operand_count == 1 && vector->operand(0)->type == type) return SpecExpr(vector->operand(0));
      if (vector->operand_count != core::ElementCountOf(vector->type)) return 0;
      return SpecExpr(vector->operand(expr->swizzle().component[0]));
    }
    case ir::ExprKind::kBuiltin:
      return SpecBuiltin(expr);
    case ir::ExprKind::kLogicalAnd:
    case ir::ExprKind::kLogicalOr: {
      const Id a = SpecExpr(expr->operand(0));
      const Id b = a == 0 ? 0 : SpecExpr(expr->operand(1));
      if (b == 0) return 0;
      return make(expr->Is(ir::ExprKind::kLogicalAnd) ? spv::Op::kLogicalAnd : spv::Op::kLogicalOr, a, b);
    }
    case ir::ExprKind::kBinary: {
      const core::Type* operand = expr->operand(0)->type;
      if (!operand->is_scalar() || operand->is_float_scalar() || !type->is_scalar()) return 0;
      const Id a = SpecExpr(expr->operand(0));
      const Id b = a == 0 ? 0 : SpecExpr(expr->operand(1));
      if (b == 0) return 0;
      const bool is_signed = operand->is_signed_integer_scalar();
      const bool is_bool = operand->Is(TypeKind::kBool);
      const auto pick = [&](spv::Op for_signed, spv::Op for_unsigned) {
        return make(is_signed ? for_signed : for_unsigned, a, b);
      };
      switch (expr->binary_op()) {
        case BinaryOp::kAdd:
          return make(spv::Op::kIAdd, a, b);
        case BinaryOp::kSub:
          return make(spv::Op::kISub, a, b);
        case BinaryOp::kMul:
          return make(spv::Op::kIMul, a, b);
        case BinaryOp::kDiv:
          return pick(spv::Op::kSDiv, spv::Op::kUDiv);
        case BinaryOp::kMod:
          return pick(spv::Op::kSRem, spv::Op::kUMod);
        case BinaryOp::kAnd:
          return make(is_bool ? spv::Op::kLogicalAnd : spv::Op::kBitwiseAnd, a, b);
        case BinaryOp::kOr:
          return make(is_bool ? spv::Op::kLogicalOr : spv::Op::kBitwiseOr, a, b);
        case BinaryOp::kXor:
          return make(spv::Op::kBitwiseXor, a, b);
        case BinaryOp::kShiftLeft:
          return make(spv::Op::kShiftLeftLogical, a, b);
        case BinaryOp::kShiftRight:
          return pick(spv::Op::kShiftRightArithmetic, spv::Op::kShiftRightLogical);
        case BinaryOp::kEqual:
          return make(is_bool ? spv::Op::kLogicalEqual : spv::Op::kIEqual, a, b);
        case BinaryOp::kNotEqual:
          return make(is_bool ? spv::Op::kLogicalNotEqual : spv::Op::kINotEqual, a, b);
        case BinaryOp::kLess:
          return pick(spv::Op::kSLessThan, spv::Op::kULessThan);
        case BinaryOp::kLessEqual:
          return pick(spv::Op::kSLessThanEqual, spv::Op::kULessThanEqual);
        case BinaryOp::kGreater:
          return pick(spv::Op::kSGreaterThan, spv::Op::kUGreaterThan);
        case BinaryOp::kGreaterEqual:
          return pick(spv::Op::kSGreaterThanEqual, spv::Op::kUGreaterThanEqual);
        case BinaryOp::kLogicalAnd:
        case BinaryOp::kLogicalOr:
          return 0;
      }
      return 0;
    }
    default:
      return 0;
  }
}

// Built-in functions that comparisons and selections make.
Id Emitter::SpecBuiltin(const ir::Expr* expr) {
  const core::Type* type = expr->type;
  const core::BuiltinFn fn = expr->builtin();
  const bool is_known = fn == core::BuiltinFn::kSelect || fn == core::BuiltinFn::kMin || fn == core::BuiltinFn::kMax ||
                        fn == core::BuiltinFn::kClamp || fn == core::BuiltinFn::kAbs;
  if (!is_known || !type->is_scalar()) return 0;
  if (fn != core::BuiltinFn::kSelect && !type->is_integer_scalar()) return 0;
  std::array<Id, 3> a{};
  for (uint32_t i = 0; i < expr->operand_count; ++i) {
    a[i] = SpecExpr(expr->operand(i));
    if (a[i] == 0) return 0;
  }
  const bool is_signed = type->is_signed_integer_scalar();
  const auto choose = [&](Id condition, Id yes, Id no) {
    const Id type_id = TypeId(type);
    const Id id = NewId();
    globals_.Op(spv::Op::kSpecConstantOp, type_id, id, spv::Op::kSelect, condition, yes, no);
    return id;
  };
  const auto least = [&](Id x, Id y) {
    return choose(SpecOp(is_signed ? spv::Op::kSLessThan : spv::Op::kULessThan, core::Bool(), x, y), x, y);
  };
  const auto most = [&](Id x, Id y) {
    return choose(SpecOp(is_signed ? spv::Op::kSLessThan : spv::Op::kULessThan, core::Bool(), x, y), y, x);
  };
  switch (fn) {
    case core::BuiltinFn::kSelect:
      return choose(a[2], a[1], a[0]);
    case core::BuiltinFn::kMin:
      return least(a[0], a[1]);
    case core::BuiltinFn::kMax:
      return most(a[0], a[1]);
    case core::BuiltinFn::kClamp:
      return least(most(a[0], a[1]), a[2]);
    default: {
      if (!is_signed) return a[0];
      const Id zero = ScalarConstant(type, {.i = 0});
      return most(a[0], SpecOp(spv::Op::kISub, type, zero, a[0]));
    }
  }
}

}  // namespace kiln::emit::spirv
