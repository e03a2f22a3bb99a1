// SPDX-License-Identifier: Apache-2.0
// The text form of the IR (docs/ir.md): what tests compare and people read. ParseModule (parse.h) reads it back to an
// equal module; ranges are not printed.
#pragma once

#include <string>

#include "ir/module.h"

namespace kiln::ir {

/// The whole module. Works on any module, also on one that Verify refuses.
std::string Print(const Module& module);

/// A scalar as the text form and WGSL write it, with its suffix: "1i", "2.5f", "-1e-10h", "true".
void AppendScalar(std::string& out, const core::Type* type, core::Scalar64 value);

}  // namespace kiln::ir
