// SPDX-License-Identifier: Apache-2.0
// IR text in, SPIR-V that spirv-val accepts out, for each version; and what single constructs become.
#include "emit/spirv/emit.h"

#include <gtest/gtest.h>

#include <string>

#include "emit/spirv/spv.h"
#include "emit/spirv/testing.h"
#include "ir/test_module.h"

namespace kiln::emit::spirv {
namespace {

constexpr uint32_t kVersions[] = {0x00010300, 0x00010400, 0x00010500, 0x00010600};

std::vector<uint32_t> EmitText(std::string_view text, Options options = {}) {
  ir::TestModule test(text);
  EXPECT_EQ(test.errors, "");
  options.sources = &test.sources;
  auto words = spirv::Emit(test.module, options, test.sink);
  for (const diag::Diagnostic& diagnostic : test.sink.diagnostics()) ADD_FAILURE() << diagnostic.message;
  return words ? *words : std::vector<uint32_t>{};
}

constexpr std::string_view kCompute = R"(
struct Item {
  weight: f32,
  place: vec3<f32>,
  turn: mat3x3<f32>,
  tags: array<u32, 5>,
}
struct Items {
  count: u32,
  all: array<Item>,
}
@group(0) @binding(0) var %items: ptr<storage, Items, read_write>;
@group(0) @binding(1) var %out: ptr<storage, array<f32>, read_write>;
@group(0) @binding(2) var %settings: ptr<uniform, Item, read>;
var %shared: ptr<workgroup, array<Item, 100>, read_write>;
var %total: ptr<workgroup, atomic<u32>, read_write>;
var %state: ptr<private, vec4<f32>, read_write> = vec4<f32>{1f, 2f, 3f, 4f};

fn %sum(%p: ptr<function, array<f32, 4>, read_write>, %i: i32) -> f32 {
  store %p[%i] = (load(%p[%i]) + 1f);
  return load(%p[0i]);
}

fn %weigh(%p: ptr<storage, Item, read_write>, %k: u32) -> f32 {
  store %p.tags[%k] = (load(%p.tags[%k]) / %k);
  return load(%p.weight);
}

@abi @compute @workgroup_size(8u, 4u, 1u) fn %main(@builtin(global_invocation_id) %id: vec3<u32>, @builtin(local_invocation_index) %li: u32) {
  var %local: array<f32, 4>;
  var %item: Item = load(%settings);
  store %items.all[%id.x] = load(%item);
  store %shared[%li] = load(%items.all[%id.y]);
  let %w = %weigh(%items.all[%id.x], %id.z);
  let %s = %sum(%local, 2i);
  let %x = (%id.x % 7u);
  let %n = convert<i32>((%w * 3f));
  loop {
    if !(load(%state).x < 10f) {
      break;
    }
    if (%x == 3u) {
      continue;
    }
    switch %n {
      case 1i, 2i {
        store %state[1u] = 5f;
      }
      case default {
        break;
      }
    }
  } continuing {
    store %state[0u] = (load(%state[0u]) + 1f);
  }
  let %old = atomicAdd(%total, 1u);
  eval workgroupBarrier();
  if ((%x > 2u) || (load(%out[0i]) > 1f)) {
    store %out[arrayLength(%out)] = (%w + %s);
  }
}
)";

TEST(EmitSpirv, AComputeModuleIsValidInEveryVersion) {
  if (!HasValidator()) GTEST_SKIP() << "spirv-val is not installed";
  for (uint32_t version : kVersions) {
    Options options;
    options.version = version;
    options.line_info = true;
    EXPECT_EQ(Validate(EmitText(kCompute, options)), "") << std::hex << version;
    options.protections = Protections::None();
    EXPECT_EQ(Validate(EmitText(kCompute, options)), "") << std::hex << version << " without protections";
  }
}

TEST(EmitSpirv, EachProtectionAddsWhatItSays) {
  constexpr std::string_view kDivide = R"(
@group(0) @binding(0) var %out: ptr<storage, array<i32>, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main(@builtin(global_invocation_id) %id: vec3<u32>) {
  store %out[%id.x] = (load(%out[0i]) / load(%out[1i]));
}
)";
  Options options;
  options.protections = Protections::None();
  const auto bare = EmitText(kDivide, options);
  EXPECT_EQ(Count(bare, spv::Op::kSelect), 0u);
  EXPECT_EQ(Count(bare, spv::Op::kArrayLength), 0u);
  options.protections.integer_division = true;
  EXPECT_EQ(Count(EmitText(kDivide, options), spv::Op::kSelect), 1u);
  options.protections = Protections::None();
  options.protections.clamp_indices = true;
  EXPECT_EQ(Count(EmitText(kDivide, options), spv::Op::kArrayLength), 3u);
}

// Translators read a workgroup size only from specialization constants of its own type, and specialize by SpecId.
TEST(EmitSpirv, AnI32OverrideAsWorkgroupSizeIsDeclaredAsU32) {
  constexpr std::string_view kSized = R"(
@abi @id(3) override %side: i32 = 8i;
@group(0) @binding(0) var %out: ptr<storage, array<i32>, read_write>;
@abi @compute @workgroup_size(%side, %side, 1u) fn %main() {
  store %out[0i] = USE;
}
)";
  for (const bool is_used : {false, true}) {
    std::string text(kSized);
    text.replace(text.find("USE"), 3, is_used ? "%side" : "1i");
    const auto words = EmitText(text);
    EXPECT_EQ(Count(words, spv::Op::kSpecConstant), 1u);
    EXPECT_EQ(Count(words, spv::Op::kSpecConstantOp), is_used ? 1u : 0u);
    if (HasValidator()) {
      EXPECT_EQ(Validate(words), "");
    }
  }
}

TEST(EmitSpirv, AModuleWithoutEntryPointsIsForLinking) {
  const auto linkable = [](const std::vector<uint32_t>& words) {
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
      if (words[at] == (2u << 16 | 17u) && words[at + 1] == 5u) return true;  // OpCapability Linkage
    }
    return false;
  };
  EXPECT_TRUE(linkable(EmitText("fn %f() {}")));
  EXPECT_FALSE(linkable(EmitText(kCompute)));
}

// Level 0 is always there; and ESSL cannot ask for the number of levels.
TEST(EmitSpirv, OnlyALevelThatMayBeMissingIsClamped) {
  constexpr std::string_view kLoad = R"(
@group(0) @binding(0) var %t: ptr<handle, texture_2d<f32>, read>;
@group(0) @binding(1) var %out: ptr<storage, array<f32>, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main(@builtin(local_invocation_index) %i: u32) {
  store %out[0i] = textureLoad(load(%t), vec2<i32>{}, LEVEL).x;
}
)";
  for (const char* level : {"0i", "0u", "1i", "%i"}) {
    std::string text(kLoad);
    text.replace(text.find("LEVEL"), 5, level);
    const auto words = EmitText(text);
    EXPECT_EQ(Count(words, spv::Op::kImageQueryLevels), level[0] == '0' ? 0u : 1u) << level;
    EXPECT_EQ(Count(words, spv::Op::kImageQuerySizeLod), 1u) << level;
    if (HasValidator()) {
      EXPECT_EQ(Validate(words), "") << level;
    }
  }
}

TEST(EmitSpirv, ABroadcastFromAConstantI32HasAConstantIndex) {
  constexpr std::string_view kBroadcast = R"(
@group(0) @binding(0) var %out: ptr<storage, array<u32>, read_write>;
@abi @compute @workgroup_size(1u, 1u, 1u) fn %main(@builtin(local_invocation_index) %i: u32) {
  store %out[0u] = BROADCAST(%i, 2i);
}
)";
  for (const char* name : {"quadBroadcast", "subgroupBroadcast"}) {
    std::string text(kBroadcast);
    text.replace(text.find("BROADCAST"), 9, name);
    const auto words = EmitText(text);
    ASSERT_FALSE(words.empty()) << name;
    EXPECT_EQ(Count(words, spv::Op::kBitcast), 0u) << name;
  }
}

}  // namespace
}  // namespace kiln::emit::spirv
