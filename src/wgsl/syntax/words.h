// SPDX-License-Identifier: Apache-2.0
// The words of WGSL as names with fixed numbers: in every NameTable made from Words(), the spelling "f32" has the
// number Word::kF32, so code can `switch (ToWord(name))`. A user's own names are Word::kNone there.
#pragma once

#include "base/check.h"
#include "base/names.h"

namespace kiln::wgsl {

enum class Word : uint32_t {
  kNone = 0,
#define KILN_WORD(name, text) name,
#include "wgsl/syntax/words.def"
  kEnd,
};

inline constexpr Word kLastKeyword = Word::kWhile;
inline constexpr Word kLastReservedWord = Word::kYield;

/// The seed for the name table of a compilation; built at the first call, shared, immutable.
const NameSeed& Words();

constexpr Word ToWord(Name name) { return name.id < static_cast<uint32_t>(Word::kEnd) ? Word{name.id} : Word::kNone; }
constexpr Name ToName(Word word) { return {static_cast<uint32_t>(word)}; }
std::string_view WordText(Word word);

constexpr bool IsKeyword(Name name) { return name.id != 0 && name.id <= static_cast<uint32_t>(kLastKeyword); }
constexpr bool IsReservedWord(Name name) {
  return name.id > static_cast<uint32_t>(kLastKeyword) && name.id <= static_cast<uint32_t>(kLastReservedWord);
}

}  // namespace kiln::wgsl
