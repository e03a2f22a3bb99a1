// SPDX-License-Identifier: Apache-2.0
// SPIR-V as text that a C compiler takes, in the forms of other compilers.
#pragma once

#include <string>
#include <string_view>

namespace kiln::build {

enum class WordForm : uint8_t {
  kBytes,    // as it is
  kNumbers,  // 0x07230203,0x00010000,...
  kBraces,   // {0x07230203,...}
  kArray,    // const uint32_t NAME[] = {...};
};

struct WordOptions {
  WordForm form = WordForm::kBytes;
  std::string name = {};  // of kArray
};

/// `bytes` is SPIR-V, in the byte order that its first word tells.
std::string WordText(std::string_view bytes, const WordOptions& options);

}  // namespace kiln::build
