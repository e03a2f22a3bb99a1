// SPDX-License-Identifier: Apache-2.0
// spirv-val in this process, of the SPIRV-Tools that the runner is linked with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv-tools/libspirv.h"

namespace kiln::conformance {

class Validator {
 public:
  /// For SPIR-V of this version (as in the header word), in the Vulkan that takes it.
  explicit Validator(uint32_t version);
  ~Validator();
  Validator(const Validator&) = delete;
  Validator& operator=(const Validator&) = delete;

  /// Empty if the module is valid. One without entry points is no Vulkan shader (it declares Linkage, which is no
  /// capability of Vulkan) and must be valid SPIR-V of the version, no more.
  std::string Check(const std::vector<uint32_t>& words);

  /// As "v2025.5".
  static std::string ToolVersion();

 private:
  spv_context vulkan_;
  spv_context universal_;
  spv_validator_options options_;
};

}  // namespace kiln::conformance
