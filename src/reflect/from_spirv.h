// SPDX-License-Identifier: Apache-2.0
// Reads reflection out of a SPIR-V binary, without any compiler's help: the same facts whichever toolchain made the
// module, at no start-up cost. Any bytes may be given; what is not well-formed SPIR-V is an error (spirv-malformed),
// never a crash. It does not validate beyond what it needs to read.
#pragma once

#include <string_view>

#include "base/result.h"
#include "diag/sink.h"
#include "reflect/reflection.h"

namespace kiln::reflect {

/// `bytes` is a SPIR-V module of either byte order.
Result<Module> FromSpirv(std::string_view bytes, diag::Sink& sink);

}  // namespace kiln::reflect
