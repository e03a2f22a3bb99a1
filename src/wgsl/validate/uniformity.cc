// SPDX-License-Identifier: Apache-2.0
#include "wgsl/validate/context.h"

namespace kiln::wgsl::validate {

void CheckUniformity(Context&) {}

}  // namespace kiln::wgsl::validate
