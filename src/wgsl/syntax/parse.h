// SPDX-License-Identifier: Apache-2.0
// From text to syntax tree: lexing, template-list discovery and recursive descent by the WGSL grammar.
//
//   Arena arena; NameTable names(wgsl::Words()); diag::SourceSet sources; diag::Sink sink(sources);
//   const diag::SourceFile& file = sources.Add("a.wgsl", text);
//   Result<ast::Module*> module = wgsl::Parse(file, names, arena, sink);
//
// The parser goes on after an error and reports one message a mistake. The tree lives as long as the arena; the text
// of `file` must live as long as `names`.
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "base/result.h"
#include "diag/sink.h"
#include "diag/source.h"
#include "wgsl/syntax/ast.h"
#include "wgsl/syntax/words.h"

namespace kiln::wgsl {

/// What a tree cannot exceed, so that recursion over it needs a bounded stack (512 KiB is enough). Past a limit: an
/// error with the code "nesting-too-deep".
inline constexpr int kMaxExpressionDepth = 512;  // height of an expression tree, template arguments included
inline constexpr int kMaxNesting = 256;         // parentheses, brackets, template lists, unary operators in one another
inline constexpr int kMaxStatementDepth = 127;  // brace-enclosed statements in a function (WGSL #limits)
inline constexpr int kMaxElseIfs = 512;         // arms of one If
inline constexpr int kMaxErrors = 100;          // syntax errors after which the parser gives up

/// Fails where the text has an error of syntax; all are reported. `names` was made from Words().
Result<ast::Module*> Parse(const diag::SourceFile& file, NameTable& names, Arena& arena, diag::Sink& sink);

}  // namespace kiln::wgsl
