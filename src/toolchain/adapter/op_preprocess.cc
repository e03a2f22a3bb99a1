// SPDX-License-Identifier: Apache-2.0
// preprocess: GLSL or HLSL text with directives carried out.
#include <glslang/Public/ResourceLimits.h>

#include <algorithm>

#include "toolchain/adapter/glslang_run.h"
#include "toolchain/adapter/operation.h"

namespace kiln::toolchain {
namespace {

// glslang prints the preamble before everything: an empty line for each macro, then the extension, which may not stand
// before #version. It is needed where the author has no such line, for the names in #line directives.
void PlacePreamble(std::string& text, size_t macros) {
  constexpr std::string_view kLine = "#extension GL_GOOGLE_include_directive : enable\n";
  size_t head = 0;
  while (head < macros && head < text.size() && text[head] == '\n') ++head;
  text.erase(0, head);
  if (!text.starts_with(kLine)) return;
  text.erase(0, kLine.size());
  if (text.find("GL_GOOGLE_include_directive") != std::string::npos) return;
  const size_t version = text.starts_with("#version") ? 0 : text.find("\n#version");
  const size_t end = version == std::string::npos ? version : text.find('\n', version + 1);
  text.insert(end == std::string::npos ? 0 : end + 1, kLine);
}

worker::ActionResult Preprocess(const worker::Action& action) {
  Options options(action);
  GlslangRun run(action, options);
  options.Text("legalize");  // the options are those of compile
  if (auto problems = options.Problems("preprocess")) return *std::move(problems);
  if (auto refusal = run.Prepare()) return *std::move(refusal);
  std::string text;
  const auto messages = static_cast<EShMessages>(run.messages() | EShMsgOnlyPreprocessor);
  const bool done = run.shader().preprocess(GetDefaultResources(), run.default_version(), run.profile(),
                                            run.has_forced_version(), false, messages, &text, run.includer());
  worker::ActionResult result = run.Conclude(run.shader().getInfoLog(), !done);
  if (!result.ok()) return result;
  const auto is_macro = [](const auto& option) { return option.first.starts_with("define:"); };
  PlacePreamble(text, static_cast<size_t>(std::count_if(action.options.begin(), action.options.end(), is_macro)));
  result.outputs.push_back({"text", std::move(text)});
  return result;
}

}  // namespace

extern const Operation kPreprocessOperation;
const Operation kPreprocessOperation{"preprocess", Preprocess};

}  // namespace kiln::toolchain
