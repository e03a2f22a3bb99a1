// SPDX-License-Identifier: Apache-2.0
// Versions come from cmake/toolchains.cmake, which asks the package or the prefix.
#include <algorithm>

#include "adapter_revision.h"
#include "toolchain/adapter/operation.h"

namespace kiln::toolchain {

worker::Identity SetIdentity() {
  worker::Identity identity;
  identity.set = KILN_SET_NAME;
  identity.adapter_revision = KILN_ADAPTER_REVISION;
  identity.toolchains = {{"glslang", KILN_GLSLANG_VERSION},
                         {"spirv-cross", KILN_SPIRV_CROSS_VERSION},
                         {"spirv-tools", KILN_SPIRV_TOOLS_VERSION}};
  for (const Operation* operation : AllOperations()) identity.operations.emplace_back(operation->name);
  std::sort(identity.operations.begin(), identity.operations.end());
  return identity;
}

}  // namespace kiln::toolchain
