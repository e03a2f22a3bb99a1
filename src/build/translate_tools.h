// SPDX-License-Identifier: Apache-2.0
// What translations are made with: a toolchain set, its workers, the store. Opened once for all files of one call.
#pragma once

#include <memory>
#include <optional>

#include "base/files.h"
#include "build/executor.h"
#include "build/translate.h"
#include "diag/sink.h"
#include "store/store.h"
#include "worker/toolchain_set.h"

namespace kiln::build {

class TranslateTools {
 public:
  /// What Kiln compiles itself needs no toolchain; where one is needed and missing, that is reported. Of `options` only
  /// the fields that begin with `toolchain` count. `jobs` 0 is the pool's own choice.
  static Result<std::unique_ptr<TranslateTools>> Open(const TranslateOptions& options, bool needs_toolchain,
                                                      unsigned jobs, diag::Sink& sink);

  store::Store& store() { return *store_; }
  Executor& executor() { return *executor_; }
  /// Empty where none was needed.
  std::string toolchain_name() const { return toolchain_.name(); }

 private:
  TranslateTools() = default;

  worker::ToolchainSet toolchain_;
  std::unique_ptr<ActionRunner> runner_;
  std::optional<store::Store> store_;
  std::optional<Executor> executor_;
};

}  // namespace kiln::build
