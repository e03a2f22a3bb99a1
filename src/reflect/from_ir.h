// SPDX-License-Identifier: Apache-2.0
// Reflection of a module in Kiln's IR: everything FromSpirv finds, in the names of the source, and what WebGPU hosts
// need besides: overrides, texture-sampler pairs, bind-group layout entries. Cannot fail: the module is valid.
#pragma once

#include <string>
#include <vector>

#include "ir/module.h"
#include "reflect/reflection.h"

namespace kiln::reflect {

/// `entry_points`: only these are told of, and only their stages see a binding; empty: all.
Module FromIr(const ir::Module& module, const std::vector<std::string>& entry_points = {});

}  // namespace kiln::reflect
