// SPDX-License-Identifier: Apache-2.0
// The WGSL front end in one call, for the rest of Kiln: parse, resolve, validate, specialise, lower. The public library
// (include/kiln/shader.h) wraps it; the tool and the tests use it as it is.
#pragma once

#include <memory>

#include "base/arena.h"
#include "base/result.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "ir/module.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/resolve/specialize.h"

namespace kiln::api {

/// A module with all that it stands on. It refers to nothing outside, but its ranges are those of the source set.
struct CompiledModule {
  Arena arena;
  core::TypeTable types{arena};
  ir::Module ir{types};
};

struct CompileOptions {
  wgsl::resolve::Options resolve;
  /// Not null: only this pipeline's entry point, its overrides being constants.
  const wgsl::resolve::Pipeline* pipeline = nullptr;
};

/// Reports everything that is wrong with the source; fails if something was an error. The text of `file` may go
/// afterwards.
Result<std::unique_ptr<CompiledModule>> CompileWgsl(const diag::SourceFile& file, const CompileOptions& options,
                                                    diag::Sink& sink);

/// As CompileWgsl, without making a module.
Result<Done> CheckWgsl(const diag::SourceFile& file, const CompileOptions& options, diag::Sink& sink);

}  // namespace kiln::api
