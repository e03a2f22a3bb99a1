// SPDX-License-Identifier: Apache-2.0
// WGSL text to verified IR.
#include "front_end.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;
  const std::string_view text = fuzz::TextOf(data, size);
  const fuzz::FrontEnd front(text);
  if (!front.module && front.sink.error_count() == 0) fuzz::Finding("refused without an error", front.sink, text);
  return 0;
}
