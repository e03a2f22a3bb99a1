// SPDX-License-Identifier: Apache-2.0
// Pipeline creation: gives overrides their values and evaluates the override-expressions that an entry point uses, as
// https://www.w3.org/TR/WGSL/#override-expr says. What comes out wrong is an error of pipeline creation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/names.h"
#include "base/result.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "wgsl/resolve/info.h"

namespace kiln::wgsl::resolve {

struct OverrideValue {
  /// The @id in decimal digits where the override has one, else its name.
  std::string_view key;
  double value = 0;
  /// As it was written, for messages; "true" and "false" are for bool only. Empty: `value` says it.
  std::string_view text = {};
};

/// The limits of a device that pipeline creation checks; WebGPU's default ones.
struct PipelineLimits {
  uint32_t workgroup_size[3] = {256, 256, 64};
  uint32_t workgroup_invocations = 256;
  uint32_t workgroup_storage_bytes = 16384;
  uint32_t subgroup_min_size = 4;
  uint32_t subgroup_max_size = 128;
};

struct Pipeline {
  /// Empty: the only entry point.
  std::string_view entry_point;
  std::span<const OverrideValue> overrides;
  PipelineLimits limits;
  /// A value that the override's type does not have, as 2.5 for an i32 or 2 for a bool, is an error; else it is
  /// converted as WebGPU does.
  bool wants_exact = false;
};

/// Sets Expr::value of the override-expressions that the entry point uses, and Variable::value of the overrides;
/// returns the entry point. `info` is what Resolve gave. Call it once for a tree.
Result<FunctionInfo*> Specialize(ModuleInfo& info, const NameTable& names, core::TypeTable& types, Arena& arena,
                                 diag::Sink& sink, const Pipeline& pipeline);

}  // namespace kiln::wgsl::resolve
