// SPDX-License-Identifier: Apache-2.0
// Declarations of the IR: everything that has a name and that an expression or a host can refer to. Each has a dense
// number (`id`), so that what a pass or printer knows about declarations is a vector indexed by it.
// Protection is data here, never a name prefix: `abi` and `opaque` (see Decl).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/constant.h"
#include "core/type.h"
#include "ir/effects.h"
#include "ir/expr.h"
#include "ir/stmt.h"

namespace kiln::ir {

enum class DeclKind : uint8_t { kParam, kLet, kVar, kOverride, kNamedConst, kStruct, kFunction };

struct Decl {
  DeclKind kind;
  /// The host or another stage sees the name or the shape: entry points, bindings, overrides, interface structures.
  /// No pass may rename it, reorder its members or remove it for being unused in the module alone.
  bool abi = false;
  /// No pass may look into the body (functions) or use the value (constants): fold, inline, re-associate.
  bool opaque = false;
  uint32_t id = 0;        // dense, in order of creation; Module::decl_count is the bound
  std::string_view name;  // as written; may be empty or not unique: AssignNames (names.h) makes printable ones
  const core::Type* type = nullptr;
  diag::Range range;

  bool Is(DeclKind k) const { return kind == k; }
  template <typename T>
  T* As() {
    KILN_CHECK(kind == T::kKind);
    return static_cast<T*>(this);
  }
  template <typename T>
  const T* As() const {
    KILN_CHECK(kind == T::kKind);
    return static_cast<const T*>(this);
  }
  template <typename T>
  T* TryAs() {
    return kind == T::kKind ? static_cast<T*>(this) : nullptr;
  }
  template <typename T>
  const T* TryAs() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }
};

/// A formal parameter; `type` is that of the value.
struct Param : Decl {
  static constexpr DeclKind kKind = DeclKind::kParam;
  const core::IoAttributes* io = nullptr;  // parameters of entry points; null for a structure (its members have them)
};

/// A value named by a LetStmt; `type` is that of the value, which may be a pointer or a handle.
struct Let : Decl {
  static constexpr DeclKind kKind = DeclKind::kLet;
};

struct BindingPoint {
  uint32_t group = 0;
  uint32_t binding = 0;
  friend bool operator==(BindingPoint, BindingPoint) = default;
};

/// A variable of a function (in a VarStmt) or of the module; `type` is the pointer type, so it knows the address space,
/// the store type and the access.
struct Var : Decl {
  static constexpr DeclKind kKind = DeclKind::kVar;
  Expr* init = nullptr;  // null: zero; module scope: a constant or override expression
  std::optional<BindingPoint> binding;
};

/// A pipeline-overridable constant; `type` is that of the value.
struct Override : Decl {
  static constexpr DeclKind kKind = DeclKind::kOverride;
  std::optional<uint16_t> override_id;  // @id
  Expr* init = nullptr;                 // null: the host must give a value
};

/// A constant with a name, kept so that printed modules read as they were written. Uses are kConstant expressions.
struct NamedConst : Decl {
  static constexpr DeclKind kKind = DeclKind::kNamedConst;
  const core::Constant* value = nullptr;
};

/// `type` is the structure, which has the members and their attributes.
struct StructDecl : Decl {
  static constexpr DeclKind kKind = DeclKind::kStruct;
  std::span<std::string_view> member_names;  // empty: as in the type; else one a member (a pass renamed them)
  std::span<diag::Range> member_ranges;      // empty: not known; else that of each member's name

  const core::StructType& structure() const { return type->To<core::StructType>(); }
  std::string_view member_name(uint32_t i) const {
    return member_names.empty() ? structure().members[i].name : member_names[i];
  }
  /// That of the structure where the member's own is not known.
  diag::Range member_range(uint32_t i) const { return member_ranges.empty() ? range : member_ranges[i]; }
};

struct EntryPoint {
  core::Stage stage = core::Stage::kCompute;
  /// Compute: three constant or override expressions of type i32 or u32; else null.
  std::array<Expr*, 3> workgroup_size = {};
  Expr* subgroup_size = nullptr;  // @subgroup_size, or null
};

/// `type` is that of the result, void without one.
struct Function : Decl {
  static constexpr DeclKind kKind = DeclKind::kFunction;
  std::span<Param*> params;
  Block body;
  EntryPoint* entry = nullptr;                    // null: not an entry point
  const core::IoAttributes* result_io = nullptr;  // entry points whose result is no structure
  bool must_use = false;
  /// What a call may do, callees included; right after ComputeEffects (effects.h) until the next change of the module.
  Effects effects;
};

}  // namespace kiln::ir
