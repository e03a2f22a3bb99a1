// SPDX-License-Identifier: Apache-2.0
// From syntax tree to meaning: names, types, constants, phases. Resolve annotates the tree (info.h says how) and checks
// every rule that concerns one expression, statement or declaration: scopes, types, conversions, early evaluation,
// attributes and their arguments, address spaces, layout. Rules about whole functions and interfaces (behaviours,
// uniformity, aliasing, what an entry point takes and returns, resources) are validate's.
//
//   const auto info = resolve::Resolve(*module, names, types, arena, sink, {});
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "base/result.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "wgsl/resolve/info.h"
#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::resolve {

struct Options {
  /// What may be enabled. All by default.
  core::ExtensionSet extensions{~0u};
  /// What is there without being asked for. All by default.
  core::LanguageFeatureSet features{~0u};
};

/// Goes on after an error and reports one message a mistake; fails at its end if there was one. The tree, the names and
/// the result live as long as `arena`. Call it once for a tree.
Result<ModuleInfo*> Resolve(ast::Module& module, const NameTable& names, core::TypeTable& types, Arena& arena,
                            diag::Sink& sink, const Options& options);

}  // namespace kiln::wgsl::resolve
