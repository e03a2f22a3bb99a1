// SPDX-License-Identifier: Apache-2.0
// Runs one compute pipeline on the first Vulkan device (in tests: lavapipe) and gives its buffers back.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::testing {

struct GpuBuffer {
  uint32_t group = 0;
  uint32_t binding = 0;
  bool is_uniform = false;
  uint64_t offset = 0;         // of the binding in the buffer
  uint64_t origin = 0;         // for the caller: from where its own offsets count
  uint64_t size = 0;           // of the binding
  std::vector<uint8_t> bytes;  // the whole buffer: what is in it before, and after
};

/// A 2D texture of four floats a texel, to sample and load from.
struct GpuImage {
  uint32_t group = 0;
  uint32_t binding = 0;
  uint32_t width = 1, height = 1;
  std::vector<float> texels;  // rows from the top
};

/// Nearest, clamped to the edge.
struct GpuSampler {
  uint32_t group = 0;
  uint32_t binding = 0;
};

class VulkanCompute {
 public:
  VulkanCompute();
  ~VulkanCompute();
  VulkanCompute(const VulkanCompute&) = delete;
  VulkanCompute& operator=(const VulkanCompute&) = delete;

  /// Why there is no device; empty if there is one.
  const std::string& error() const { return error_; }
  const std::string& device_name() const { return device_name_; }

  /// Empty if all went well; else what failed. Waits at most five minutes.
  std::string Run(const std::vector<uint32_t>& spirv, const std::string& entry_point,
                  std::array<uint32_t, 3> workgroups, std::vector<GpuBuffer>& buffers,
                  const std::vector<GpuImage>& images = {}, const std::vector<GpuSampler>& samplers = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string error_;
  std::string device_name_;
};

}  // namespace kiln::testing
