// SPDX-License-Identifier: Apache-2.0
#include "validator.h"

namespace kiln::conformance {
namespace {

constexpr size_t kHeaderWords = 5;
constexpr uint32_t kOpCapability = 17, kLinkage = 5;

bool DeclaresLinkage(const std::vector<uint32_t>& words) {
  for (size_t at = kHeaderWords; at + 1 < words.size() && (words[at] & 0xFFFF) == kOpCapability;
       at += words[at] >> 16) {
    if (words[at + 1] == kLinkage) return true;
  }
  return false;
}

}  // namespace

Validator::Validator(uint32_t version)
    : vulkan_(spvContextCreate(version >= 0x00010600   ? SPV_ENV_VULKAN_1_3
                               : version >= 0x00010500 ? SPV_ENV_VULKAN_1_2
                               : version >= 0x00010400 ? SPV_ENV_VULKAN_1_1_SPIRV_1_4
                                                       : SPV_ENV_VULKAN_1_1)),
      universal_(spvContextCreate(version >= 0x00010600   ? SPV_ENV_UNIVERSAL_1_6
                                  : version >= 0x00010500 ? SPV_ENV_UNIVERSAL_1_5
                                  : version >= 0x00010400 ? SPV_ENV_UNIVERSAL_1_4
                                                          : SPV_ENV_UNIVERSAL_1_3)),
      options_(spvValidatorOptionsCreate()) {
  // WGSL lays uniform buffers out as storage buffers (uniform_buffer_standard_layout); Vulkan 1.2 can do that.
  spvValidatorOptionsSetUniformBufferStandardLayout(options_, true);
}

Validator::~Validator() {
  spvValidatorOptionsDestroy(options_);
  spvContextDestroy(universal_);
  spvContextDestroy(vulkan_);
}

std::string Validator::Check(const std::vector<uint32_t>& words) {
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  const spv_context context = DeclaresLinkage(words) ? universal_ : vulkan_;
  const spv_result_t result = spvValidateWithOptions(context, options_, &binary, &diagnostic);
  std::string said;
  if (result != SPV_SUCCESS) said = std::string("spirv-val: ") + (diagnostic != nullptr ? diagnostic->error : "?");
  spvDiagnosticDestroy(diagnostic);
  return said;
}

std::string Validator::ToolVersion() { return spvSoftwareVersionString(); }

}  // namespace kiln::conformance
