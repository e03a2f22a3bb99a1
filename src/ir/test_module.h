// SPDX-License-Identifier: Apache-2.0
// For tests of everything that takes IR: a module with all that it stands on, made from its text form.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "ir/effects.h"
#include "ir/module.h"
#include "ir/parse.h"
#include "ir/verify.h"

namespace kiln::ir {

struct TestModule {
  /// An empty module.
  TestModule() = default;
  /// Parses and verifies; `errors` says what went wrong.
  explicit TestModule(std::string_view text) {
    const diag::SourceFile& file = sources.Add("test.ir", std::string(text));
    if (Parse(file, module, sink) && Verify(module, sink)) ComputeEffects(module);
    for (const diag::Diagnostic& diagnostic : sink.diagnostics()) {
      errors += std::to_string(diagnostic.location.begin.line) + ": " + diagnostic.message + "\n";
    }
  }

  Arena arena;
  core::TypeTable types{arena};
  diag::SourceSet sources;
  diag::Sink sink{sources};
  Module module{types};
  std::string errors;
};

}  // namespace kiln::ir
