// SPDX-License-Identifier: Apache-2.0
#include "ir/names.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/print.h"
#include "ir/test_module.h"

namespace kiln::ir {
namespace {

TEST(IrNames, ReservedWords) {
  EXPECT_TRUE(IsReservedWord("alias"));
  EXPECT_TRUE(IsReservedWord("NULL"));
  EXPECT_TRUE(IsReservedWord("yield"));
  EXPECT_FALSE(IsReservedWord("min"));
  EXPECT_FALSE(IsReservedWord("zero"));
}

TEST(IrNames, SiblingScopesShareANameAndNestedOnesDoNot) {
  TestModule test(R"(fn %f() {
    { let %i = 1i; eval %i; }
    { let %i = 2i; { let %i = 3i; eval %i; } eval %i; }
    let %f = 4i;
  })");
  EXPECT_EQ(test.errors, "");
  EXPECT_EQ(Print(test.module), R"(
fn %f() {
  {
    let %i = 1i;
    eval %i;
  }
  {
    let %i = 2i;
    {
      let %i_1 = 3i;
      eval %i_1;
    }
    eval %i;
  }
  let %f_1 = 4i;
}
)");
}

TEST(IrNames, PredeclaredNamesAreKeptWhereTheyHideNothingUsed) {
  TestModule test(R"(fn %f(%min: i32, %max: i32, %vec3: i32, %read: i32) -> i32 { return min(%min, %max); })");
  EXPECT_EQ(test.errors, "");
  EXPECT_EQ(Print(test.module), R"(
fn %f(%min_1: i32, %max: i32, %vec3_1: i32, %read: i32) -> i32 {
  return min(%min_1, %max);
}
)");
}

TEST(IrNames, TypesThatTheModuleDoesNotWriteAreFree) {
  TestModule plain(
      "@group(0) @binding(0) var %buffer: ptr<uniform, f32, read>; var %ptr: ptr<private, f32, read_write>;");
  ASSERT_EQ(plain.errors, "");
  EXPECT_EQ(NameMap(plain.module).Of(*plain.module.vars[0]), "buffer");
  EXPECT_EQ(NameMap(plain.module).Of(*plain.module.vars[1]), "ptr");
  TestModule used("var %ptr: ptr<private, f32, read_write>; fn %f(%p: ptr<private, f32, read_write>) { }");
  EXPECT_EQ(NameMap(used.module).Of(*used.module.vars[0]), "ptr_1");
}

TEST(IrNames, WhatTheHostKnowsDoesNotGiveWay) {
  TestModule test(R"(fn %main() { }
    @abi @fragment fn %main() { })");
  EXPECT_EQ(Print(test.module), R"(
fn %main_1() {
}

@abi @fragment fn %main() {
}
)");
}

TEST(IrNames, AnythingBecomesAnIdentifier) {
  TestModule test;
  Builder b(test.module);
  const auto param = [&](std::string_view name) { return b.NewParam(name, core::I32()); };
  Param* params[] = {param(""),    param("a b"), param("_"), param("__x"), param("7"),
                     param("var"), param("été"), param(""),  param("p")};
  b.AddFunction("a.b.c", core::Void(), params);
  NameMap names(test.module);
  std::string all(names.Of(*test.module.functions[0]));
  for (const Param* p : params) all.append(" ").append(names.Of(*p));
  EXPECT_EQ(all, "abc p ab p_1 x p7 var_1 été p_2 p_3");
}

TEST(IrNames, RunningAgainChangesNothing) {
  TestModule test(R"(fn %f(%x: i32, %x_1: i32) { let %x = 1i; { let %x_1 = 2i; let %x = 3i; let %x_1_1 = 4i; } })");
  const std::string once = Print(test.module);
  TestModule again(once);
  EXPECT_EQ(again.errors, "");
  EXPECT_EQ(Print(again.module), once);
}

TEST(IrNames, ManyOfOneNameAreFast) {
  TestModule test;
  Builder b(test.module);
  Function* f = b.AddFunction("f", core::Void(), {});
  b.SetBlock(&f->body);
  for (int i = 0; i < 100000; ++i) b.AppendLet("", b.Constant(core::Constant::Bool(true)));
  NameMap names(test.module);  // a quadratic search would take minutes
  EXPECT_EQ(names.Of(*f->body.last->As<LetStmt>()->let), "t_99999");
}

}  // namespace
}  // namespace kiln::ir
