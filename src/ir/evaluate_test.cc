// SPDX-License-Identifier: Apache-2.0
#include "ir/evaluate.h"

#include <gtest/gtest.h>

#include "ir/test_module.h"

namespace kiln::ir {
namespace {

std::string ValueOf(std::string_view expr, std::string_view type) {
  TestModule test("override %n: i32 = 4i; override %twice: i32 = (%n * 2i); override %open: i32;\noverride %x: " +
                  std::string(type) + " = " + std::string(expr) + ";");
  EXPECT_EQ(test.errors, "");
  const Override* x = test.module.overrides.back();
  const core::Constant* value = EvaluateWithDefaults(test.types, *x->init);
  return value ? core::ConstantText(value) : "unknown";
}

TEST(IrEvaluate, ComputesFromDefaults) {
  EXPECT_EQ(ValueOf("((%twice + 1i) << 2u)", "i32"), "36i");
  EXPECT_EQ(ValueOf("-%n", "i32"), "-4i");
  EXPECT_EQ(ValueOf("convert<u32>(%n)", "u32"), "4u");
  EXPECT_EQ(ValueOf("bitcast<u32>(1f)", "u32"), "1065353216u");
  EXPECT_EQ(ValueOf("max(%n, 7i)", "i32"), "7i");
  EXPECT_EQ(ValueOf("vec2<i32>(%n, 3i).yx.x", "i32"), "3i");
  EXPECT_EQ(ValueOf("array<i32, 2>(%n, 3i)[1i]", "i32"), "3i");
  EXPECT_EQ(ValueOf("vec3<i32>(%n)[2u]", "i32"), "4i");
}

TEST(IrEvaluate, ShortCircuits) {
  EXPECT_EQ(ValueOf("((%n == 4i) || (%open == 1i))", "bool"), "true");
  EXPECT_EQ(ValueOf("((%n != 4i) && (%open == 1i))", "bool"), "false");
  EXPECT_EQ(ValueOf("((%n == 4i) && (%open == 1i))", "bool"), "unknown");
}

TEST(IrEvaluate, WhatIsNotKnownOrAnErrorHasNoValue) {
  EXPECT_EQ(ValueOf("%open", "i32"), "unknown");
  EXPECT_EQ(ValueOf("(%n / 0i)", "i32"), "unknown");
  EXPECT_EQ(ValueOf("(1i << 32u)", "i32"), "unknown");
}

}  // namespace
}  // namespace kiln::ir
