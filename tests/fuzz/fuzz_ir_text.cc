// SPDX-License-Identifier: Apache-2.0
// The reader of IR text, and the verifier on what it reads. What is verified prints to a text that reads back and
// prints the same.
#include "front_end.h"
#include "ir/parse.h"
#include "ir/print.h"

namespace kiln::fuzz {
namespace {

struct Read {
  explicit Read(std::string_view text) {
    ok = ir::Parse(sources.AddView("fuzz.ir", text), module, sink) && ir::Verify(module, sink);
  }

  Arena arena;
  core::TypeTable types{arena};
  diag::SourceSet sources;
  diag::Sink sink{sources};
  ir::Module module{types};
  bool ok = false;
};

}  // namespace
}  // namespace kiln::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;
  const fuzz::Read first(fuzz::TextOf(data, size));
  if (!first.ok) return 0;
  const std::string text = ir::Print(first.module);
  const fuzz::Read second(text);
  if (!second.ok) fuzz::Finding("printed IR does not read back", second.sink, text);
  if (ir::Print(second.module) != text) fuzz::Finding("printed IR reads back as other IR", second.sink, text);
  return 0;
}
