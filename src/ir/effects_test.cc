// SPDX-License-Identifier: Apache-2.0
#include "ir/effects.h"

#include <gtest/gtest.h>

#include "ir/loops.h"
#include "ir/test_module.h"

namespace kiln::ir {
namespace {

constexpr std::string_view kWorld = R"(
@group(0) @binding(0) var %u: ptr<uniform, vec4<f32>, read>;
@group(0) @binding(1) var %s: ptr<storage, array<u32, 4>, read_write>;
@group(0) @binding(2) var %t: ptr<handle, texture_2d<f32>, read>;
@group(0) @binding(3) var %m: ptr<handle, sampler, read>;
@group(0) @binding(4) var %i: ptr<handle, texture_storage_2d<r32uint, read_write>, read>;
var %p: ptr<private, f32, read_write>;
var %w: ptr<workgroup, atomic<u32>, read_write>;
)";

std::string Names(Effects effects) {
  constexpr std::pair<uint32_t, std::string_view> kNames[] = {
      {Effects::kReadsFunction, "reads-function"},
      {Effects::kReadsPrivate, "reads-private"},
      {Effects::kReadsWorkgroup, "reads-workgroup"},
      {Effects::kReadsStorage, "reads-storage"},
      {Effects::kWritesFunction, "writes-function"},
      {Effects::kWritesPrivate, "writes-private"},
      {Effects::kWritesWorkgroup, "writes-workgroup"},
      {Effects::kWritesStorage, "writes-storage"},
      {Effects::kAtomic, "atomic"},
      {Effects::kBarrier, "barrier"},
      {Effects::kDerivative, "derivative"},
      {Effects::kSubgroup, "subgroup"},
      {Effects::kDiscard, "discard"},
      {Effects::kMayNotTerminate, "may-not-terminate"},
      {Effects::kLeaves, "leaves"},
  };
  std::string text;
  for (const auto& [bit, name] : kNames) {
    if (effects.Has(bit)) text.append(text.empty() ? "" : " ").append(name);
  }
  return text;
}

struct Row {
  std::string_view body;
  std::string_view effects;
};

class FunctionEffects : public testing::TestWithParam<Row> {};

TEST_P(FunctionEffects, AreWhatTheBodyDoes) {
  TestModule test(std::string(kWorld) + "fn %f(%a: i32) {" + std::string(GetParam().body) + "}");
  ASSERT_EQ(test.errors, "");
  EXPECT_EQ(Names(test.module.functions.back()->effects), GetParam().effects);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, FunctionEffects,
    testing::Values(
        Row{"", ""}, Row{"let %x = (%a + 1i); return;", ""}, Row{"var %x: i32 = %a; store %x = 2i;", ""},
        Row{"eval load(%u);", ""}, Row{"eval load(%s[%a]);", "reads-storage"},
        Row{"store %s[0i] = 1u;", "writes-storage"}, Row{"store %p = load(%p);", "reads-private writes-private"},
        Row{"eval atomicLoad(%w);", "reads-workgroup atomic"},
        Row{"eval atomicStore(%w, 1u);", "writes-workgroup atomic"},
        Row{"eval atomicAdd(%w, 1u);", "reads-workgroup writes-workgroup atomic"},
        Row{"eval workgroupBarrier();", "barrier"},
        Row{"eval textureSample(load(%t), load(%m), vec2<f32>{});", "derivative"},
        Row{"eval textureLoad(load(%t), vec2<i32>{}, 0i);", ""},
        Row{"eval textureLoad(load(%i), vec2<i32>{});", "reads-storage"},
        Row{"eval textureStore(load(%i), vec2<i32>{}, vec4<u32>{});", "writes-storage"},
        Row{"eval dpdx(1f);", "derivative"}, Row{"eval subgroupAdd(1f);", "subgroup"}, Row{"discard;", "discard"},
        Row{"loop { return; }", "may-not-terminate"},
        Row{"var %j: i32; loop { if !(load(%j) < 4i) { break; } } continuing { store %j = (load(%j) + 1i); }", ""},
        Row{"var %j: i32; loop { if !(load(%j) < 4i) { break; } } continuing { store %j = (load(%j) - 1i); }",
            "may-not-terminate"},
        Row{"var %j: i32; loop { if !(load(%j) < 4i) { break; } store %j = 0i; } continuing { store %j = (load(%j) + "
            "1i); }",
            "may-not-terminate"},
        Row{"var %j: i32; let %q = %j; loop { if !(load(%j) < 4i) { break; } store %q = 0i; } continuing { store %j = "
            "(load(%j) + 1i); }",
            "may-not-terminate"},
        Row{"var %j: u32 = 9u; loop { if !(load(%j) >= 0u) { break; } } continuing { store %j = (load(%j) - 1u); }",
            "may-not-terminate"},
        Row{"var %j: i32; loop { if !(load(%j) <= 2147483647i) { break; } } continuing { store %j = (load(%j) + 1i); }",
            "may-not-terminate"}));

TEST(Effects, ComeFromCalleesInAnyOrder) {
  TestModule test(std::string(kWorld) + R"(
    fn %a() { eval %b(); }
    fn %b() { eval %c(1u); }
    fn %c(%x: u32) { store %s[0i] = %x; discard; }
  )");
  ASSERT_EQ(test.errors, "");
  for (const Function* f : test.module.functions) EXPECT_EQ(Names(f->effects), "writes-storage discard") << f->name;
}

TEST(Effects, ThroughPointersAreTheCallers) {
  TestModule test(std::string(kWorld) + R"(
    fn %set(%p2: ptr<function, f32, read_write>) { store %p2 = 1f; }
    fn %own() { var %v: f32; eval %set(%v); }
    fn %pass(%q: ptr<function, f32, read_write>) { eval %set(%q); }
  )");
  ASSERT_EQ(test.errors, "");
  EXPECT_EQ(Names(test.module.functions[0]->effects), "writes-function");
  EXPECT_EQ(Names(test.module.functions[1]->effects), "");
  EXPECT_EQ(Names(test.module.functions[2]->effects), "writes-function");
  // The statement in %own that calls does write function memory.
  EXPECT_EQ(Names(EffectsOf(*test.module.functions[1]->body.last)), "writes-function");
}

TEST(Effects, OfCyclesAreEverything) {
  TestModule test("fn %a() { eval %b(); } fn %b() { eval %a(); }");
  EXPECT_TRUE(test.module.functions[0]->effects.Has(Effects::kMayNotTerminate));
  EXPECT_TRUE(test.module.functions[1]->effects.Has(Effects::kMayNotTerminate));
}

TEST(Effects, LeavesOnlyWhereControlGoesOut) {
  TestModule test("fn %f() { loop { switch 1i { case default { break; } } if true { break; } } if true { return; } }");
  ASSERT_EQ(test.errors, "");
  const Block& body = test.module.functions[0]->body;
  EXPECT_EQ(Names(EffectsOf(*body.first)), "may-not-terminate");
  EXPECT_EQ(Names(EffectsOf(*body.last)), "leaves");
  const Block& inside = body.first->As<LoopStmt>()->body;
  EXPECT_EQ(Names(EffectsOf(*inside.first)), "");
  EXPECT_EQ(Names(EffectsOf(*inside.last)), "leaves");
}

TEST(Effects, Commute) {
  const Effects reads(Effects::kReadsStorage);
  const Effects writes(Effects::kWritesStorage);
  const Effects other(Effects::kWritesPrivate);
  const Effects barrier(Effects::kBarrier);
  EXPECT_TRUE(reads.CommutesWith(reads));
  EXPECT_FALSE(reads.CommutesWith(writes));
  EXPECT_FALSE(writes.CommutesWith(reads));
  EXPECT_FALSE(writes.CommutesWith(writes));
  EXPECT_TRUE(writes.CommutesWith(other));
  EXPECT_FALSE(barrier.CommutesWith(reads));
  EXPECT_FALSE(reads.CommutesWith(barrier));
  EXPECT_TRUE(Effects().CommutesWith(barrier));
  EXPECT_TRUE(reads.IsDroppable());
  EXPECT_FALSE(reads.IsPure());
  EXPECT_FALSE(barrier.IsDroppable());
  EXPECT_TRUE(Effects(Effects::kDerivative).IsDroppable());
}

}  // namespace
}  // namespace kiln::ir
