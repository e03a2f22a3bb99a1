// SPDX-License-Identifier: Apache-2.0
// Large composites are cleared and copied in place: the module does not grow with the array, and no array is ever one
// value. Small ones stay values.
#include <gtest/gtest.h>

#include <string>

#include "emit/spirv/emit.h"
#include "emit/spirv/spv.h"
#include "emit/spirv/testing.h"
#include "ir/test_module.h"

namespace kiln::emit::spirv {
namespace {

std::vector<uint32_t> EmitText(const std::string& text, uint32_t version) {
  ir::TestModule test(text);
  EXPECT_EQ(test.errors, "");
  Options options;
  options.version = version;
  auto words = spirv::Emit(test.module, options, test.sink);
  for (const diag::Diagnostic& diagnostic : test.sink.diagnostics()) ADD_FAILURE() << diagnostic.message;
  if (words && HasValidator()) {
    EXPECT_EQ(Validate(*words), "");
  }
  return words ? *words : std::vector<uint32_t>{};
}

// The program over arrays of `count` elements.
std::string Replace(std::string text, const std::string& count) {
  for (size_t at; (at = text.find('N')) != text.npos;) text.replace(at, 1, count);
  return text;
}

struct Case {
  const char* name;
  const char* text;
};

constexpr Case kCases[] = {
    {"private", R"(
var %state: ptr<private, array<mat3x3<f32>, N>, read_write>;
@group(0) @binding(0) var %out: ptr<storage, f32, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main(@builtin(local_invocation_index) %i: u32) {
  store %out = load(%state[%i][1i][2i]);
}
)"},
    {"local", R"(
@group(0) @binding(0) var %out: ptr<storage, f32, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main(@builtin(local_invocation_index) %i: u32) {
  var %state: array<f32, N>;
  store %out = load(%state[%i]);
}
)"},
    {"copy", R"(
struct Item {
  place: vec3<f32>,
  all: array<vec2<f32>, N>,
}
@group(0) @binding(0) var %in: ptr<uniform, Item, read>;
@group(0) @binding(1) var %out: ptr<storage, Item, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main() {
  var %item: Item = load(%in);
  store %out = load(%item);
}
)"},
    {"let", R"(
@group(0) @binding(0) var %in: ptr<storage, array<f32, N>, read>;
@group(0) @binding(1) var %out: ptr<storage, f32, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main(@builtin(local_invocation_index) %i: u32) {
  let %all = load(%in);
  store %out = %all[%i];
}
)"},
    {"workgroup", R"(
struct Item {
  place: vec3<f32>,
  all: array<vec2<f32>, N>,
}
var %shared: ptr<workgroup, Item, read_write>;
@group(0) @binding(0) var %out: ptr<storage, f32, read_write>;
@abi @compute @workgroup_size(4u, 1u, 1u) fn %main(@builtin(local_invocation_index) %i: u32) {
  store %out = load(%shared.all[%i][0i]);
}
)"},
};

TEST(LargeTest, ModulesDoNotGrowWithTheirArrays) {
  for (const Case& c : kCases) {
    for (const uint32_t version : {0x00010300u, 0x00010600u}) {
      SCOPED_TRACE(std::string(c.name) + " " + std::to_string(version));
      const size_t less = EmitText(Replace(c.text, "100"), version).size();
      EXPECT_NE(less, 0u);
      EXPECT_EQ(EmitText(Replace(c.text, "10000"), version).size(), less);
    }
  }
}

TEST(LargeTest, NoLargeArrayIsOneValue) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto words = EmitText(Replace(c.text, "100"), 0x00010600);
    EXPECT_EQ(Count(words, spv::Op::kCopyLogical), 0u);
    EXPECT_EQ(Count(words, spv::Op::kCompositeExtract), 0u);
    EXPECT_NE(Count(words, spv::Op::kLoopMerge), 0u);
  }
}

TEST(LargeTest, SmallArraysAreStillInitialised) {
  const auto words = EmitText(Replace(kCases[0].text, "4"), 0x00010300);
  EXPECT_EQ(Count(words, spv::Op::kLoopMerge), 0u);
  EXPECT_EQ(Count(words, spv::Op::kConstantNull), 1u);
}

TEST(LargeTest, WhatHoldsAnAtomicIsClearedInParts) {
  const auto words = EmitText(R"(
struct Counters {
  count: atomic<u32>,
  place: vec3<f32>,
}
var %shared: ptr<workgroup, Counters, read_write>;
@group(0) @binding(0) var %out: ptr<storage, vec3<f32>, read_write>;
@abi @compute @workgroup_size(4u, 1u, 1u) fn %main() {
  store %out = load(%shared.place);
}
)",
                              0x00010300);
  EXPECT_EQ(Count(words, spv::Op::kStore), 3u);
}

// A variable in a loop begins as zero each time around.
TEST(LargeTest, AVariableInALoopIsClearedEachTime) {
  const auto words = EmitText(R"(
@group(0) @binding(0) var %out: ptr<storage, f32, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main(@builtin(local_invocation_index) %i: u32) {
  loop {
    var %state: array<f32, 100>;
    store %state[%i] = (load(%state[%i]) + 1f);
    store %out = load(%state[%i]);
    break;
  }
}
)",
                              0x00010300);
  EXPECT_EQ(Count(words, spv::Op::kLoopMerge), 2u);
}

}  // namespace
}  // namespace kiln::emit::spirv
