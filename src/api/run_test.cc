// SPDX-License-Identifier: Apache-2.0
// Shaders that are run on the CPU: what single constructs compute, what is refused, and the programs of the conformance
// data with what they must compute.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "base/json.h"
#include "kiln/kiln.h"
#include "run/testing.h"

namespace kiln {
namespace {

struct Outcome {
  std::vector<uint32_t> words;
  std::string errors;
};

/// Runs `code`, whose @group(0) @binding(0) is `out`, of `count` words.
Outcome RunCode(const std::string& code, size_t count = 16, RunOptions options = {}) {
  Outcome outcome;
  const Compiled compiled = CompileWgsl(code);
  for (const Diagnostic& each : compiled.diagnostics) outcome.errors += each.message + "\n";
  if (!compiled) return outcome;
  outcome.words.resize(count);
  std::vector<uint32_t> second(16);
  options.buffers.push_back({0, 0, std::as_writable_bytes(std::span(outcome.words))});
  options.buffers.push_back({0, 1, std::as_writable_bytes(std::span(second))});
  const RunOutput run = compiled.module->Run(options);
  for (const Diagnostic& each : run.diagnostics) outcome.errors += each.code + "\n";
  return outcome;
}

std::vector<uint32_t> Words(const std::string& body, const std::string& world = "", const char* size = "1") {
  Outcome outcome =
      RunCode(world + "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n" +
              "@compute @workgroup_size(" + size + ") fn main(@builtin(local_invocation_index) i: u32) {" + body + "}");
  EXPECT_EQ(outcome.errors, "") << body;
  outcome.words.resize(16);  // also where nothing was run
  return outcome.words;
}

TEST(Run, ControlFlowPartsAndMeets) {
  // Each lane leaves the loop at another turn, by another way.
  const auto words = Words(R"(
    var n = 0u;
    loop {
      if (n == i) { break; }
      n++;
      if (n == 2) { continue; }
      switch (n) { case 5: { break; } default: { out[i] += 1; } }
      continuing { out[i] += 100; break if n >= 6; }
    }
    out[i + 8] = n;
  )",
                           "", "8");
  EXPECT_EQ(std::vector<uint32_t>(words.begin(), words.begin() + 8),
            (std::vector<uint32_t>{0, 101, 201, 302, 403, 503, 604, 604}));
  EXPECT_EQ(std::vector<uint32_t>(words.begin() + 8, words.end()), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 6}));
}

TEST(Run, FunctionsPointersAndBarriers) {
  const auto words = Words(R"(
    shared_words[i] = i * i;
    workgroupBarrier();
    var sum = array<u32, 2>(5, 6);
    add(&sum[i % 2], shared_words[3 - i]);
    out[i] = early(sum[0] + sum[1]);
    atomicAdd(&total, out[i]);
    workgroupBarrier();
    if (i == 0) { out[4] = atomicLoad(&total); }
  )",
                           R"(
    var<workgroup> shared_words: array<u32, 4>;
    var<workgroup> total: atomic<u32>;
    fn add(p: ptr<function, u32>, n: u32) { *p += n; }
    fn early(n: u32) -> u32 { if (n > 14) { return 1000; } return n; }
  )",
                           "4");
  EXPECT_EQ(std::vector<uint32_t>(words.begin(), words.begin() + 5), (std::vector<uint32_t>{1000, 1000, 12, 11, 2023}));
}

TEST(Run, WhatOthersLeaveOpenIsDefined) {
  const auto words = Words(R"(
    var a = array<u32, 3>(7, 8, 9);
    let zero = i32(i);
    out[0] = a[i + 9];                            // the last element
    out[1] = 5 / i;                               // 5
    out[2] = 5 % i;                               // 0
    out[3] = bitcast<u32>((-2147483647 - 1 + zero) / (zero - 1));
    out[4] = u32(f32(zero) - 3.5);                // 0
    out[5] = bitcast<u32>(i32(3e9 + f32(zero)));  // the last f32 below 2^31
    out[6] = 1u << (i + 33);                      // 2
    out[7] = extractBits(0xABCD1234u, 28 + i, 16);
    out[8] = arrayLength(&out);
    out[99] = 77;                                 // the last of the buffer
  )");
  EXPECT_EQ(words[0], 9u);
  EXPECT_EQ(words[1], 5u);
  EXPECT_EQ(words[2], 0u);
  EXPECT_EQ(words[3], 0x80000000u);
  EXPECT_EQ(words[4], 0u);
  EXPECT_EQ(words[5], 2147483520u);
  EXPECT_EQ(words[6], 2u);
  EXPECT_EQ(words[7], 0xAu);
  EXPECT_EQ(words[8], 16u);
  EXPECT_EQ(words[15], 77u);
}

TEST(Run, VectorsMatricesAndStructuresInBuffers) {
  const Outcome outcome = RunCode(R"(
    struct S { m: mat3x2f, v: vec3f, n: i32, a: array<vec2u, 2> }
    @group(0) @binding(0) var<storage, read_write> s: S;
    @compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {
      s.m = mat3x2f(1, 2, 3, 4, 5, 6);
      let copy = s;
      s.v = vec2f(1, 10) * copy.m;
      s.n = -7 + i32((copy.m * vec3f(1, 1, 1))[1 + i]);
      s.a[i + 1].y = 9;
    }
  )");
  EXPECT_EQ(outcome.errors, "");
  std::array<float, 16> floats;
  std::memcpy(floats.data(), outcome.words.data(), sizeof floats);
  EXPECT_EQ(std::vector<float>(floats.begin(), floats.begin() + 6), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(std::vector<float>(floats.begin() + 8, floats.begin() + 11), (std::vector<float>{21, 43, 65}));
  EXPECT_EQ(outcome.words[11], 5u);  // -7 + 2 + 4 + 6
  EXPECT_EQ(outcome.words[15], 9u);
}

// https://www.w3.org/TR/WGSL/#buffer-view-builtin-functions
TEST(Run, ViewsOfBuffers) {
  const auto words = Words(R"(
    *bufferView<vec2u>(&bytes, 8 + i) = vec2u(3, 4);
    let tail = bufferArrayView<array<u32>>(&bytes, 4, 12);
    out[0] = arrayLength(tail);
    out[1] = (*tail)[1] + (*tail)[9];
    out[2] = bufferLength(&bytes);
  )",
                           "requires buffer_view;\n@group(0) @binding(1) var<storage, read_write> bytes: buffer;\n");
  EXPECT_EQ(words[0], 3u);
  EXPECT_EQ(words[1], 7u);
  EXPECT_EQ(words[2], 64u);
}

TEST(Run, SaysWhatItDoesNotDo) {
  const std::string out = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n";
  EXPECT_EQ(
      RunCode(out + "@group(0) @binding(1) var t: texture_2d<f32>;\n@compute @workgroup_size(1) fn main() { out[0] "
                    "= textureDimensions(t).x; }")
          .errors,
      "run-unsupported\n");
  EXPECT_EQ(
      RunCode(out + "@group(0) @binding(2) var<uniform> u: vec4u;\n@compute @workgroup_size(1) fn main() { out[0] "
                    "= u.x; }")
          .errors,
      "run-buffer\n");
  EXPECT_EQ(RunCode(out + "override n: u32;\n@compute @workgroup_size(n) fn main() { out[0] = 1; }").errors,
            "run-override\n");
  EXPECT_EQ(RunCode(out + "@fragment fn main() { out[0] = 1; }").errors, "run-entry-point\n");
  RunOptions options;
  options.max_steps = 10000;
  EXPECT_EQ(RunCode(out + "@compute @workgroup_size(1) fn main() { loop { if (out[0] == 1) { break; } } }", 16, options)
                .errors,
            "run-steps\n");
  options.max_steps = 1 << 20;
  options.max_memory = 1 << 20;
  EXPECT_EQ(RunCode(out + "@compute @workgroup_size(64) fn main() { var a: array<u32, 16000>; out[0] = a[out[1]]; }",
                    16, options)
                .errors,
            "run-memory\n");
}

TEST(Run, SubgroupsAreEightInvocationsOrWhatIsSaid) {
  const std::string head =
      "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n@group(0) @binding(0) var<storage, read_write> out: "
      "array<u32>;\n";
  const auto run = [&](const std::string& body, const std::string& attributes = "@workgroup_size(12)") {
    const Outcome outcome = RunCode(head + "@compute " + attributes +
                                    " fn main(@builtin(local_invocation_index) i: u32, "
                                    "@builtin(subgroup_invocation_id) s: u32, @builtin(subgroup_size) n: u32) {\n" +
                                    body + "}");
    EXPECT_EQ(outcome.errors, "") << body;
    return std::vector<uint32_t>(outcome.words.begin(),
                                 outcome.words.begin() + std::min<ptrdiff_t>(12, std::ssize(outcome.words)));
  };
  using Words = std::vector<uint32_t>;
  EXPECT_EQ(run("out[i] = s + 100 * n;"), (Words{800, 801, 802, 803, 804, 805, 806, 807, 800, 801, 802, 803}));
  EXPECT_EQ(run("out[i] = subgroupAdd(i);"), (Words{28, 28, 28, 28, 28, 28, 28, 28, 38, 38, 38, 38}));
  EXPECT_EQ(run("out[i] = subgroupInclusiveAdd(i + 1);"), (Words{1, 3, 6, 10, 15, 21, 28, 36, 9, 19, 30, 42}));
  EXPECT_EQ(run("out[i] = subgroupExclusiveMul(s + 1);"), (Words{1, 1, 2, 6, 24, 120, 720, 5040, 1, 1, 2, 6}));
  EXPECT_EQ(run("out[i] = subgroupMax(i) * 10 + subgroupMin(s);"),
            (Words{70, 70, 70, 70, 70, 70, 70, 70, 110, 110, 110, 110}));
  EXPECT_EQ(run("out[i] = subgroupBroadcastFirst(i) + subgroupBroadcast(i, 3u);"),
            (Words{3, 3, 3, 3, 3, 3, 3, 3, 19, 19, 19, 19}));
  EXPECT_EQ(run("out[i] = subgroupShuffleXor(i, 3u);"), (Words{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8}));
  // Up and down from where nothing is: 0 here.
  EXPECT_EQ(run("out[i] = subgroupShuffleUp(i + 1, 2u);"), (Words{0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 9, 10}));
  EXPECT_EQ(run("out[i] = subgroupShuffleDown(i + 1, 2u);"), (Words{3, 4, 5, 6, 7, 8, 0, 0, 11, 12, 0, 0}));
  EXPECT_EQ(run("out[i] = quadSwapX(i) * 100 + quadSwapDiagonal(i) * 10000 + quadBroadcast(i, 2u);"),
            (Words{30102, 20002, 10302, 202, 70506, 60406, 50706, 40606, 110910, 100810, 91110, 81010}));
  EXPECT_EQ(run("out[i] = subgroupBallot(i % 3 == 0).x;"),
            (Words{0x49, 0x49, 0x49, 0x49, 0x49, 0x49, 0x49, 0x49, 2, 2, 2, 2}));
  // Only those that stand at the call count.
  EXPECT_EQ(run("if (i % 2 == 1) { out[i] = subgroupAdd(1u) + select(0u, 100u, subgroupElect()); }"),
            (Words{0, 104, 0, 4, 0, 4, 0, 4, 0, 102, 0, 2}));
  EXPECT_EQ(run("out[i] = u32(subgroupAll(i < 8)) + 2 * u32(subgroupAny(i == 9));"),
            (Words{1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(run("out[i] = u32(subgroupAdd(vec2f(0.5, f32(i))).y);"),
            (Words{28, 28, 28, 28, 28, 28, 28, 28, 38, 38, 38, 38}));
}

TEST(Run, MuchDataAndManyWorkgroupsTakeSteps) {
  const std::string out = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n";
  const Compiled copies = CompileWgsl(out +
                                      "@compute @workgroup_size(1) fn main() {\n  var a: array<u32, 65536>;\n"
                                      "  loop { var b = a; a = b; if (a[0] == 1) { break; } }\n  out[0] = a[1]; }");
  std::vector<std::byte> bytes(4);
  RunOptions few;
  few.buffers = {{0, 0, bytes}};
  few.max_steps = 1000;  // some 200 times around the loop if an array were one thing
  const RunOutput looped = copies.module->Run(few);
  EXPECT_FALSE(looped);
  EXPECT_EQ(looped.diagnostics.at(0).code, "run-steps");
  const Compiled idle = CompileWgsl("@compute @workgroup_size(1) fn main() {}");
  RunOptions options;
  options.workgroups = {65535, 65535, 65535};
  options.max_steps = 1000;
  const RunOutput run = idle.module->Run(options);
  EXPECT_FALSE(run);
  EXPECT_EQ(run.diagnostics.at(0).code, "run-steps");
}

// Functions that call functions that call functions: as deep as a text may be, on a stack that is not.
TEST(Run, DeepCallsEndWithAnError) {
  std::string code = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\nfn f0() -> u32 { return 1; }\n";
  for (int at = 1; at < 20000; ++at) {
    code += "fn f" + std::to_string(at) + "() -> u32 { return f" + std::to_string(at - 1) + "() + 1; }\n";
  }
  EXPECT_EQ(RunCode(code + "@compute @workgroup_size(1) fn main() { out[0] = f19999(); }").errors, "run-depth\n");
  const Outcome few = RunCode(code + "@compute @workgroup_size(1) fn main() { out[0] = f499(); }");
  EXPECT_EQ(few.errors, "");
  EXPECT_EQ(few.words[0], 500u);
}

// --------------------------------------------------------------------------------------------- the conformance data

struct RowBuffer {
  uint32_t group, binding;
  size_t origin;  // what offsets of outputs count from
  size_t offset;  // where the binding begins
  size_t size;
  std::vector<std::byte> bytes;
};

std::string RunRow(const json::Value& row) {
  const Compiled compiled = CompileWgsl(*row.Find("code")->AsString());
  if (!compiled) return "does not compile";
  PipelineOptions pipeline;
  if (const json::Value* entry = row.Find("entryPoint")) pipeline.entry_point = entry->AsString().value_or("");
  if (const json::Value* constants = row.Find("constants")) {
    for (const json::Member& each : constants->members) {
      pipeline.overrides.push_back({std::string(each.key), run::NumberOf(*each.value)});
    }
  }
  const Compiled special = compiled.module->Specialize(pipeline);
  if (!special) return "cannot be specialised: " + special.diagnostics.back().message;
  std::vector<RowBuffer> buffers;
  for (const json::Value* item : row.Find("buffers")->elements) {
    RowBuffer& buffer = buffers.emplace_back();
    buffer.group = static_cast<uint32_t>(*item->Find("group")->AsUint());
    buffer.binding = static_cast<uint32_t>(*item->Find("binding")->AsUint());
    buffer.origin = item->Find("offset")->AsUint().value_or(0);
    buffer.size = item->Find("size")->AsUint().value_or(0);
    const auto words = item->Find("words")->elements;
    size_t bytes = std::max(buffer.origin + buffer.size, words.size() * 4);
    buffer.offset = buffer.origin;
    int64_t seen = 0;
    for (const json::Value* output : row.Find("outputs")->elements) {
      if (output->Find("group")->AsUint() != buffer.group || output->Find("binding")->AsUint() != buffer.binding)
        continue;
      const int64_t begin = output->Find("offset")->AsInt().value_or(0);
      const auto length = static_cast<int64_t>(output->Find("values")->elements.size() *
                                               run::ElementSize(*output->Find("type")->AsString()));
      // Some rows were bound with a dynamic offset, which they do not carry: their outputs leave out just the binding.
      if (begin == seen + static_cast<int64_t>(buffer.size) && seen > 0 && buffer.origin == 0) {
        buffer.offset = static_cast<size_t>(seen);
      }
      seen = begin + length;
      bytes = std::max(bytes, static_cast<size_t>(static_cast<int64_t>(buffer.origin) + begin + length));
    }
    bytes = std::max(bytes, buffer.offset + buffer.size);
    buffer.bytes.resize(bytes);
    for (size_t at = 0; at < words.size(); ++at) {
      const auto bits = static_cast<uint32_t>(words[at]->AsUint().value_or(0));
      std::memcpy(buffer.bytes.data() + at * 4, &bits, 4);
    }
  }
  RunOptions options;
  options.max_steps = uint64_t{1} << 28;
  for (RowBuffer& buffer : buffers) {
    options.buffers.push_back(
        {buffer.group, buffer.binding, std::span(buffer.bytes).subspan(buffer.offset, buffer.size)});
  }
  const json::Value* dispatch = row.Find("dispatch");
  for (size_t i = 0; i < dispatch->elements.size() && i < 3; ++i) {
    options.workgroups[i] = static_cast<uint32_t>(dispatch->elements[i]->AsUint().value_or(1));
  }
  const RunOutput run = special.module->Run(options);
  if (!run) {
    const Diagnostic& why = run.diagnostics.front();
    return why.code == "run-unsupported" ? "unsupported: " + why.message : why.message;
  }
  for (const json::Value* output : row.Find("outputs")->elements) {
    for (const RowBuffer& buffer : buffers) {
      if (output->Find("group")->AsUint() != buffer.group || output->Find("binding")->AsUint() != buffer.binding)
        continue;
      const std::string_view type = *output->Find("type")->AsString();
      const int64_t offset = output->Find("offset")->AsInt().value_or(0);
      auto at = static_cast<size_t>(static_cast<int64_t>(buffer.origin) + offset);
      for (const json::Value* expected : output->Find("values")->elements) {
        const double want = run::NumberOf(*expected), got = run::ElementAt(type, buffer.bytes.data() + at);
        if (!(want == got || (std::isnan(want) && std::isnan(got)))) {
          return "binding " + std::to_string(buffer.binding) + " at " + std::to_string(at) + ": expected " +
                 std::to_string(want) + ", got " + std::to_string(got);
        }
        at += run::ElementSize(type);
      }
    }
  }
  return "";
}

/// Runs the rows that `command` writes; gives their number.
size_t RunRows(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  // Rows whose expectation holds for the device that they were made with only; the list says why.
  std::vector<std::string> excluded;
  std::ifstream exclusions(KILN_SOURCE_DIR "/tests/conformance/run_exclusions.txt");
  for (std::string text; std::getline(exclusions, text);) {
    if (!text.starts_with('#')) excluded.push_back(text.substr(0, text.find(" |")));
  }
  std::map<std::string, size_t> unsupported, wrong;
  size_t run = 0, number = 0, failed = 0;
  char* line = nullptr;
  size_t capacity = 0;
  while (getline(&line, &capacity, pipe) > 0) {
    ++number;
    Arena arena;
    const json::ReadResult row = json::Read(line, arena);
    if (!row.ok()) {
      ADD_FAILURE() << number << ": " << row.error.message;
      break;
    }
    const std::string test(row.root->Find("test")->AsString().value_or(""));
    if (std::find(excluded.begin(), excluded.end(), test) != excluded.end()) continue;
    if (row.root->Find("textures") != nullptr) continue;  // for a device
    const std::string said = RunRow(*row.root);
    if (said.starts_with("unsupported")) {
      ++unsupported[said];
    } else {
      ++run;
      if (said.empty()) continue;
      ++failed;
      if (wrong[test]++ < 3) std::printf("row %zu %s: %s\n", number, test.c_str(), said.c_str());
    }
  }
  std::free(line);
  pclose(pipe);
  std::printf("%zu rows run, %zu wrong\n", run, failed);
  for (const auto& [why, count] : unsupported) std::printf("%zu not run: %s\n", count, why.c_str());
  EXPECT_TRUE(unsupported.empty());
  EXPECT_EQ(failed, 0u);
  return number;
}

// The suite says what a device must compute; a second opinion on the front end, lowering and the meaning of the IR.
TEST(Run, ComputesWhatTheConformanceSuiteSays) {
  const char* shared = std::getenv("KILN_SHARED_DIR");
  const std::string folder = shared != nullptr ? shared : KILN_SOURCE_DIR "/../shared";
  if (RunRows("xz -dc '" + folder + "/conformance/wgsl/runs.jsonl.xz' 2>/dev/null") == 0) {
    GTEST_SKIP() << "no conformance data";
  }
}

// What the suite has no rows of; tests/conformance executes the same on a Vulkan device.
TEST(Run, ComputesWhatOurOwnRowsSay) {
  EXPECT_GE(RunRows("cat '" KILN_SOURCE_DIR "/tests/conformance/own/runs.jsonl'"), 3u);
}

}  // namespace
}  // namespace kiln
