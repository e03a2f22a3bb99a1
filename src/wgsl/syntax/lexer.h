// SPDX-License-Identifier: Apache-2.0
// From text to tokens, in one pass and linear time: blankspace and comments are dropped, names interned, keywords told
// apart, and template lists discovered (WGSL #template-list-discovery), so that `<` and `>` come out as what they are.
// Faults become kError tokens; the parser reports those it meets.
#pragma once

#include "base/names.h"
#include "diag/source.h"
#include "wgsl/syntax/token.h"

namespace kiln::wgsl {

/// The text of `file` must outlive `names`.
Tokens Lex(const diag::SourceFile& file, NameTable& names);

}  // namespace kiln::wgsl
