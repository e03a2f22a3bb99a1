// SPDX-License-Identifier: Apache-2.0
// Variables and values: const, override and var, the type that a declaration and its initialiser agree on, and what may
// be stored in an address space.
#include <algorithm>

#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

constexpr uint32_t kMaxOverrideId = 65535;

}  // namespace

void Resolver::ResolveGlobalVariable(ast::Variable* variable) {
  variable->type = core::Poison();
  switch (variable->variable_kind) {
    case ast::VariableKind::kConst:
      ResolveConst(variable);
      break;
    case ast::VariableKind::kOverride:
      ResolveOverride(variable);
      break;
    default:
      ResolveGlobalVar(variable);
      break;
  }
  if (VariableInfo* info = InfoOf(*variable)) info->mentions = TakeDeps();
  ordered_globals_.push_back(variable);
}

// https://www.w3.org/TR/WGSL/#const-decls
void Resolver::ResolveConst(ast::Variable* variable) {
  CheckAttributes(variable->attributes, Place::kConst);
  if (!ResolveTypeAndInitializer(variable, "const")) return;
  if (!RequirePhase(variable->initializer, ast::Phase::kConst, "the initialiser of a const")) {
    variable->type = core::Poison();
    return;
  }
  if (!variable->type->is_constructible()) {
    Error(variable->name_range, "not-constructible")
        << "a const cannot have the type " << Quoted(variable->type) << ", which is not constructible";
    variable->type = core::Poison();
    return;
  }
  variable->value = variable->initializer->value;
}

// https://www.w3.org/TR/WGSL/#override-decls
void Resolver::ResolveOverride(ast::Variable* variable) {
  auto* info = arena_.Make<VariableInfo>();
  info->access = core::Access::kRead;
  variable->info = info;
  CheckAttributes(variable->attributes, Place::kOverride);
  if (const auto* id = ast::Find(variable->attributes, ast::AttributeKind::kId)) {
    int64_t value = 0;
    if (ConstInteger(id, 0, value)) {
      if (value > kMaxOverrideId) {
        Error(id->args.front()->range, "bad-override-id")
            << "@id must be at most " << kMaxOverrideId << ", not " << value;
      } else {
        info->id = static_cast<uint32_t>(value);
        const auto same = std::find_if(override_ids_.begin(), override_ids_.end(),
                                       [&](const auto& entry) { return entry.first == *info->id; });
        if (same != override_ids_.end()) {
          Error(id->range, "duplicate-override-id")
                  .Note(ast::Find(same->second->attributes, ast::AttributeKind::kId)->range, "used before here")
              << "@id(" << value << ") is used by two overrides";
        } else {
          override_ids_.push_back({*info->id, variable});
        }
      }
    }
  }
  if (!ResolveTypeAndInitializer(variable, "override")) return;
  if (variable->initializer != nullptr &&
      !RequirePhase(variable->initializer, ast::Phase::kOverride, "the initialiser of an override")) {
    variable->type = core::Poison();
    return;
  }
  if (!variable->type->is_scalar()) {
    Error(variable->name_range, "override-not-scalar")
        << "an override must be a scalar, not " << Quoted(variable->type);
    variable->type = core::Poison();
    return;
  }
  if (variable->initializer != nullptr) variable->value = variable->initializer->value;
}

bool Resolver::ResolveTypeAndInitializer(ast::Variable* variable, std::string_view what) {
  variable->type = core::Poison();
  const Type* declared = variable->type_expr != nullptr ? TypeOf(variable->type_expr) : nullptr;
  ast::Expr* initializer = variable->initializer;
  if (initializer == nullptr) {
    if (declared == nullptr) {
      Error(variable->name_range, "no-type") << "'" << Text(variable->name) << "' needs a type or an initialiser";
      return false;
    }
    variable->type = declared;
    return !declared->is_poison();
  }
  const Type* found = Value(initializer);
  if (found->Is(TypeKind::kVoid)) {
    Error(initializer->range, "no-value")
        << "the initialiser of '" << Text(variable->name) << "' is a call of a function that returns nothing";
    return false;
  }
  if (declared != nullptr) {
    variable->type = declared;
    if (declared->is_poison() || found->is_poison()) return false;
    switch (Convert(initializer, declared)) {
      case Fit::kYes:
        return true;
      case Fit::kNo: {
        auto error = Error(initializer->range, "type-mismatch");
        error << "cannot initialise a " << what << " of type " << Quoted(declared) << " with a value of type "
              << Quoted(found);
        AddConversionHint(error, found, declared);
        return false;
      }
      case Fit::kReported:
        return false;
    }
  }
  variable->type = variable->variable_kind == ast::VariableKind::kConst ? found : Materialize(initializer);
  return !variable->type->is_poison();
}

// https://www.w3.org/TR/WGSL/#var-decls
void Resolver::ResolveGlobalVar(ast::Variable* variable) {
  auto* info = arena_.Make<VariableInfo>();
  variable->info = info;
  info->reference = nullptr;
  CheckAttributes(variable->attributes, Place::kVariable);
  int64_t number = 0;
  if (const auto* group = ast::Find(variable->attributes, ast::AttributeKind::kGroup)) {
    if (ConstInteger(group, 0, number)) info->group = static_cast<uint32_t>(number);
  }
  if (const auto* binding = ast::Find(variable->attributes, ast::AttributeKind::kBinding)) {
    if (ConstInteger(binding, 0, number)) info->binding = static_cast<uint32_t>(number);
  }
  const bool has_space = ResolveVarTemplate(variable, info);
  if (!ResolveTypeAndInitializer(variable, "var")) {
    variable->type = core::Poison();
    return;
  }
  if (!has_space) {
    variable->type = core::Poison();
    return;
  }
  if (!variable->has_template && !IsHandle(variable->type)) {
    Error(variable->name_range, "no-address-space")
            .Hint(
                "write 'var<private>', 'var<workgroup>', 'var<uniform>' or "
                "'var<storage>'")
        << "a module-scope var of type " << Quoted(variable->type) << " needs an address space";
    variable->type = core::Poison();
    return;
  }
  if (!variable->has_template) {
    info->space = core::AddressSpace::kHandle;
    info->access = core::Access::kRead;
  }
  if (!CheckVarType(variable, *info)) {
    variable->type = core::Poison();
    return;
  }
  if (variable->initializer != nullptr) {
    if (info->space != core::AddressSpace::kPrivate) {
      Error(variable->initializer->range, "initializer-not-allowed")
          << "a var in the address space '" << core::Name(info->space) << "' cannot have an initialiser";
      return;
    }
    if (!RequirePhase(variable->initializer, ast::Phase::kOverride, "the initialiser of a module-scope var")) return;
  }
  info->reference = types_.Reference(info->space, variable->type, info->access);
}

bool Resolver::ResolveVarTemplate(ast::Variable* variable, VariableInfo* info) {
  if (!variable->has_template) return true;
  if (variable->args.empty() || variable->args.size() > 2) {
    Error(variable->name_range, "template-argument-count")
        << "'var<>' takes an address space and an access mode, " << variable->args.size() << " arguments are given";
    return false;
  }
  const core::Predeclared* space = Enumerant(variable->args[0], core::PredeclaredKind::kAddressSpace);
  if (space == nullptr) return false;
  info->space = space->space;
  info->access = core::DefaultAccess(space->space);
  if (variable->args.size() == 1) return true;
  const core::Predeclared* access = Enumerant(variable->args[1], core::PredeclaredKind::kAccess);
  if (access == nullptr) return false;
  if (info->space != core::AddressSpace::kStorage) {
    Error(variable->args[1]->range, "access-mode-not-allowed")
        << "only a var in the address space 'storage' can name an access mode, this one is in '"
        << core::Name(info->space) << "'";
    return false;
  }
  info->access = access->access;
  return true;
}

bool Resolver::IsHandle(const Type* type) {
  switch (type->kind) {
    case TypeKind::kTexture:
    case TypeKind::kSampler:
    case TypeKind::kTexelBuffer:
    case TypeKind::kInputAttachment:
    case TypeKind::kBindingArray:
      return true;
    default:
      return false;
  }
}

bool Resolver::CheckVarType(ast::Variable* variable, const VariableInfo& info) {
  if (info.space == core::AddressSpace::kFunction) {
    Error(variable->name_range, "wrong-scope") << "a module-scope var cannot be in the address space 'function'";
    return false;
  }
  const Range range = variable->type_expr != nullptr ? variable->type_expr->range : variable->name_range;
  return CheckStore(variable->type, info.space, info.access, range, "a var");
}

namespace {

/// Why `store` cannot be in `space`; empty if it can. https://www.w3.org/TR/WGSL/#var-decls
std::string_view StoreProblem(const Type* store, core::AddressSpace space) {
  const auto* buffer = store->As<core::BufferType>();
  switch (space) {
    case core::AddressSpace::kFunction:
    case core::AddressSpace::kPrivate:
      return store->is_constructible() ? "" : "must be constructible";
    case core::AddressSpace::kWorkgroup:
      if (buffer != nullptr) return buffer->is_runtime_sized() ? "must have a size" : "";
      if (!store->is_storable() || Resolver::IsHandle(store)) return "must be a plain type";
      return store->Has(Type::kFixedFootprint) ? "" : "must have a size that is known when the pipeline is made";
    case core::AddressSpace::kUniform:
      if (buffer != nullptr) return buffer->bytes != 0 ? "" : "must have a constant size";
      if (!store->is_host_shareable()) return "must be host-shareable";
      return store->is_constructible() ? "" : "must be constructible";
    case core::AddressSpace::kStorage:
      if (buffer != nullptr) return buffer->override_bytes == nullptr ? "" : "must have a constant size or none";
      return store->is_host_shareable() ? "" : "must be host-shareable";
    case core::AddressSpace::kImmediate:
      if (!store->is_host_shareable() || buffer != nullptr) return "must be host-shareable";
      if (!store->is_constructible()) return "must be constructible";
      return Resolver::HoldsArray(store) ? "must not be or hold an array" : "";
    case core::AddressSpace::kHandle:
      return Resolver::IsHandle(store) ? "" : "must be a texture or sampler";
    default:
      return "";
  }
}

}  // namespace

bool Resolver::CheckStore(const Type* store, core::AddressSpace space, core::Access access, Range range,
                          std::string_view what) {
  if (store->is_poison()) return false;
  const std::string_view problem = StoreProblem(store, space);
  if (!problem.empty()) {
    Error(range, "type-not-allowed-in-space")
        << "the type of " << what << " in the address space '" << core::Name(space) << "' " << problem << ", "
        << Quoted(store) << " is not";
    return false;
  }
  if (space == core::AddressSpace::kStorage && access == core::Access::kWrite) {
    Error(range, "access-mode-not-allowed") << "the address space 'storage' has the access modes 'read' and "
                                               "'read_write', not 'write'";
    return false;
  }
  if (space == core::AddressSpace::kStorage && access == core::Access::kRead && store->Has(Type::kHoldsAtomic)) {
    Error(range, "atomic-needs-read-write")
        << Quoted(store) << " is or holds an atomic, which needs the access mode 'read_write'";
    return false;
  }
  return CheckLayoutIn(store, space, range);
}

std::string_view Resolver::Describe(ast::VariableKind kind) {
  switch (kind) {
    case ast::VariableKind::kVar:
      return "var";
    case ast::VariableKind::kLet:
      return "let";
    case ast::VariableKind::kConst:
      return "const";
    case ast::VariableKind::kOverride:
      return "override";
    case ast::VariableKind::kParam:
      return "parameter";
  }
  return "";
}

}  // namespace kiln::wgsl::resolve
