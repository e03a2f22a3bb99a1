// SPDX-License-Identifier: Apache-2.0
// compile: GLSL or HLSL text to SPIR-V.
#include <glslang/Public/ResourceLimits.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <glslang/SPIRV/Logger.h>
#include <glslang/build_info.h>
#if !GLSLANG_VERSION_GREATER_OR_EQUAL_TO(14, 0, 0)
#include <glslang/MachineIndependent/localintermediate.h>
#endif

#include "toolchain/adapter/glslang_run.h"
#include "toolchain/adapter/operation.h"
#include "toolchain/adapter/spirv_tools.h"

namespace kiln::toolchain {
namespace {

// What the SPIR-V generator says: lines of "error: ...", "warning: ...", "TBD functionality: ...".
void ReadGeneratorLog(std::string_view log, const std::string& root, worker::ActionResult& result) {
  while (!log.empty()) {
    const size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
    if (line.empty()) continue;
    const bool is_error = line.starts_with("error") || line.starts_with("TBD") || line.starts_with("Missing");
    diag::Diagnostic diagnostic;
    diagnostic.severity = is_error ? diag::Severity::kError : diag::Severity::kWarning;
    diagnostic.code = is_error ? "glslang-cannot-generate" : "glslang-warning";
    diagnostic.location.file = root;
    diagnostic.message = line;
    if (is_error) result.exit = worker::ExitKind::kUnsupported;
    result.diagnostics.push_back(std::move(diagnostic));
  }
}

worker::ActionResult Compile(const worker::Action& action) {
  Options options(action);
  GlslangRun run(action, options);
  constexpr std::string_view kLegalize[] = {"0", "1"};
  const bool legalize = options.OneOf("legalize", kLegalize, "1") == "1";
  if (auto problems = options.Problems("compile")) return *std::move(problems);
  if (auto refusal = run.Prepare()) return *std::move(refusal);

  glslang::TShader& shader = run.shader();
  const bool parsed = shader.parse(GetDefaultResources(), run.default_version(), run.profile(),
                                   run.has_forced_version(), false, run.messages(), run.includer());
  if (!parsed) return run.Conclude(shader.getInfoLog(), true);
  glslang::TProgram program;
  program.addShader(&shader);
  const bool linked = program.link(run.messages()) && program.mapIO();
  worker::ActionResult result = run.Conclude(std::string(shader.getInfoLog()) + program.getInfoLog(), !linked);
  if (!result.ok()) return result;

  glslang::SpvOptions spv;
  spv.disableOptimizer = true;
  spv.generateDebugInfo = run.has_debug_info();
  spv.emitNonSemanticShaderDebugInfo = spv.emitNonSemanticShaderDebugSource = run.has_debug_sources();
#if !GLSLANG_VERSION_GREATER_OR_EQUAL_TO(14, 0, 0)
  // Version 12 forgets this for HLSL; BufferBlock ends with SPIR-V 1.3.
  glslang::TIntermediate* own = program.getIntermediate(run.stage());
  if (run.is_hlsl() && own->getSpv().spv >= glslang::EShTargetSpv_1_3) own->setUseStorageBuffer();
#endif
  const glslang::TIntermediate& intermediate = *program.getIntermediate(run.stage());
  std::vector<uint32_t> words;
  spv::SpvBuildLogger logger;
  glslang::GlslangToSpv(intermediate, words, &logger, &spv);
  const std::string root = options.Text("entry");
  ReadGeneratorLog(logger.getAllMessages(), root, result);
  if (!result.ok()) return result;
  if (run.is_hlsl() && legalize) {
    if (!Legalize(options.Text("environment", "vulkan1.2"), words)) {
      return Refuse("spirv-opt-failed", "the SPIR-V of this HLSL cannot be made legal");
    }
  }
  result.outputs.push_back({"spirv", SpirvBytes(words)});
  return result;
}

}  // namespace

extern const Operation kCompileOperation;
const Operation kCompileOperation{"compile", Compile};

}  // namespace kiln::toolchain
