// SPDX-License-Identifier: Apache-2.0
// One WGSL text through the whole compiler, for execute_main.cc.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kiln::conformance {

struct ProgramRequest {
  std::string code;
  std::string entry_point;  // empty: the only one
  std::vector<std::pair<std::string, double>> constants;
  bool specialize = false;       // lower for one entry point, with override values put in
  bool round_trip = false;       // WGSL -> IR -> WGSL -> IR -> SPIR-V
  bool external_planes = false;  // emit::spirv::ExternalTextures::kPlanes
  uint32_t version = 0x00010300;
  std::string block_rules;  // "", "gl", "hlsl": emit::spirv::Options::block_rules
};

struct Program {
  std::vector<uint32_t> spirv;
  std::string entry_point;
  std::string wgsl;                                     // of the round trip
  std::vector<std::pair<uint32_t, uint32_t>> uniforms;  // group, binding
};

/// Empty if all went well; else the first error.
std::string Compile(const ProgramRequest& request, Program& program);

}  // namespace kiln::conformance
