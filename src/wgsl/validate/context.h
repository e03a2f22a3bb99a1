// SPDX-License-Identifier: Apache-2.0
// What every family of rules gets; private to wgsl/validate. A family is a function over the context in its own file;
// validate.cc calls them in order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/names.h"
#include "diag/sink.h"
#include "wgsl/resolve/info.h"
#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::validate {

/// What the first walk over the bodies finds out about a function, by FunctionInfo::index.
struct FunctionFacts {
  /// The first `discard` in its body; unknown without.
  diag::Range discard;
  /// One more than the greatest Variable::slot of its parameters and local variables.
  uint32_t slots = 1;
  /// Of all built-in functions that it calls: what they do, and the stages that allow all of them.
  core::EffectSet builtin_effects;
  core::StageSet builtin_stages = core::StageSet::All();
  /// Bytes of its variables, and the one that goes past the limit.
  uint64_t memory = 0;
  const ast::Variable* past_memory = nullptr;
};

struct Context {
  const resolve::ModuleInfo& module;
  const NameTable& names;
  Arena& arena;
  diag::Sink& sink;
  std::vector<FunctionFacts> facts;

  std::string_view Text(Name name) const { return names.Text(name); }
  std::string Quoted(Name name) const { return "'" + std::string(names.Text(name)) + "'"; }
};

/// behavior.cc: https://www.w3.org/TR/WGSL/#behaviors. Sets Stmt::behavior of every statement and fills the facts; the
/// uniformity analysis needs both.
void AnalyzeBehaviors(Context& context);
/// filters.cc: https://www.w3.org/TR/WGSL/#diagnostic-filtering
void CheckDiagnosticFilters(Context& context);
/// entry_points.cc, io.cc: https://www.w3.org/TR/WGSL/#entry-point-decl
void CheckEntryPoints(Context& context);
/// resources.cc: https://www.w3.org/TR/WGSL/#resource-interface
void CheckResources(Context& context);
/// memory.cc: https://www.w3.org/TR/WGSL/#limits
void CheckMemory(Context& context);
/// stages.cc: what may be called and accessed in which stage.
void CheckStages(Context& context);
/// alias.cc: https://www.w3.org/TR/WGSL/#alias-analysis
void CheckAliasing(Context& context);
/// uniformity.cc: https://www.w3.org/TR/WGSL/#uniformity
void CheckUniformity(Context& context);

}  // namespace kiln::wgsl::validate
