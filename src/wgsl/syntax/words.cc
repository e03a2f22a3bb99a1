// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/words.h"

namespace kiln::wgsl {
namespace {

constexpr std::string_view kTexts[] = {
#define KILN_WORD(name, text) text,
#include "wgsl/syntax/words.def"
};

}  // namespace

const NameSeed& Words() {
  static const NameSeed seed(kTexts);
  return seed;
}

std::string_view WordText(Word word) {
  KILN_CHECK(word != Word::kNone && word < Word::kEnd);
  return kTexts[static_cast<uint32_t>(word) - 1];
}

}  // namespace kiln::wgsl
