// SPDX-License-Identifier: Apache-2.0
// Which buffers a Metal text asks for their length. Metal does not know it, so SPIRV-Cross takes an array of sizes from
// the host: at index N how many bytes the buffer has that is bound in slot N (or has id N, in an argument buffer, whose
// set then has an array of its own). Its C interface says that there is such an array, and no more.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace kiln::toolchain {

struct BufferSizes {
  /// Descriptor set, with argument buffers, and index.
  std::set<std::pair<std::optional<uint32_t>, uint32_t>> asked;
  /// With argument buffers: where in that of a set its array of sizes is.
  std::map<uint32_t, uint32_t> ids;
};

BufferSizes FindBufferSizes(std::string_view text);

}  // namespace kiln::toolchain
