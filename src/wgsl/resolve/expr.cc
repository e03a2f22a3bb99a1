// SPDX-License-Identifier: Apache-2.0
// Expressions: dispatch, literals, names, the load rule, conversions and phases.
// https://www.w3.org/TR/WGSL/#expressions
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

const Type* Resolver::Expression(ast::Expr* expr) {
  ++depth_;
  const Type* type = nullptr;
  switch (expr->kind) {
    case ast::Kind::kLiteral:
      type = ResolveLiteral(static_cast<ast::Literal*>(expr));
      break;
    case ast::Kind::kIdent:
      type = ResolveIdent(static_cast<ast::Ident*>(expr));
      break;
    case ast::Kind::kCall:
      type = ResolveCall(static_cast<ast::Call*>(expr));
      break;
    case ast::Kind::kUnary:
      type = ResolveUnary(static_cast<ast::Unary*>(expr));
      break;
    case ast::Kind::kBinary:
      type = ResolveBinary(static_cast<ast::Binary*>(expr));
      break;
    case ast::Kind::kIndex:
      type = ResolveIndex(static_cast<ast::Index*>(expr));
      break;
    case ast::Kind::kMember:
      type = ResolveMember(static_cast<ast::Member*>(expr));
      break;
    case ast::Kind::kDefaultSelector:
      type = core::Poison();
      break;
    default:
      KILN_UNREACHABLE("not an expression");
  }
  --depth_;
  return expr->type = type;
}

const Type* Resolver::Value(ast::Expr* expr) {
  const Type* type = Expression(expr);
  return type->Is(TypeKind::kReference) ? Load(expr) : type;
}

// https://www.w3.org/TR/WGSL/#load-rule
const Type* Resolver::Load(ast::Expr* expr) {
  const auto* view = expr->type->As<core::ReferenceType>();
  if (view == nullptr) return expr->type;
  const Type* store = view->store;
  if (store->is_constructible() || IsHandle(store)) return store;
  auto error = Error(expr->range, "not-loadable");
  error << "cannot read a value of type " << Quoted(store);
  if (store->Is(TypeKind::kAtomic)) {
    error.Hint("read an atomic with 'atomicLoad'");
  } else if (store->Has(Type::kHoldsAtomic)) {
    error << ", which holds an atomic";
  } else {
    error << ", which has no fixed size";
  }
  return Poison(expr);
}

// https://www.w3.org/TR/WGSL/#literal-expressions
const Type* Resolver::ResolveLiteral(ast::Literal* literal) {
  literal->phase = ast::Phase::kConst;
  switch (literal->literal_kind) {
    case ast::LiteralKind::kBool:
      literal->value = core::Constant::Bool(literal->integer != 0);
      return core::Bool();
    case ast::LiteralKind::kAbstractInt:
      literal->value = core::Constant::Int(arena_, core::AbstractInt(), literal->integer);
      return core::AbstractInt();
    case ast::LiteralKind::kI32:
      literal->value = core::Constant::Int(arena_, core::I32(), literal->integer);
      return core::I32();
    case ast::LiteralKind::kU32:
      literal->value = core::Constant::Int(arena_, core::U32(), literal->integer);
      return core::U32();
    case ast::LiteralKind::kAbstractFloat:
      literal->value = core::Constant::Float(arena_, core::AbstractFloat(), literal->number);
      return core::AbstractFloat();
    case ast::LiteralKind::kF32:
      literal->value = core::Constant::Float(arena_, core::F32(), literal->number);
      return core::F32();
    case ast::LiteralKind::kF16:
      if (!CheckExtension(core::Extension::kF16, core::LanguageFeature::kNone, "a literal of type 'f16'",
                          literal->range)) {
        return core::Poison();
      }
      literal->value = core::Constant::Float(arena_, core::F16(), literal->number);
      return core::F16();
  }
  KILN_UNREACHABLE("a literal without a kind");
}

const Type* Resolver::ResolveIdent(ast::Ident* ident) {
  const Denoted denoted = Lookup(ident->name);
  ast::Variable* variable = denoted.decl != nullptr ? denoted.decl->TryAs<ast::Variable>() : nullptr;
  if (variable == nullptr) return ResolveBadValue(ident, denoted);
  if (!ident->args.empty()) {
    Error({ident->name_end, ident->range.end}, "template-arguments-not-allowed")
        << "'" << Text(ident->name) << "' is " << WhatIs(denoted) << " and takes no template arguments";
    return core::Poison();
  }
  ident->target_kind = static_cast<uint8_t>(TargetKind::kVariable);
  ident->target = variable;
  ident->phase = ast::Phase::kRuntime;
  if (variable->is_global) {
    EnsureResolved(variable, ident->range);
    MentionVariable(variable);
  }
  if (variable->type == nullptr || variable->type->is_poison()) return core::Poison();
  switch (variable->variable_kind) {
    case ast::VariableKind::kConst:
      ident->phase = ast::Phase::kConst;
      ident->value = variable->value;
      return variable->type;
    case ast::VariableKind::kOverride:
      ident->phase = ast::Phase::kOverride;
      return variable->type;
    case ast::VariableKind::kVar: {
      const core::ReferenceType* view = InfoOf(*variable)->reference;
      return view != nullptr ? view : core::Poison();
    }
    case ast::VariableKind::kLet:
    case ast::VariableKind::kParam:
      return variable->type;
  }
  KILN_UNREACHABLE("a variable without a kind");
}

// A name that is no value where one is needed.
const Type* Resolver::ResolveBadValue(ast::Ident* ident, const Denoted& denoted) {
  if (denoted.decl == nullptr && denoted.predeclared == nullptr) {
    ReportUnresolved(ident->name, ident->name_range());
    return core::Poison();
  }
  auto error = Error(ident->range, "not-a-value");
  error << "expected a value, found '" << Text(ident->name) << "', which is " << WhatIs(denoted);
  NoteDeclared(error, denoted);
  const bool is_function =
      (denoted.decl != nullptr && denoted.decl->Is<ast::Function>()) ||
      (denoted.predeclared != nullptr && denoted.predeclared->kind == core::PredeclaredKind::kFunction);
  if (is_function) error.Hint("to call it, write '" + std::string(Text(ident->name)) + "(...)'");
  return core::Poison();
}

// ----------------------------------------------------------------------------------------------------- conversions

bool Resolver::SetValue(ast::Expr* expr, const core::EvalResult& result, Range range) {
  if (result) {
    expr->value = result.value;
    return true;
  }
  Error(range, "evaluation-failed") << result.error;
  Poison(expr);
  return false;
}

// https://www.w3.org/TR/WGSL/#conversion-rank
Resolver::Fit Resolver::Convert(ast::Expr* expr, const Type* to) {
  const Type* from = core::Unreferenced(expr->type);
  if (from == to) return Fit::kYes;
  if (from->is_poison() || to->is_poison()) return Fit::kReported;
  if (!from->is_abstract() || core::ConversionRank(from, to) == core::kNoConversion) return Fit::kNo;
  expr->type = to;
  if (expr->value == nullptr) return Fit::kYes;
  const core::Constant* value = expr->value;
  expr->value = nullptr;
  if (context_.skip_evaluation) {
    // What is never evaluated cannot fail, and what becomes of it does not matter.
    const core::EvalResult converted = ConvertValue(value, to);
    expr->value = converted ? converted.value : core::Constant::Zero(arena_, to);
    return Fit::kYes;
  }
  return SetValue(expr, ConvertValue(value, to), expr->range) ? Fit::kYes : Fit::kReported;
}

// An array of arrays may hold the same part many times: `const b = array(a, a); const c = array(b, b); ...`
core::EvalResult Resolver::ConvertValue(const core::Constant* value, const Type* to) {
  const auto* array = to->As<core::ArrayType>();
  if (array == nullptr || value->form != core::Constant::Form::kElements) {
    return core::ConvertConstant(types_, value, to);
  }
  if (value->type == to) return value;
  const auto known = conversions_.find({value, to});
  if (known != conversions_.end()) return known->second;
  auto elements = arena_.MakeArray<const core::Constant*>(array->count);
  for (uint32_t i = 0; i < array->count; ++i) {
    core::EvalResult element = ConvertValue(value->Element(arena_, i), array->element);
    if (!element) return element;
    elements[i] = element.value;
  }
  const core::Constant* converted = core::Constant::Composite(arena_, to, elements);
  conversions_.emplace(Conversion{value, to}, converted);
  return converted;
}

const Type* Resolver::Materialize(ast::Expr* expr) {
  const Type* type = core::Unreferenced(expr->type);
  if (!type->is_abstract()) return type;
  const Type* concrete = core::Concretize(types_, type);
  return Convert(expr, concrete) == Fit::kYes ? concrete : core::Poison();
}

void Resolver::AddConversionHint(Builder& error, const Type* found, const Type* wanted) {
  if (found->is_scalar() && wanted->is_scalar())
    error.Hint("to convert the value, write '" + core::TypeName(wanted) + "(...)'");
  // https://www.w3.org/TR/WGSL/#array-types: equal text is not enough where a count is an expression of overrides.
  if (found != wanted && core::TypeName(found) == core::TypeName(wanted)) {
    error.Hint(
        "a count that is computed from overrides makes a type of its own: give it a name, 'override count = ...;'");
  }
}

void Resolver::ReportMismatch(Range range, const core::Mismatch& mismatch, std::string hint) {
  auto error = Error(range, "no-overload");
  error << mismatch.message;
  if (!hint.empty()) error.Hint(std::move(hint));
  size_t shown = 0;
  for (const std::string& candidate : mismatch.candidates) {
    if (++shown > 8) break;
    error.Note(range, candidate);
  }
}

std::string Resolver::HintOf(const Suggestion& suggestion) {
  if (suggestion.type == nullptr) return {};
  const std::string call = "'" + core::TypeName(suggestion.type) + "(...)'";
  if (suggestion.argument == Suggestion::kAllScalars) return "to make vectors of the scalars, write " + call;
  return "to convert argument " + std::to_string(suggestion.argument + 1) + ", write " + call;
}

void Resolver::ReportBinaryMismatch(Range range, core::BinaryOp op, const ast::Expr* lhs, const ast::Expr* rhs) {
  std::array<const Type*, 2> types{core::Unreferenced(lhs->type), core::Unreferenced(rhs->type)};
  const core::Mismatch mismatch = core::ExplainMismatch(types_, op, types[0], types[1]);
  const Suggestion suggestion = SuggestConversion(std::span<const Type*>(types), [&] {
    core::CallTarget target;
    return core::MatchBinary(types_, op, types[0], types[1], false, target);
  });
  if (suggestion.type == nullptr) return ReportMismatch(range, mismatch);
  // Where a conversion helps, what the operands are says more than the overloads.
  auto error = Error(range, "no-overload");
  error << mismatch.message;
  error.Note(lhs->range, "this is " + Quoted(types[0]));
  error.Note(rhs->range, "this is " + Quoted(types[1]));
  error.Hint(std::string("to convert the ") + (suggestion.argument == 0 ? "left" : "right") + " side, write '" +
             core::TypeName(suggestion.type) + "(...)'");
}

// ---------------------------------------------------------------------------------------------------------- phases

namespace {

/// The part of `expr` that makes it later than `phase`: the deepest first one in the order of the text.
const ast::Expr* Culprit(const ast::Expr* expr, ast::Phase phase) {
  for (;;) {
    const ast::Expr* next = nullptr;
    const auto look = [&](const ast::Expr* part) {
      if (next == nullptr && part->phase > phase) next = part;
    };
    switch (expr->kind) {
      case ast::Kind::kUnary:
        look(static_cast<const ast::Unary*>(expr)->operand);
        break;
      case ast::Kind::kBinary:
        look(static_cast<const ast::Binary*>(expr)->lhs);
        look(static_cast<const ast::Binary*>(expr)->rhs);
        break;
      case ast::Kind::kIndex:
        look(static_cast<const ast::Index*>(expr)->object);
        look(static_cast<const ast::Index*>(expr)->index);
        break;
      case ast::Kind::kMember:
        look(static_cast<const ast::Member*>(expr)->object);
        break;
      case ast::Kind::kCall:
        for (const ast::Expr* arg : static_cast<const ast::Call*>(expr)->args) look(arg);
        break;
      default:
        break;
    }
    if (next == nullptr) return expr;
    expr = next;
  }
}

std::string_view KnownWhen(ast::Phase phase) {
  return phase == ast::Phase::kOverride ? "when the pipeline is made" : "at run time";
}

}  // namespace

bool Resolver::RequirePhase(ast::Expr* expr, ast::Phase phase, std::string_view what) {
  if (expr->phase <= phase) return true;
  const ast::Expr* culprit = Culprit(expr, phase);
  auto error = Error(culprit->range, "too-late");
  error << what << " must be " << (phase == ast::Phase::kConst ? "a const-expression" : "an override-expression")
        << ", but ";
  if (const ast::Variable* variable = VariableOf(*culprit)) {
    error << Quoted(variable->name) << " is a" << (variable->variable_kind == ast::VariableKind::kOverride ? "n " : " ")
          << Describe(variable->variable_kind) << " and known only " << KnownWhen(culprit->phase);
    error.Note(variable->name_range, Quoted(variable->name) + " is declared here");
  } else if (const auto* call = culprit->TryAs<ast::Call>()) {
    error << "the call of " << Quoted(call->callee->name) << " is made only " << KnownWhen(culprit->phase);
  } else {
    error << "this part is known only " << KnownWhen(culprit->phase);
  }
  return false;
}

}  // namespace kiln::wgsl::resolve
