// SPDX-License-Identifier: Apache-2.0
// The value of an expression, where it is known before the shader runs: constants, overrides with values, and what is
// computed from them. Exactly the evaluation of WGSL's const-expressions (core/eval.h); no new rules.
#pragma once

#include <functional>

#include "ir/module.h"

namespace kiln::ir {

/// What an override is worth; null where that is not known.
using OverrideValues = std::function<const core::Constant*(const Override&)>;

/// Null where the value is not known, or where its evaluation is an error. `expr` itself is not changed.
const core::Constant* Evaluate(core::TypeTable& types, const Expr& expr, const OverrideValues& overrides);

/// As above with the defaults of the overrides.
const core::Constant* EvaluateWithDefaults(core::TypeTable& types, const Expr& expr);

}  // namespace kiln::ir
