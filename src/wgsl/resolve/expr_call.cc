// SPDX-License-Identifier: Apache-2.0
// Calls: of functions, of built-in functions, of types. https://www.w3.org/TR/WGSL/#function-calls
#include <algorithm>

#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

const Type* Resolver::ResolveCall(ast::Call* call) {
  ast::Ident* callee = call->callee;
  const Denoted denoted = Lookup(callee->name);
  if (denoted.decl != nullptr) {
    if (auto* function = denoted.decl->TryAs<ast::Function>()) return ResolveFunctionCall(call, function);
    if (denoted.decl->Is<ast::Struct>() || denoted.decl->Is<ast::Alias>()) {
      return ResolveConstruct(call, TypeOf(callee));
    }
  } else if (denoted.predeclared != nullptr) {
    switch (denoted.predeclared->kind) {
      case core::PredeclaredKind::kFunction:
        if (!CheckAvailable(*denoted.predeclared, callee->name, callee->range)) return PoisonArgs(call);
        return ResolveBuiltinCall(call, denoted.predeclared->function);
      case core::PredeclaredKind::kType:
        return ResolveConstruct(call, TypeOf(callee));
      case core::PredeclaredKind::kGenerator:
        if (!callee->args.empty()) return ResolveConstruct(call, TypeOf(callee));
        return ResolveInferredConstruct(call, denoted.predeclared->generator);
      default:
        break;
    }
  } else {
    ReportUnresolved(callee->name, callee->name_range());
    return PoisonArgs(call);
  }
  auto error = Error(callee->range, "not-callable");
  error << "cannot call '" << Text(callee->name) << "', which is " << WhatIs(denoted);
  NoteDeclared(error, denoted);
  if (denoted.decl != nullptr && PredeclaredOf(callee->name).kind != core::PredeclaredKind::kNone) {
    error.Hint("it hides the built-in of the same name; rename it");
  }
  return core::Poison();
}

// Arguments of a call that is wrong itself: what is wrong in them is a mistake of its own.
const Type* Resolver::PoisonArgs(ast::Call* call) {
  for (ast::Expr* arg : call->args) Value(arg);
  return core::Poison();
}

bool Resolver::ResolveArgs(ast::Call* call) {
  bool fine = true;
  ast::Phase phase = ast::Phase::kConst;
  for (ast::Expr* arg : call->args) {
    const Type* type = Value(arg);
    if (type->is_poison()) {
      fine = false;
    } else if (type->Is(TypeKind::kVoid)) {
      Error(arg->range, "no-value") << "an argument is a call of a function that returns nothing";
      fine = false;
    }
    arg_types_.push_back(type);
    phase = std::max(phase, arg->phase);
  }
  call->phase = phase;
  return fine;
}

// ------------------------------------------------------------------------------------------------- user functions

const Type* Resolver::ResolveFunctionCall(ast::Call* call, ast::Function* function) {
  ast::Ident* callee = call->callee;
  EnsureResolved(function, callee->range);
  FunctionInfo* info = InfoOf(*function);
  const size_t base = arg_types_.size();
  const bool fine = ResolveArgs(call);
  arg_types_.resize(base);
  call->phase = ast::Phase::kRuntime;
  if (info == nullptr) return core::Poison();
  callee->target_kind = call->target_kind = static_cast<uint8_t>(TargetKind::kFunction);
  callee->target = call->target = function;
  if (context_.function != nullptr) calls_.push_back({call, info});
  if (!callee->args.empty()) {
    Error({callee->name_end, callee->range.end}, "template-arguments-not-allowed")
        << Quoted(callee->name) << " takes no template arguments";
    return core::Poison();
  }
  if (info->entry_point != nullptr) {
    Error(callee->range, "call-of-entry-point").Note(function->name_range, "the entry point")
        << "cannot call " << Quoted(callee->name) << ", which is an entry point";
    return core::Poison();
  }
  if (call->args.size() != function->params.size()) {
    const bool few = call->args.size() < function->params.size();
    Error(few ? call->range : call->args[function->params.size()]->range, "argument-count")
            .Note(function->name_range, Quoted(callee->name) + " is declared here")
        << Quoted(callee->name) << " takes " << function->params.size()
        << (function->params.size() == 1 ? " argument, " : " arguments, ") << call->args.size()
        << (call->args.size() == 1 ? " is given" : " are given");
    return core::Poison();
  }
  if (!fine) return function->return_type;
  // Constants without a type of their own first: only they are converted, and one that cannot be is the mistake.
  for (const bool is_abstract : {true, false}) {
    for (size_t i = 0; i < call->args.size(); ++i) {
      if (core::Unreferenced(call->args[i]->type)->is_abstract() != is_abstract) continue;
      if (!ConvertArgument(call, *function->params[i], call->args[i])) return core::Poison();
    }
  }
  return function->return_type;
}

// Whether a pointer is to the whole of its root identifier. https://www.w3.org/TR/WGSL/#root-ident-sec
bool Resolver::IsWholeView(const ast::Expr* expr) {
  for (;;) {
    if (const auto* unary = expr->TryAs<ast::Unary>()) {
      expr = unary->operand;
      continue;
    }
    const ast::Variable* variable = VariableOf(*expr);
    if (variable == nullptr || variable->variable_kind != ast::VariableKind::kLet) return variable != nullptr;
    expr = variable->initializer;
  }
}

bool Resolver::ConvertArgument(const ast::Call* call, const ast::Variable& param, ast::Expr* arg) {
  const Type* found = core::Unreferenced(arg->type);
  if (found->Is(TypeKind::kPointer) && !HasFeature(core::LanguageFeature::kUnrestrictedPointerParameters) &&
      !IsWholeView(arg)) {
    Error(arg->range, "pointer-argument-not-allowed")
        << "a pointer to a part of a variable cannot be an argument: the language feature "
           "'unrestricted_pointer_parameters' is not available here";
    return false;
  }
  if (Convert(arg, param.type) != Fit::kNo || ConvertsBufferPointer(found, param.type)) return true;
  auto error = Error(arg->range, "type-mismatch");
  error << "the parameter " << Quoted(param.name) << " of " << Quoted(call->callee->name) << " has the type "
        << Quoted(param.type) << ", but a value of type " << Quoted(found) << " is given";
  error.Note(param.name_range, Quoted(param.name) + " is declared here");
  AddConversionHint(error, found, param.type);
  const auto* pointer = param.type->As<core::PointerType>();
  if (pointer != nullptr && pointer->store == found && arg->type->Is(TypeKind::kReference)) {
    error.Hint("to pass its address, write '&' before it");
  }
  return false;
}

// A pointer to a buffer converts to one to a smaller or unsized buffer. https://www.w3.org/TR/WGSL/#conversion-rank
bool Resolver::ConvertsBufferPointer(const Type* from, const Type* to) const {
  const auto* source = from->As<core::PointerType>();
  const auto* target = to->As<core::PointerType>();
  if (source == nullptr || target == nullptr || source->space != target->space || source->access != target->access) {
    return false;
  }
  const auto* source_buffer = source->store->As<core::BufferType>();
  const auto* target_buffer = target->store->As<core::BufferType>();
  if (source_buffer == nullptr || target_buffer == nullptr) return false;
  if (target_buffer->is_runtime_sized()) return true;
  return target_buffer->bytes != 0 && target_buffer->bytes < source_buffer->bytes;
}

// ---------------------------------------------------------------------------------------------- built-in functions

const Type* Resolver::ResolveBuiltinCall(ast::Call* call, core::BuiltinFn function) {
  const size_t base = arg_types_.size();
  const Type* result = core::Poison();
  if (ResolveArgs(call)) result = MatchBuiltinCall(call, function, base);
  arg_types_.resize(base);
  return result;
}

const Type* Resolver::MatchBuiltinCall(ast::Call* call, core::BuiltinFn function, size_t base) {
  ast::Ident* callee = call->callee;
  std::array<const Type*, 4> template_types{};
  if (callee->args.size() > template_types.size()) {
    Error(callee->range, "template-argument-count") << Quoted(callee->name) << " takes fewer template arguments";
    return core::Poison();
  }
  for (size_t i = 0; i < callee->args.size(); ++i) {
    template_types[i] = TypeOf(callee->args[i]);
    if (template_types[i]->is_poison()) return core::Poison();
  }
  const bool all_const = call->phase == ast::Phase::kConst;
  const core::CallArgs args{
      std::span<const Type* const>(arg_types_).subspan(base), {template_types.data(), callee->args.size()}, all_const};
  core::CallTarget target;
  if (!core::MatchBuiltin(types_, function, args, target)) {
    const core::Mismatch mismatch = core::ExplainMismatch(types_, function, args);
    const Suggestion suggestion = SuggestConversion(std::span<const Type*>(arg_types_).subspan(base),
                                                    [&] { return core::MatchBuiltin(types_, function, args, target); });
    ReportMismatch(call->range, mismatch, HintOf(suggestion));
    return core::Poison();
  }
  const core::OverloadFacts& facts = core::Facts(target);
  if (!(IsEnabled(facts.extension) && HasFeature(facts.feature))) {
    CheckExtension(facts.extension, facts.feature, Quoted(callee->name), call->range);
    return core::Poison();
  }
  if (!ConvertArgs(call, target)) return core::Poison();
  call->target_kind = static_cast<uint8_t>(TargetKind::kBuiltin);
  if (!EvaluateTarget(call, target)) return core::Poison();
  if (context_.function != nullptr && call->value == nullptr) builtin_calls_.push_back(call);
  return target.result;
}

bool Resolver::ConvertArgs(ast::Call* call, const core::CallTarget& target) {
  for (size_t i = 0; i < call->args.size(); ++i) {
    switch (Convert(call->args[i], target.params[i])) {
      case Fit::kYes:
        break;
      case Fit::kNo:
        // The overload takes it as it is: pointers to memory of which the table fixes less than the type says.
        break;
      case Fit::kReported:
        return false;
    }
  }
  return true;
}

const core::CallTarget* Resolver::Keep(const core::CallTarget& target) {
  size_t hash = target.overload * size_t{0x9E3779B1};
  for (size_t i = 0; i < target.param_count; ++i) hash = hash * 31 + reinterpret_cast<uintptr_t>(target.params[i]) / 16;
  const core::CallTarget*& kept = kept_targets_[(hash ^ hash >> 7) % kept_targets_.size()];
  const auto is_same = [&](const core::CallTarget& other) {
    return other.overload == target.overload && other.param_count == target.param_count &&
           other.result == target.result &&
           std::equal(target.params.begin(), target.params.begin() + target.param_count, other.params.begin());
  };
  if (kept == nullptr || !is_same(*kept)) kept = arena_.Make<core::CallTarget>(target);
  return kept;
}

// Evaluates a call whose overload is known, or checks what is known of its arguments. Sets target, phase and value.
bool Resolver::EvaluateTarget(ast::Call* call, const core::CallTarget& target) {
  call->target = Keep(target);
  const core::OverloadFacts& facts = core::Facts(target);
  const bool was_const = call->phase == ast::Phase::kConst;
  if (facts.earliest == core::Phase::kRuntime) call->phase = ast::Phase::kRuntime;
  std::array<const core::Constant*, core::kMaxParams> values{};
  bool all_known = true;
  bool any_known = false;
  for (size_t i = 0; i < call->args.size(); ++i) {
    const ast::Expr* arg = call->args[i];
    values[i] = arg->value;
    all_known &= arg->value != nullptr;
    any_known |= arg->value != nullptr;
    if (i < facts.params.size() && facts.params[i].must_be_const && arg->phase != ast::Phase::kConst) {
      auto error = Error(arg->range, "too-late");
      error << "the argument '" << core::Name(facts.params[i].usage) << "' of " << Quoted(call->callee->name)
            << " must be a const-expression";
      return false;
    }
  }
  if (context_.skip_evaluation) return true;
  const std::span<const core::Constant* const> known(values.data(), call->args.size());
  if (was_const && facts.earliest == core::Phase::kConst) {
    // What is not known although it is early was wrong and reported, or is never evaluated.
    if (!all_known) return true;
    return SetValue(call, core::EvalCall(types_, target, known), call->range);
  }
  if (!any_known) return true;
  if (const std::string problem = core::CheckPartial(target, known); !problem.empty()) {
    Error(call->range, "evaluation-failed") << problem;
    return false;
  }
  return true;
}

}  // namespace kiln::wgsl::resolve
