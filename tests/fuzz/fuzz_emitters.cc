// SPDX-License-Identifier: Apache-2.0
// WGSL text to everything that is emitted in this process. WGSL that was emitted is accepted, and is in normal form:
// what it becomes is itself.
#include "emit/spirv/emit.h"
#include "emit/wgsl/emit.h"
#include "front_end.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;
  fuzz::FrontEnd first(fuzz::TextOf(data, size));
  if (!first.module) return 0;
  for (const uint32_t version : {0x00010300u, 0x00010600u}) {
    emit::spirv::Options options;
    options.version = version;
    (void)emit::spirv::Emit(*first.module, options, first.sink);
  }
  using emit::spirv::BlockRules;
  for (const BlockRules rules : {BlockRules::kGl, BlockRules::kHlsl}) {
    emit::spirv::Options options;
    options.block_rules = rules;
    (void)emit::spirv::Emit(*first.module, options, first.sink);
  }
  const auto text = emit::wgsl::Emit(*first.module, first.sink);
  if (!text) return 0;
  fuzz::FrontEnd second(*text);
  if (!second.module) fuzz::Finding("emitted WGSL is refused", second.sink, *text);
  const auto again = emit::wgsl::Emit(*second.module, second.sink);
  if (!again || *again != *text) fuzz::Finding("emitted WGSL is not in normal form", second.sink, *text);
  return 0;
}
