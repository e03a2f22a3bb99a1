// SPDX-License-Identifier: Apache-2.0
// preprocess: GLSL or HLSL text with directives carried out.
#include <glslang/Public/ResourceLimits.h>

#include "toolchain/adapter/glslang_run.h"
#include "toolchain/adapter/operation.h"

namespace kiln::toolchain {
namespace {

worker::ActionResult Preprocess(const worker::Action& action) {
  Options options(action);
  GlslangRun run(action, options);
  options.Text("legalize");  // the options are those of compile
  if (auto problems = options.Problems("preprocess")) return *std::move(problems);
  if (auto refusal = run.Prepare()) return *std::move(refusal);
  std::string text;
  const auto messages = static_cast<EShMessages>(run.messages() | EShMsgOnlyPreprocessor);
  const bool done = run.shader().preprocess(GetDefaultResources(), run.default_version(), ENoProfile, false, false,
                                            messages, &text, run.includer());
  worker::ActionResult result = run.Conclude(run.shader().getInfoLog(), !done);
  if (result.ok()) result.outputs.push_back({"text", std::move(text)});
  return result;
}

}  // namespace

extern const Operation kPreprocessOperation;
const Operation kPreprocessOperation{"preprocess", Preprocess};

}  // namespace kiln::toolchain
