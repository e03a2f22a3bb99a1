// SPDX-License-Identifier: Apache-2.0
// WGSL text to a run on the CPU, of every compute entry point. The run ends within its budget of steps and memory, says
// why where it did not finish, and does the same twice.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "front_end.h"
#include "run/run.h"

namespace kiln::fuzz {
namespace {

constexpr size_t kBytes = 4096;  // of each buffer; some views and arrays are longer, which is an error of the run

struct Outcome {
  bool finished = false;
  uint64_t steps = 0;
  size_t errors = 0;
  std::vector<std::vector<std::byte>> buffers;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome RunOnce(const ir::Module& module, const ir::Function& entry) {
  Outcome out;
  std::vector<run::Buffer> bound;
  const auto make = [&](size_t seed) {
    std::vector<std::byte>& bytes = out.buffers.emplace_back(kBytes);
    for (size_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<std::byte>((i + seed) * 2654435761u >> 13);
  };
  for (size_t i = 0; i <= module.vars.size(); ++i) make(i);
  for (size_t i = 0; i < module.vars.size(); ++i) {
    if (module.vars[i]->binding) bound.push_back({*module.vars[i]->binding, out.buffers[i]});
  }
  diag::Sink sink;
  run::Options options;
  options.entry_point = entry.name;
  options.workgroups = {2, 1, 1};
  options.buffers = bound;
  options.immediates = out.buffers.back();
  options.max_steps = 1 << 14;
  options.max_memory = 8 << 20;
  const auto steps = run::Run(module, options, sink);
  out.finished = steps.ok();
  if (steps) out.steps = *steps;
  out.errors = sink.error_count();
  return out;
}

}  // namespace
}  // namespace kiln::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kiln;
  const std::string_view text = fuzz::TextOf(data, size);
  const fuzz::FrontEnd front(text);
  if (!front.module) return 0;
  for (const ir::Function* function : front.module->functions) {
    if (function->entry == nullptr || function->entry->stage != core::Stage::kCompute) continue;
    const fuzz::Outcome first = fuzz::RunOnce(*front.module, *function);
    if (first.finished == (first.errors != 0)) fuzz::Finding("a run ended without saying how", front.sink, text);
    if (!(first == fuzz::RunOnce(*front.module, *function))) fuzz::Finding("two runs differ", front.sink, text);
  }
  return 0;
}
