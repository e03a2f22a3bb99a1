// SPDX-License-Identifier: Apache-2.0
#include "wgsl_side.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "api/compile.h"
#include "kiln/kiln.h"

namespace kiln::bench {

namespace {

double CpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Not getrusage: what that says survives exec, so it would be the parent's where that is larger.
uint64_t PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "bench: %s cannot be read\n", path.c_str());
    std::exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> ReadTexts(const std::string& list) {
  std::ifstream lines(list);
  std::vector<std::string> texts;
  for (std::string path; std::getline(lines, path);) texts.push_back(ReadAll(path));
  return texts;
}

bool Checks(const std::string& text) {
  diag::SourceSet sources;
  diag::Sink sink(sources);
  return static_cast<bool>(api::CheckWgsl(sources.AddView("shader.wgsl", text), {}, sink));
}

// Through the public library, as an engine calls it.
bool MakesSpirv(const std::string& text) {
  const Compiled compiled = CompileWgsl(text);
  return compiled && compiled.module->EmitSpirv();
}

int Accepts(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) std::printf("@ %d %d\n", Checks(text), MakesSpirv(text));
  return 0;
}

// At least one pass; with a budget of 0 that one, over memory that no pass before it has touched.
int Time(const std::vector<std::string>& texts, bool (*stage)(const std::string&), double budget) {
  double best = std::numeric_limits<double>::infinity();
  const double start = CpuSeconds();
  for (double now = start; best == std::numeric_limits<double>::infinity() || now - start < budget;) {
    const double before = now;
    for (const std::string& text : texts) {
      if (!stage(text)) {
        std::fprintf(stderr, "bench: a text of the list is rejected\n");
        return 1;
      }
    }
    now = CpuSeconds();
    best = std::min(best, now - before);
  }
  std::printf("@ %.9f\n", best);
  return 0;
}

int Memory(const std::vector<std::string>& texts, bool to_spirv) {
  MakesSpirv("@compute @workgroup_size(1) fn main() {}");
  const uint64_t before = PeakBytes();
  uint64_t kept = 0;
  for (const std::string& text : texts) {
    if (!to_spirv) {
      Checks(text);
      continue;
    }
    const Compiled compiled = CompileWgsl(text);
    if (!compiled || !compiled.module->EmitSpirv()) return 1;
    kept += compiled.module->MemoryUse();
  }
  std::printf("@ %llu %llu\n", static_cast<unsigned long long>(PeakBytes() - before),
              static_cast<unsigned long long>(kept));
  return 0;
}

// Over the SPIR-V of all texts: whether a change of speed changed a byte.
int Digest(const std::vector<std::string>& texts) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const std::string& text : texts) {
    const Compiled compiled = CompileWgsl(text);
    const SpirvOutput spirv = compiled ? compiled.module->EmitSpirv() : SpirvOutput();
    for (const uint32_t word : spirv.words) hash = (hash ^ word) * 0x100000001b3u;
    std::printf("@ %016llx\n", static_cast<unsigned long long>(hash));
  }
  return 0;
}

}  // namespace

bool IsWgslSide(int argc, char** argv) { return argc >= 4 && std::strcmp(argv[1], "--wgsl") == 0; }

int WgslSide(int argc, char** argv) {
  const std::string mode = argv[2];
  const std::vector<std::string> texts = ReadTexts(argv[3]);
  const std::string argument = argc > 4 ? argv[4] : "";
  if (mode == "accepts") return Accepts(texts);
  if (mode == "digest") return Digest(texts);
  if (mode == "memory") return Memory(texts, argument == "spirv");
  return Time(texts, mode.ends_with("spirv") ? MakesSpirv : Checks,
              mode.starts_with("first-") ? 0 : std::strtod(argument.c_str(), nullptr));
}

}  // namespace kiln::bench
