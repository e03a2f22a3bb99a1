// SPDX-License-Identifier: Apache-2.0
// What the resolver knows of a module besides the annotations of its tree: functions with their calls and globals,
// entry points, orders. Made by Resolve (resolve.h) in the arena of the tree; read by validate and lower.
//
// The annotations of the tree, after Resolve without errors:
//  * Expr::type is set on every expression that has a value. A name of a variable, and what is indexed, selected or
//    dereferenced from memory, has a ReferenceType; where a value is needed (anywhere but under `&`, as the object of
//    an Index or Member, on the left of an assignment) the load rule applies and the reader loads.
//  * An expression of which the value is used at run time has a concrete type: where an abstract constant met a
//    concrete type, its `type` and `value` have been replaced by the converted ones. Below an expression that has a
//    `value` nothing is converted and nothing needs to be read.
//  * Expr::value is set where the phase is kConst, except in parts that are never evaluated (the right of `false &&
//  x`).
//    After Specialize (specialize.h) it is also set on the override-expressions that the entry point uses.
//  * Ident and Call: target_kind is a TargetKind, which says what `target` is.
//  * Member with swizzle_size >= 2 of a memory view is a *swizzle view*: its type is a reference to the narrower
//  vector,
//    but it has no address; loading it loads the object and shuffles, storing to it writes the named components.
//  * Unary and Binary have no target: MatchUnary and MatchBinary of the operands' types give the overload again.
//  * Decl::info: VariableInfo of a `var` and of an override; ParamInfo of a parameter with attributes, else null;
//    FunctionInfo of a function. StructType::owner is the ast::Struct. OverrideCount::owner is the ast::Expr of the
//    count.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/arena.h"
#include "core/builtin.h"
#include "core/enums.h"
#include "core/type.h"
#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::resolve {

/// What Ident::target or Call::target is.
enum class TargetKind : uint8_t {
  kNone,       ///< not resolved; an error was reported, or it is a context-dependent name
  kVariable,   ///< Ident: ast::Variable of any kind and scope
  kFunction,   ///< Call: ast::Function. (Its callee Ident has the same.)
  kType,       ///< Ident: core::Type; null for a generator without its arguments, as `vec3` in `vec3(1, 2, 3)`
  kEnumerant,  ///< Ident: null; the name says which
  kBuiltin,    ///< Call: core::CallTarget, the chosen overload of a built-in function
  // Calls of a type: Call::type is the type that is made; `target` is the core::CallTarget of a scalar, vector or
  // matrix constructor, null for arrays and structures.
  kZero,       ///< `T()`
  kIdentity,   ///< `T(e)` with e: T
  kConvert,    ///< one scalar, vector or matrix to the same shape with another component type
  kSplat,      ///< `vecN(scalar)`; the scalar is of the component type
  kConstruct,  ///< a vector from scalars and vectors, a matrix from scalars or columns, an array, a structure
};

inline TargetKind TargetOf(const ast::Expr& expr) { return static_cast<TargetKind>(expr.target_kind); }

/// The variable that a name denotes; null if it denotes something else.
inline ast::Variable* VariableOf(const ast::Expr& expr) {
  const auto* ident = expr.TryAs<ast::Ident>();
  if (ident == nullptr || TargetOf(*ident) != TargetKind::kVariable) return nullptr;
  return static_cast<ast::Variable*>(const_cast<void*>(ident->target));
}

/// Decl::info of a `var` (module or function scope) and of an override.
struct VariableInfo {
  /// What the name of a `var` denotes; null for an override.
  const core::ReferenceType* reference = nullptr;
  core::AddressSpace space = core::AddressSpace::kFunction;
  core::Access access = core::Access::kReadWrite;
  std::optional<uint32_t> group;
  std::optional<uint32_t> binding;
  /// Of an override: @id.
  std::optional<uint32_t> id;
  /// Of an override, after Specialize: whether the pipeline gave the value.
  bool is_given = false;
  /// The overrides that its type and initialiser mention themselves.
  std::span<ast::Variable* const> mentions;
  /// Of an override: what it is as the count of an array; the resolver's own.
  const core::OverrideCount* count = nullptr;
};

/// Decl::info of a structure.
struct StructInfo {
  /// https://www.w3.org/TR/WGSL/#composite-types
  uint32_t nesting = 0;
  bool holds_array = false;
};

/// Decl::info of a parameter that has attributes.
struct ParamInfo {
  core::IoAttributes io;
};

struct FunctionInfo;

struct CallSite {
  ast::Call* call = nullptr;
  FunctionInfo* callee = nullptr;
};

struct EntryPointInfo {
  core::Stage stage = core::Stage::kCompute;
  /// As written; null where not.
  ast::Expr* workgroup_size[3] = {};
  ast::Expr* subgroup_size = nullptr;
};

/// Decl::info of a function.
struct FunctionInfo {
  ast::Function* decl = nullptr;
  /// Place in ModuleInfo::functions: those it calls stand before it.
  uint32_t index = 0;
  /// Null unless the function is an entry point.
  EntryPointInfo* entry_point = nullptr;
  core::IoAttributes return_io;
  bool is_must_use = false;
  /// The calls of user functions in its body, in source order.
  std::span<const CallSite> calls;
  /// The calls of built-in functions in its body that are not evaluated early, in source order.
  std::span<ast::Call* const> builtin_calls;
  /// The module-scope `var`s and overrides that its body, signature or attributes mention, each once, in the order of
  /// first mention. What they mention in turn is in VariableInfo::mentions.
  std::span<ast::Variable* const> globals;
  /// Only of entry points (for all functions it would be quadratic): the distinct functions it calls, directly or not,
  /// callees first.
  std::span<FunctionInfo* const> all_callees;
  /// Only of entry points: `globals` of itself and of all_callees, and what those mention, each once.
  std::span<ast::Variable* const> all_globals;
};

struct ModuleInfo {
  ast::Module* module = nullptr;
  /// Callees before callers.
  std::span<FunctionInfo* const> functions;
  /// The functions with a stage, in source order.
  std::span<FunctionInfo* const> entry_points;
  /// const, override and var at module scope: what is mentioned before what mentions it.
  std::span<ast::Variable* const> globals;
  /// Members' structures before structures that hold them.
  std::span<ast::Struct* const> structs;
  core::ExtensionSet extensions;
};

inline FunctionInfo* InfoOf(const ast::Function& function) { return static_cast<FunctionInfo*>(function.info); }
/// The overload of a call with TargetKind::kBuiltin, or of a scalar, vector or matrix constructor; else null.
inline const core::CallTarget* CallTargetOf(const ast::Call& call) {
  return TargetOf(call) >= TargetKind::kBuiltin ? static_cast<const core::CallTarget*>(call.target) : nullptr;
}
/// The function that a call with TargetKind::kFunction calls; else null.
inline ast::Function* CalleeOf(const ast::Call& call) {
  if (TargetOf(call) != TargetKind::kFunction) return nullptr;
  return static_cast<ast::Function*>(const_cast<void*>(call.target));
}
/// Null for lets, consts and parameters.
inline VariableInfo* InfoOf(const ast::Variable& variable) {
  const bool has_info =
      variable.variable_kind == ast::VariableKind::kVar || variable.variable_kind == ast::VariableKind::kOverride;
  return has_info ? static_cast<VariableInfo*>(variable.info) : nullptr;
}
/// Null for what is no parameter or has no attributes.
inline ParamInfo* ParamInfoOf(const ast::Variable& variable) {
  return variable.variable_kind == ast::VariableKind::kParam ? static_cast<ParamInfo*>(variable.info) : nullptr;
}

}  // namespace kiln::wgsl::resolve
