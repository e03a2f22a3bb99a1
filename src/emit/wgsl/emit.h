// SPDX-License-Identifier: Apache-2.0
// From IR to WGSL text in normal form: equal modules give equal bytes; names are kept as far as ir/names.h can; every
// number has its suffix; parentheses stand only where WGSL's grammar needs them. The text parses back to a module that
// prints as the one given.
#pragma once

#include <string>

#include "base/result.h"
#include "diag/sink.h"
#include "ir/module.h"

namespace kiln::emit::wgsl {

/// Fails (code "wgsl-cannot-express") where the module holds what WGSL has no words for: 8-, 16- or 64-bit numbers,
/// explicit offsets and strides that are not its own, input attachments.
Result<std::string> Emit(const ir::Module& module, diag::Sink& sink);

}  // namespace kiln::emit::wgsl
