// SPDX-License-Identifier: Apache-2.0
// Whether a target language can say what an entry point needs. SPIRV-Cross would say that it cannot in words about its
// own SPIR-V, or make a text that no driver takes; the IR knows where in the author's file each thing stands.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "diag/sink.h"
#include "ir/module.h"
#include "target/target.h"

namespace kiln::target {

/// Reports for each feature that an entry point (one of `entries`; empty: all) reaches and the target lacks its first
/// place, the reason and what to do. Fails if there was one.
Result<Done> CheckTarget(const ir::Module& module, std::span<const std::string> entries, const Target& target,
                         diag::Sink& sink);

}  // namespace kiln::target
