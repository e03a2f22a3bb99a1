// SPDX-License-Identifier: Apache-2.0
// One-line checks of the front end up to the resolver, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/names.h"
#include "core/constant.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/resolve/specialize.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/syntax/words.h"

namespace kiln::wgsl::resolve {

/// A module with everything that it lives in.
struct Resolved {
  explicit Resolved(std::string text, const Options& options = {})
      : names(Words()), sink(sources), types(arena), source(std::move(text)) {
    auto parsed = Parse(sources.AddView("t.wgsl", source), names, arena, sink);
    if (!parsed) return;
    module = *parsed;
    auto resolved = Resolve(*module, names, types, arena, sink, options);
    if (resolved) info = *resolved;
  }

  /// "line:column code" of each error, in order, with spaces between.
  std::string Errors() const {
    std::string all;
    for (const diag::Diagnostic& diagnostic : sink.diagnostics()) {
      if (diagnostic.severity != diag::Severity::kError) continue;
      if (!all.empty()) all += ' ';
      all += std::to_string(diagnostic.location.begin.line) + ':' + std::to_string(diagnostic.location.begin.column) +
             ' ' + diagnostic.code;
    }
    return all;
  }
  /// "abstract-int 3", "vec2<f32> (1 2.5)".
  std::string Text(const core::Constant* value) { return core::TypeName(value->type) + ' ' + Digits(value); }
  std::string Digits(const core::Constant* value) {
    if (value->type->is_float_scalar()) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.9g", value->f());
      return digits;
    }
    if (value->type->Is(core::TypeKind::kBool)) return value->b() ? "true" : "false";
    if (value->type->is_scalar()) return std::to_string(value->i());
    std::string all;
    for (uint32_t i = 0; i < core::ElementCountOf(value->type); ++i) {
      all += (i == 0 ? "(" : " ") + Digits(value->Element(arena, i));
    }
    return all + ")";
  }
  FunctionInfo* Function(std::string_view name) const {
    for (FunctionInfo* function : info->functions) {
      if (names.Text(function->decl->name) == name) return function;
    }
    return nullptr;
  }
  ast::Variable* Global(std::string_view name) const {
    for (ast::Variable* variable : info->globals) {
      if (names.Text(variable->name) == name) return variable;
    }
    return nullptr;
  }

  Arena arena;
  NameTable names;
  diag::SourceSet sources;
  diag::Sink sink;
  core::TypeTable types;
  std::string source;
  ast::Module* module = nullptr;
  ModuleInfo* info = nullptr;
};

inline void ExpectResolves(const std::string& source) {
  const Resolved module(source);
  EXPECT_EQ(module.Errors(), "") << source.substr(0, 500) << "\n"
                                 << (module.sink.diagnostics().empty() ? ""
                                                                       : module.sink.diagnostics().front().message);
}
/// `errors` as Resolved::Errors gives them.
inline void ExpectErrors(const std::string& source, const std::string& errors) {
  const Resolved module(source);
  EXPECT_EQ(module.Errors(), errors) << source.substr(0, 500);
}

}  // namespace kiln::wgsl::resolve
