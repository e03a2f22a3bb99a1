// SPDX-License-Identifier: Apache-2.0
#include "run_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "run/testing.h"

namespace kiln::conformance {

namespace {

/// The first output that differs, in words; empty if all are equal.
std::string Compare(const json::Value& outputs, const std::vector<BufferName>& skipped,
                    const std::vector<testing::GpuBuffer>& buffers) {
  for (const json::Value* output : outputs.elements) {
    const auto group = output->Find("group")->AsUint().value_or(0);
    const auto binding = output->Find("binding")->AsUint().value_or(0);
    const std::string_view type = output->Find("type")->AsString().value_or("");
    const auto is_it = [&](const BufferName& name) { return name.first == group && name.second == binding; };
    if (std::any_of(skipped.begin(), skipped.end(), is_it)) continue;
    bool is_there = false;
    // Relative to the binding: negative where the test looks at what lies around it.
    const int64_t offset = output->Find("offset")->AsInt().value_or(0);
    for (const testing::GpuBuffer& buffer : buffers) {
      if (buffer.group != group || buffer.binding != binding) continue;
      is_there = true;
      size_t at = static_cast<size_t>(static_cast<int64_t>(buffer.origin) + offset);
      size_t index = 0;
      // What goes through pow is not exact anywhere.
      const json::Value* tolerated = output->Find("tolerance");
      const double tolerance = tolerated != nullptr ? run::NumberOf(*tolerated) : 0;
      for (const json::Value* expected : output->Find("values")->elements) {
        const double want = run::NumberOf(*expected);
        if (at + run::ElementSize(type) > buffer.bytes.size()) return "the buffer is too short for its output";
        const double got = run::ElementAt(type, buffer.bytes.data() + at);
        const bool is_equal = want == got || std::abs(want - got) <= tolerance || (std::isnan(want) && std::isnan(got));
        if (!is_equal) {
          char text[160];
          std::snprintf(text, sizeof text, "group %u binding %u %.*s[%zu]: expected %.9g, got %.9g",
                        static_cast<unsigned>(group), static_cast<unsigned>(binding), static_cast<int>(type.size()),
                        type.data(), index, want, got);
          return text;
        }
        at += run::ElementSize(type);
        ++index;
      }
    }
    if (!is_there) return "an output is in no buffer of the row";
  }
  return "";
}

}  // namespace

std::string RunRow(const json::Value& row, const Program& program, const std::vector<BufferName>& skipped,
                   testing::VulkanCompute& vulkan) {
  std::vector<testing::GpuBuffer> buffers;
  for (const json::Value* item : row.Find("buffers")->elements) {
    testing::GpuBuffer buffer;
    buffer.group = static_cast<uint32_t>(item->Find("group")->AsUint().value_or(0));
    buffer.binding = static_cast<uint32_t>(item->Find("binding")->AsUint().value_or(0));
    buffer.origin = item->Find("offset")->AsUint().value_or(0);
    buffer.size = item->Find("size")->AsUint().value_or(0);
    const auto words = item->Find("words")->elements;
    // What lies behind the binding is in the buffer as far as an output looks at it.
    size_t bytes = std::max<size_t>(buffer.origin + buffer.size, words.size() * 4);
    buffer.offset = buffer.origin;
    int64_t seen = 0;
    for (const json::Value* output : row.Find("outputs")->elements) {
      if (output->Find("group")->AsUint() != buffer.group || output->Find("binding")->AsUint() != buffer.binding)
        continue;
      const int64_t begin = output->Find("offset")->AsInt().value_or(0);
      const auto length = static_cast<int64_t>(output->Find("values")->elements.size() *
                                               run::ElementSize(*output->Find("type")->AsString()));
      // Some rows were bound with a dynamic offset, which they do not carry: the outputs then look at what lies before
      // and behind, and leave out just the binding.
      if (begin == seen + static_cast<int64_t>(buffer.size) && seen > 0 && buffer.origin == 0) {
        buffer.offset = static_cast<uint64_t>(seen);
      }
      seen = begin + length;
      bytes = std::max<size_t>(bytes, static_cast<size_t>(static_cast<int64_t>(buffer.origin) + begin + length));
    }
    buffer.bytes.resize(bytes);
    size_t at = 0;
    for (const json::Value* word : words) {
      const auto bits = static_cast<uint32_t>(word->AsUint().value_or(0));
      if (at + 4 <= buffer.bytes.size()) std::memcpy(buffer.bytes.data() + at, &bits, 4);
      at += 4;
    }
    // A buffer that the emitter adds says so itself; it is none of the module.
    if (const json::Value* is_uniform = item->Find("uniform")) buffer.is_uniform = is_uniform->AsBool().value_or(false);
    for (const auto& [group, binding] : program.uniforms) {
      buffer.is_uniform = buffer.is_uniform || (group == buffer.group && binding == buffer.binding);
    }
    buffers.push_back(std::move(buffer));
  }
  const auto place = [](const json::Value& item, auto& to) {
    to.group = static_cast<uint32_t>(item.Find("group")->AsUint().value_or(0));
    to.binding = static_cast<uint32_t>(item.Find("binding")->AsUint().value_or(0));
  };
  std::vector<testing::GpuImage> images;
  if (const json::Value* textures = row.Find("textures")) {
    for (const json::Value* item : textures->elements) {
      testing::GpuImage& image = images.emplace_back();
      place(*item, image);
      image.width = static_cast<uint32_t>(item->Find("width")->AsUint().value_or(1));
      image.height = static_cast<uint32_t>(item->Find("height")->AsUint().value_or(1));
      for (const json::Value* texel : item->Find("texels")->elements) {
        image.texels.push_back(static_cast<float>(run::NumberOf(*texel)));
      }
    }
  }
  std::vector<testing::GpuSampler> samplers;
  if (const json::Value* list = row.Find("samplers")) {
    for (const json::Value* item : list->elements) place(*item, samplers.emplace_back());
  }
  std::array<uint32_t, 3> groups = {1, 1, 1};
  const json::Value* dispatch = row.Find("dispatch");
  for (size_t i = 0; i < dispatch->elements.size() && i < 3; ++i) {
    groups[i] = static_cast<uint32_t>(dispatch->elements[i]->AsUint().value_or(1));
  }
  const std::string error = vulkan.Run(program.spirv, program.entry_point, groups, buffers, images, samplers);
  if (!error.empty()) return "vulkan: " + error;
  return Compare(*row.Find("outputs"), skipped, buffers);
}

}  // namespace kiln::conformance
