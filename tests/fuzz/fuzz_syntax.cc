// SPDX-License-Identifier: Apache-2.0
// Lexer and parser. A refused text has an error that says so.
#include "front_end.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;
  const std::string_view text = fuzz::TextOf(data, size);
  Arena arena;
  NameTable names(wgsl::Words());
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const auto tree = wgsl::Parse(sources.AddView("fuzz.wgsl", text), names, arena, sink);
  if (!tree && sink.error_count() == 0) fuzz::Finding("refused without an error", sink, text);
  return 0;
}
