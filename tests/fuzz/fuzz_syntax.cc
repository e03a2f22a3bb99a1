// SPDX-License-Identifier: Apache-2.0
// Lexer and parser. Tokens stand in the order of the text, inside it, and end with kEnd; a refused text has an error
// that says so.
#include "front_end.h"
#include "wgsl/syntax/lexer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;
  const std::string_view text = fuzz::TextOf(data, size);
  Arena arena;
  NameTable names(wgsl::Words());
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const diag::SourceFile& file = sources.AddView("fuzz.wgsl", text);
  {
    NameTable lexed_names(wgsl::Words());
    const wgsl::Tokens tokens = wgsl::Lex(file, lexed_names);
    uint32_t end = file.base();
    for (uint32_t i = 0; i < tokens.size(); ++i) {
      // The end stands where nothing more could be read, which is before a byte that is no text.
      if (tokens.kind(i) == wgsl::TokenKind::kEnd) break;
      if (tokens.begin(i) < end || tokens.end(i) < tokens.begin(i)) fuzz::Finding("tokens overlap", sink, text);
      end = tokens.end(i);
    }
    if (end > file.base() + text.size()) fuzz::Finding("a token reaches past the text", sink, text);
    if (tokens.size() == 0 || tokens.kind(tokens.size() - 1) != wgsl::TokenKind::kEnd) {
      fuzz::Finding("tokens without an end", sink, text);
    }
  }
  const auto tree = wgsl::Parse(file, names, arena, sink);
  if (!tree && sink.error_count() == 0) fuzz::Finding("refused without an error", sink, text);
  return 0;
}
