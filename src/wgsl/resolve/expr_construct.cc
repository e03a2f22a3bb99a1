// SPDX-License-Identifier: Apache-2.0
// Calls of types: zero values, conversions, vectors, matrices, arrays, structures.
// https://www.w3.org/TR/WGSL/#constructor-builtin-function
#include <algorithm>

#include "wgsl/resolve/limits.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

const Type* Resolver::ResolveConstruct(ast::Call* call, const Type* type) {
  if (type->is_poison()) return PoisonArgs(call);
  if (const auto constructor = core::ConstructorOf(type)) {
    return ConstructByOverload(call, *constructor, type->is_scalar() ? nullptr : core::ScalarOf(type));
  }
  if (!type->is_constructible()) {
    PoisonArgs(call);
    Error(call->range, "not-constructible") << "cannot make a value of type " << Quoted(type);
    return core::Poison();
  }
  if (const auto* array = type->As<core::ArrayType>()) return ConstructArray(call, array);
  return ConstructStruct(call, &type->To<core::StructType>());
}

const Type* Resolver::ResolveInferredConstruct(ast::Call* call, core::TypeGenerator generator) {
  using core::TypeGenerator;
  ast::Ident* callee = call->callee;
  callee->target_kind = static_cast<uint8_t>(TargetKind::kType);
  if (generator == TypeGenerator::kArray) return ConstructInferredArray(call);
  const auto index = static_cast<uint32_t>(generator);
  if (generator >= TypeGenerator::kVec2 && generator <= TypeGenerator::kVec4) {
    const auto first = static_cast<uint32_t>(core::Constructor::kVec2);
    return ConstructByOverload(
        call, static_cast<core::Constructor>(first + index - static_cast<uint32_t>(TypeGenerator::kVec2)), nullptr);
  }
  if (generator >= TypeGenerator::kMat2x2 && generator <= TypeGenerator::kMat4x4) {
    const auto first = static_cast<uint32_t>(core::Constructor::kMat2x2);
    return ConstructByOverload(
        call, static_cast<core::Constructor>(first + index - static_cast<uint32_t>(TypeGenerator::kMat2x2)), nullptr);
  }
  PoisonArgs(call);
  const Type* type = TypeOf(callee);  // says that template arguments are missing
  if (!type->is_poison()) Error(call->range, "not-constructible") << "cannot make a value of type " << Quoted(type);
  return core::Poison();
}

namespace {

bool IsSameShape(const Type* a, const Type* b) {
  if (a->is_scalar()) return b->is_scalar();
  if (const auto* vec = a->As<core::VecType>())
    return b->Is(TypeKind::kVec) && b->To<core::VecType>().width == vec->width;
  const auto* mat = a->As<core::MatType>();
  const auto* other = b->As<core::MatType>();
  return mat != nullptr && other != nullptr && mat->columns == other->columns && mat->rows == other->rows;
}

TargetKind KindOfConstruct(const ast::Call& call, const Type* result) {
  if (call.args.empty()) return TargetKind::kZero;
  if (call.args.size() > 1) return TargetKind::kConstruct;
  const Type* arg = core::Unreferenced(call.args.front()->type);
  if (arg == result) return TargetKind::kIdentity;
  if (IsSameShape(arg, result)) return TargetKind::kConvert;
  return result->Is(TypeKind::kVec) && arg->is_scalar() ? TargetKind::kSplat : TargetKind::kConstruct;
}

}  // namespace

const Type* Resolver::ConstructByOverload(ast::Call* call, core::Constructor constructor, const Type* element) {
  const size_t base = arg_types_.size();
  const bool fine = ResolveArgs(call);
  const Type* result = fine ? MatchConstruct(call, constructor, element, base) : core::Poison();
  arg_types_.resize(base);
  return result;
}

const Type* Resolver::MatchConstruct(ast::Call* call, core::Constructor constructor, const Type* element, size_t base) {
  const core::CallArgs args{
      std::span<const Type* const>(arg_types_).subspan(base), {}, call->phase == ast::Phase::kConst};
  core::CallTarget target;
  if (!core::MatchConstructor(types_, constructor, element, args, target)) {
    ReportMismatch(call->range, core::ExplainMismatch(types_, constructor, element, args));
    return core::Poison();
  }
  if (!ConvertArgs(call, target)) return core::Poison();
  call->target_kind = static_cast<uint8_t>(KindOfConstruct(*call, target.result));
  return EvaluateTarget(call, target) ? target.result : core::Poison();
}

// ---------------------------------------------------------------------------------------------- arrays, structures

const Type* Resolver::ConstructArray(ast::Call* call, const core::ArrayType* type) {
  const size_t base = arg_types_.size();
  const bool fine = ResolveArgs(call);
  arg_types_.resize(base);
  if (!fine) return core::Poison();
  if (call->args.empty()) return FinishComposite(call, type);
  if (call->args.size() != type->count) {
    const bool few = call->args.size() < type->count;
    Error(few ? call->range : call->args[type->count]->range, "argument-count")
        << Quoted(type) << " takes " << type->count << (type->count == 1 ? " element, " : " elements, ")
        << call->args.size() << (call->args.size() == 1 ? " is given" : " are given");
    return core::Poison();
  }
  for (ast::Expr* arg : call->args) {
    const Type* found = core::Unreferenced(arg->type);
    switch (Convert(arg, type->element)) {
      case Fit::kYes:
        break;
      case Fit::kNo: {
        auto error = Error(arg->range, "type-mismatch");
        error << "an element of " << Quoted(type) << " must have the type " << Quoted(type->element)
              << ", but a value of type " << Quoted(found) << " is given";
        AddConversionHint(error, found, type->element);
        return core::Poison();
      }
      case Fit::kReported:
        return core::Poison();
    }
  }
  return FinishComposite(call, type);
}

// https://www.w3.org/TR/WGSL/#array-builtin
const Type* Resolver::ConstructInferredArray(ast::Call* call) {
  const size_t base = arg_types_.size();
  const bool fine = ResolveArgs(call);
  const Type* element =
      fine && !call->args.empty() ? core::CommonType(std::span<const Type* const>(arg_types_).subspan(base)) : nullptr;
  arg_types_.resize(base);
  if (!fine) return core::Poison();
  if (call->args.empty()) {
    Error(call->range, "argument-count") << "'array()' needs its elements, or a type: 'array<T, N>()'";
    return core::Poison();
  }
  if (element == nullptr) {
    auto error = Error(call->range, "no-common-type");
    error << "the elements of an array must all be of one type";
    const ast::Expr* odd = nullptr;
    const ast::Expr* other = nullptr;
    for (size_t i = 1; i < call->args.size() && odd == nullptr && i < 64; ++i) {
      for (size_t j = 0; j < i && odd == nullptr; ++j) {
        const std::array<const Type*, 2> pair{core::Unreferenced(call->args[j]->type),
                                              core::Unreferenced(call->args[i]->type)};
        if (core::CommonType(pair) != nullptr) continue;
        odd = call->args[i];
        other = call->args[j];
      }
    }
    if (odd != nullptr) {
      error.Note(other->range, "this is " + Quoted(core::Unreferenced(other->type)));
      error.Note(odd->range, "this is " + Quoted(core::Unreferenced(odd->type)));
    }
    return core::Poison();
  }
  if (element->is_abstract() && call->phase != ast::Phase::kConst) element = core::Concretize(types_, element);
  if (!element->is_constructible()) {
    Error(call->args.front()->range, "not-constructible") << "an array cannot hold values of type " << Quoted(element);
    return core::Poison();
  }
  for (ast::Expr* arg : call->args) {
    if (Convert(arg, element) != Fit::kYes) return core::Poison();
  }
  return FinishComposite(call, types_.Array(element, static_cast<uint32_t>(call->args.size())));
}

// https://www.w3.org/TR/WGSL/#structures-builtin
const Type* Resolver::ConstructStruct(ast::Call* call, const core::StructType* type) {
  const size_t base = arg_types_.size();
  const bool fine = ResolveArgs(call);
  arg_types_.resize(base);
  if (!fine) return core::Poison();
  if (call->args.empty()) return FinishComposite(call, type);
  if (call->args.size() != type->members.size()) {
    const bool few = call->args.size() < type->members.size();
    auto error = Error(few ? call->range : call->args[type->members.size()]->range, "argument-count");
    error << Quoted(type) << " has " << type->members.size() << (type->members.size() == 1 ? " member, " : " members, ")
          << call->args.size() << (call->args.size() == 1 ? " value is given" : " values are given");
    return core::Poison();
  }
  for (size_t i = 0; i < call->args.size(); ++i) {
    const core::StructMember& member = type->members[i];
    const Type* found = core::Unreferenced(call->args[i]->type);
    switch (Convert(call->args[i], member.type)) {
      case Fit::kYes:
        break;
      case Fit::kNo: {
        auto error = Error(call->args[i]->range, "type-mismatch");
        error << "the member '" << member.name << "' of " << Quoted(type) << " has the type " << Quoted(member.type)
              << ", but a value of type " << Quoted(found) << " is given";
        AddConversionHint(error, found, member.type);
        return core::Poison();
      }
      case Fit::kReported:
        return core::Poison();
    }
  }
  return FinishComposite(call, type);
}

namespace {

/// How many scalars a value of the type has; approximately for structures, which may share much.
double ScalarsOf(const Type* type) {
  if (const auto* array = type->As<core::ArrayType>()) return array->count * ScalarsOf(array->element);
  if (const auto* vec = type->As<core::VecType>()) return vec->width;
  if (const auto* mat = type->As<core::MatType>()) return mat->columns * mat->rows;
  return type->Is(TypeKind::kStruct) ? static_cast<double>(type->size) / 4 : 1;
}

}  // namespace

const Type* Resolver::FinishComposite(ast::Call* call, const Type* type) {
  call->target_kind = static_cast<uint8_t>(call->args.empty() ? TargetKind::kZero : TargetKind::kConstruct);
  if (call->args.size() > kMaxArrayArguments) {
    Error(call->range, "too-many-elements") << "the constructor of an array takes at most " << kMaxArrayArguments
                                            << " elements; " << call->args.size() << " are given";
    return core::Poison();
  }
  if (call->phase != ast::Phase::kConst || context_.skip_evaluation) return type;
  if (call->args.empty()) {
    call->value = core::Constant::Zero(arena_, type);
    return type;
  }
  if (ScalarsOf(type) > kMaxScalars) {
    Error(call->range, "value-too-large") << "a constant of type " << Quoted(type) << " is too large; at most "
                                          << static_cast<int>(kMaxScalars) << " scalars are possible";
    return core::Poison();
  }
  auto elements = arena_.MakeArray<const core::Constant*>(call->args.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    elements[i] = call->args[i]->value;
    if (elements[i] == nullptr) return type;
  }
  call->value = core::Constant::Composite(arena_, type, elements);
  return type;
}

}  // namespace kiln::wgsl::resolve
