// SPDX-License-Identifier: Apache-2.0
// Kiln inside a program: WGSL text in, SPIR-V, facts and results out, without files or processes. Linked against
// kiln_core alone.
//
//   kiln_embed [OVERRIDE=VALUE]...
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "kiln/kiln.h"

namespace {

constexpr const char* kShader = R"(
override workgroup: u32 = 64;
override gain: f32 = 2.0;

@group(0) @binding(0) var<storage, read_write> samples: array<f32>;

@compute @workgroup_size(workgroup)
fn amplify(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&samples)) {
    samples[id.x] *= gain;
  }
}
)";

void Print(const std::vector<kiln::Diagnostic>& diagnostics) {
  for (const kiln::Diagnostic& diagnostic : diagnostics) std::fputs(kiln::ToString(diagnostic).c_str(), stderr);
}

}  // namespace

int main(int argc, char** argv) {
  const kiln::Compiled compiled = kiln::CompileWgsl(kShader, {.name = "amplify.wgsl"});
  Print(compiled.diagnostics);
  if (!compiled) return 1;

  for (const kiln::OverrideInfo& override : compiled.module->overrides()) {
    std::printf("override %s: %s = %g\n", override.name.c_str(), override.type.c_str(),
                override.default_value.value_or(0));
  }

  kiln::PipelineOptions pipeline;
  for (int i = 1; i < argc; ++i) {
    const char* equals = std::strchr(argv[i], '=');
    if (equals == nullptr) {
      std::fprintf(stderr, "usage: kiln_embed [OVERRIDE=VALUE]...\n");
      return 2;
    }
    pipeline.overrides.push_back({std::string(argv[i], static_cast<size_t>(equals - argv[i])), std::atof(equals + 1)});
  }
  const kiln::Compiled special = compiled.module->Specialize(pipeline);
  Print(special.diagnostics);
  if (!special) return 1;

  const auto size = *special.module->entry_points().front().workgroup_size;
  const kiln::SpirvOutput spirv = special.module->EmitSpirv({.version = kiln::SpirvVersion::k1_3});
  Print(spirv.diagnostics);
  if (!spirv) return 1;
  std::printf("workgroup %u x %u x %u, %zu words of SPIR-V\n", size[0], size[1], size[2], spirv.words.size());
  std::printf("%s", special.module->EmitWgsl().text.c_str());

  // The same shader on this thread, as a test without a GPU would do it.
  std::vector<float> samples = {1, 2, 3, 4};
  kiln::RunOptions dispatch;
  dispatch.buffers.push_back({0, 0, std::as_writable_bytes(std::span(samples))});
  const kiln::RunOutput run = special.module->Run(dispatch);
  Print(run.diagnostics);
  if (!run) return 1;
  std::printf("samples %g %g %g %g after %llu steps\n", samples[0], samples[1], samples[2], samples[3],
              static_cast<unsigned long long>(run.steps));
  return 0;
}
