// SPDX-License-Identifier: Apache-2.0
#include "wgsl/validate/validate.h"

#include "wgsl/validate/context.h"

namespace kiln::wgsl::validate {

Result<Done> Validate(const resolve::ModuleInfo& module, const NameTable& names, Arena& arena, diag::Sink& sink) {
  const size_t errors_before = sink.error_count();
  Context context{module, names, arena, sink, {}};
  CheckDiagnosticFilters(context);
  AnalyzeBehaviors(context);
  CheckEntryPoints(context);
  CheckResources(context);
  CheckMemory(context);
  CheckStages(context);
  CheckAliasing(context);
  // Its rules assume that the behaviours are right.
  if (sink.error_count() == errors_before) CheckUniformity(context);
  if (sink.error_count() != errors_before) return sink.FailedBecauseReported();
  return Done{};
}

}  // namespace kiln::wgsl::validate
