// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/parse.h"

#include "wgsl/syntax/lexer.h"
#include "wgsl/syntax/parser.h"

namespace kiln::wgsl {

Result<ast::Module*> Parse(const diag::SourceFile& file, NameTable& names, Arena& arena, diag::Sink& sink) {
  Tokens tokens = Lex(file, names);
  Parser parser(tokens, file, names, arena, sink);
  ast::Module* module = parser.translation_unit();
  if (parser.has_errors()) return sink.FailedBecauseReported();
  return module;
}

}  // namespace kiln::wgsl
