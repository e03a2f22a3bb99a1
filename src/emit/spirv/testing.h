// SPDX-License-Identifier: Apache-2.0
// For tests of what the emitter makes: spirv-val, and how often an instruction stands in a module.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "emit/spirv/spv.h"

namespace kiln::emit::spirv {

/// Whether spirv-val is there.
inline bool HasValidator() {
  static const bool has = std::system("spirv-val --version > /dev/null 2>&1") == 0;
  return has;
}

/// What spirv-val says of the module; empty if it is valid. `has_standard_layout`: the device has
/// uniformBufferStandardLayout, which WGSL's language feature uniform_buffer_standard_layout needs.
inline std::string Validate(const std::vector<uint32_t>& words, bool has_standard_layout = true) {
  char path[] = "/tmp/kiln-spirv-XXXXXX";
  const int file = mkstemp(path);
  std::FILE* out = fdopen(file, "wb");
  std::fwrite(words.data(), sizeof(uint32_t), words.size(), out);
  std::fclose(out);
  const char* environment = words[1] >= 0x00010600   ? "vulkan1.3"
                            : words[1] >= 0x00010500 ? "vulkan1.2"
                            : words[1] >= 0x00010400 ? "vulkan1.1spv1.4"
                                                     : "vulkan1.1";
  const std::string command = std::string("spirv-val --target-env ") + environment +
                              (has_standard_layout ? " --uniform-buffer-standard-layout " : " ") + path + " 2>&1";
  std::string said;
  std::FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 512> buffer;
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) said += buffer.data();
  const int status = pclose(pipe);
  std::remove(path);
  return status == 0 ? "" : said.empty() ? "spirv-val failed" : said;
}

/// How often an instruction stands in the module.
inline size_t Count(const std::vector<uint32_t>& words, spv::Op op) {
  size_t count = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == static_cast<uint32_t>(op)) ++count;
  }
  return count;
}

}  // namespace kiln::emit::spirv
