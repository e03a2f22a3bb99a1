// SPDX-License-Identifier: Apache-2.0
#include "api/entry_points.h"

#include "wgsl/syntax/parse.h"

namespace kiln::api {

std::vector<EntryPointName> ListEntryPoints(std::string_view text) {
  namespace ast = wgsl::ast;
  Arena arena;
  NameTable names(wgsl::Words());
  diag::SourceSet sources;
  diag::Sink sink(sources);
  std::vector<EntryPointName> entries;
  const auto tree = wgsl::Parse(sources.AddView("", text), names, arena, sink);
  if (!tree) return entries;
  for (const ast::Node* node : (*tree)->decls) {
    const auto* function = node->TryAs<ast::Function>();
    if (function == nullptr) continue;
    const auto add = [&](ast::AttributeKind kind, core::Stage stage) {
      if (ast::Find(function->attributes, kind) == nullptr) return;
      entries.push_back({std::string(names.Text(function->name)), stage});
    };
    add(ast::AttributeKind::kVertex, core::Stage::kVertex);
    add(ast::AttributeKind::kFragment, core::Stage::kFragment);
    add(ast::AttributeKind::kCompute, core::Stage::kCompute);
  }
  return entries;
}

}  // namespace kiln::api
