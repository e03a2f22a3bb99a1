// SPDX-License-Identifier: Apache-2.0
// One shader module in Kiln's intermediate representation, explained as a language in docs/ir.md. A front end makes it
// (wgsl/lower, the text parser, the SPIR-V reader, the DSL), passes change it in place, emitters and reflection read
// it. Everything in it lives in `arena`; types and constants live in the core stores that it refers to.
// What always holds is what Verify (verify.h) checks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "core/type_table.h"
#include "ir/decl.h"
#include "ir/expr.h"
#include "ir/stmt.h"

namespace kiln::ir {

/// The count of override-sized arrays (or size of override-sized buffers). Types with the same `count` are the same.
struct Count {
  const core::OverrideCount* count = nullptr;  // its `lowered` leads back here
  Expr* value = nullptr;                       // an override expression of type i32 or u32
};
inline const Count& CountOf(const core::OverrideCount& count) {
  KILN_CHECK(count.lowered != nullptr);
  return *static_cast<const Count*>(count.lowered);
}

struct Module {
  /// `core_types` outlives the module.
  explicit Module(core::TypeTable& core_types) : types(core_types) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  core::TypeTable& types;
  Arena arena;

  // Each in the order of the source; there is no order that a module must keep.
  std::vector<StructDecl*> structs;
  std::vector<NamedConst*> consts;
  std::vector<Override*> overrides;
  std::vector<Var*> vars;
  std::vector<Function*> functions;

  std::vector<Count*> counts;

  core::ExtensionSet enables;
  core::LanguageFeatureSet requirements;
  std::vector<DiagnosticFilter> diagnostics;  // of the whole module; blocks have their own

  /// One more than the greatest Decl::id.
  uint32_t decl_count = 0;

  Function* FindFunction(std::string_view name) const;
};

}  // namespace kiln::ir
