// SPDX-License-Identifier: Apache-2.0
// Functions: signatures, when they are first needed; bodies, in source order; what makes an entry point.
// https://www.w3.org/TR/WGSL/#functions
#include "wgsl/resolve/limits.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

void Resolver::ResolveSignature(ast::Function* function) {
  auto* info = arena_.Make<FunctionInfo>();
  info->decl = function;
  function->info = info;
  function->return_type = core::Void();
  CheckAttributes(function->attributes, Place::kFunction);
  ResolveEntryPointAttributes(function, info);
  if (function->params.size() > kMaxParams) {
    Error(function->params[kMaxParams]->name_range, "too-many-parameters")
        << "a function has at most " << kMaxParams << " parameters, this one has " << function->params.size();
  }
  for (ast::Variable* param : function->params) ResolveParam(function, param);
  if (function->return_type_expr != nullptr) {
    function->return_type = TypeOf(function->return_type_expr);
    if (!function->return_type->is_poison() && !function->return_type->is_constructible()) {
      Error(function->return_type_expr->range, "not-constructible")
          << "a function cannot return a value of type " << Quoted(function->return_type)
          << ", which is not constructible";
      function->return_type = core::Poison();
    }
  }
  CheckAttributes(function->return_attributes, Place::kReturn);
  ResolveIo(function->return_attributes, info->return_io);
  if (info->entry_point == nullptr && !function->return_attributes.empty()) {
    Error(function->return_attributes.front()->range, "attribute-not-allowed")
        << "@" << ast::AttributeName(function->return_attributes.front()->attribute)
        << " can stand on the return type of an entry point only";
  }
  if (const auto* must_use = ast::Find(function->attributes, ast::AttributeKind::kMustUse)) {
    info->is_must_use = true;
    if (function->return_type_expr == nullptr) {
      Error(must_use->range, "must-use-without-result")
          << "@must_use can stand on a function that returns a value only";
    }
  }
  if (info->entry_point != nullptr) MarkHostVisible(function->return_type);
  info->globals = TakeDeps();
}

void Resolver::ResolveParam(ast::Function* function, ast::Variable* param) {
  FunctionInfo* info = InfoOf(*function);
  const Type* type = param->type_expr != nullptr ? TypeOf(param->type_expr) : core::Poison();
  param->type = type;
  CheckAttributes(param->attributes, Place::kParam);
  if (!param->attributes.empty()) {
    auto* param_info = arena_.Make<ParamInfo>();
    ResolveIo(param->attributes, param_info->io);
    param->info = param_info;
    if (info->entry_point == nullptr) {
      Error(param->attributes.front()->range, "attribute-not-allowed")
          << "@" << ast::AttributeName(param->attributes.front()->attribute)
          << " can stand on a parameter of an entry point only";
    }
  }
  if (param->type_expr == nullptr || type->is_poison()) return;
  // https://www.w3.org/TR/WGSL/#function-restriction
  if (const auto* pointer = type->As<core::PointerType>()) {
    const bool is_free =
        pointer->space == core::AddressSpace::kFunction || pointer->space == core::AddressSpace::kPrivate;
    if (!is_free && !HasFeature(core::LanguageFeature::kUnrestrictedPointerParameters)) {
      Error(param->type_expr->range, "pointer-parameter-not-allowed")
          << "a parameter cannot be a pointer to the address space '" << core::Name(pointer->space)
          << "': the language feature 'unrestricted_pointer_parameters' is not available here";
      param->type = core::Poison();
    }
    return;
  }
  if (!type->is_constructible() && !IsHandle(type)) {
    Error(param->type_expr->range, "not-constructible")
        << "a parameter cannot have the type " << Quoted(type)
        << ", which is neither constructible nor a pointer, texture or sampler";
    param->type = core::Poison();
    return;
  }
  if (info->entry_point != nullptr) MarkHostVisible(type);
}

// https://www.w3.org/TR/WGSL/#entry-point-attributes
void Resolver::ResolveEntryPointAttributes(ast::Function* function, FunctionInfo* info) {
  const ast::Attribute* stage = nullptr;
  for (const ast::Attribute* attribute : function->attributes) {
    core::Stage found{};
    switch (attribute->attribute) {
      case ast::AttributeKind::kVertex:
        found = core::Stage::kVertex;
        break;
      case ast::AttributeKind::kFragment:
        found = core::Stage::kFragment;
        break;
      case ast::AttributeKind::kCompute:
        found = core::Stage::kCompute;
        break;
      default:
        continue;
    }
    if (stage != nullptr) {
      if (stage->attribute != attribute->attribute) {
        Error(attribute->range, "two-stages").Note(stage->range, "the first stage")
            << "a function is an entry point of one stage only";
      }
      continue;
    }
    stage = attribute;
    info->entry_point = arena_.Make<EntryPointInfo>();
    info->entry_point->stage = found;
  }
  const bool is_compute = info->entry_point != nullptr && info->entry_point->stage == core::Stage::kCompute;
  const ast::Attribute* size = ast::Find(function->attributes, ast::AttributeKind::kWorkgroupSize);
  if (size != nullptr) {
    if (!is_compute) {
      Error(size->range, "attribute-not-allowed") << "@workgroup_size can stand on a compute entry point only";
    }
    ResolveWorkgroupSize(size, info);
  } else if (is_compute) {
    Error(function->name_range, "no-workgroup-size").Hint("write it before the 'fn', as '@workgroup_size(64)'")
        << "the compute entry point " << Quoted(function->name) << " needs @workgroup_size";
  }
  if (const auto* subgroup = ast::Find(function->attributes, ast::AttributeKind::kSubgroupSize)) {
    if (!is_compute) {
      Error(subgroup->range, "attribute-not-allowed") << "@subgroup_size can stand on a compute entry point only";
    }
    ResolveSubgroupSize(subgroup, info);
  }
}

// https://www.w3.org/TR/WGSL/#workgroup-size-attr
void Resolver::ResolveWorkgroupSize(const ast::Attribute* attribute, FunctionInfo* info) {
  const size_t base = arg_types_.size();
  bool fine = true;
  for (ast::Expr* arg : attribute->args) {
    const Type* type = Value(arg);
    if (type->is_poison()) {
      fine = false;
      continue;
    }
    if (!type->is_integer_scalar()) {
      Error(arg->range, "bad-attribute-argument")
          << "@workgroup_size takes values of type 'i32' or 'u32', not " << Quoted(type);
      fine = false;
      continue;
    }
    if (!RequirePhase(arg, ast::Phase::kOverride, "@workgroup_size")) fine = false;
    arg_types_.push_back(type);
  }
  const Type* common = core::CommonType(std::span<const Type* const>(arg_types_).subspan(base));
  arg_types_.resize(base);
  if (!fine) return;
  if (common == nullptr) {
    Error(attribute->range, "bad-attribute-argument") << "the arguments of @workgroup_size must all be of one type, "
                                                         "'i32' or 'u32'";
    return;
  }
  common = core::Concretize(types_, common);
  for (size_t i = 0; i < attribute->args.size() && i < 3; ++i) {
    ast::Expr* arg = attribute->args[i];
    if (Convert(arg, common) != Fit::kYes) continue;
    if (arg->value != nullptr && arg->value->i() < 1) {
      Error(arg->range, "bad-attribute-argument")
          << "@workgroup_size must be greater than zero, not " << arg->value->i();
    }
    if (info->entry_point != nullptr) info->entry_point->workgroup_size[i] = arg;
  }
}

// https://www.w3.org/TR/WGSL/#subgroup-size-attr
void Resolver::ResolveSubgroupSize(const ast::Attribute* attribute, FunctionInfo* info) {
  if (!CheckExtension(core::Extension::kSubgroupSizeControl, core::LanguageFeature::kNone, "@subgroup_size",
                      attribute->range)) {
    return;
  }
  ast::Expr* arg = attribute->args.front();
  const Type* type = Value(arg);
  if (type->is_poison()) return;
  if (!type->is_integer_scalar()) {
    Error(arg->range, "bad-attribute-argument") << "@subgroup_size takes an 'i32' or 'u32', not " << Quoted(type);
    return;
  }
  if (!RequirePhase(arg, ast::Phase::kOverride, "@subgroup_size") || Materialize(arg)->is_poison()) return;
  if (arg->value != nullptr) {
    const int64_t value = arg->value->i();
    if (value < 1 || (value & (value - 1)) != 0) {
      Error(arg->range, "bad-attribute-argument") << "@subgroup_size must be a power of two, not " << value;
      return;
    }
  }
  if (info->entry_point != nullptr) info->entry_point->subgroup_size = arg;
}

void Resolver::ResolveBody(ast::Function* function) {
  FunctionInfo* info = InfoOf(*function);
  if (info == nullptr || function->body == nullptr) return;
  context_ = {function, info, false, 0};
  calls_.clear();
  builtin_calls_.clear();
  function_globals_.clear();
  for (ast::Variable* variable : info->globals) MentionVariable(variable);
  PushScope();
  for (ast::Variable* param : function->params) Bind(param);
  CheckAttributes(function->body->attributes, Place::kStatement);
  ResolveStatements(function->body);
  PopScope();
  context_ = {};
  info->calls = arena_.Copy(calls_);
  info->builtin_calls = arena_.Copy(builtin_calls_);
  info->globals = arena_.Copy(function_globals_);
}

}  // namespace kiln::wgsl::resolve
