// SPDX-License-Identifier: Apache-2.0
#include "ir/verify.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/test_module.h"

namespace kiln::ir {
namespace {

struct Broken {
  std::string_view text;
  std::string_view error;  // of the first line
};

class IrVerify : public testing::TestWithParam<Broken> {};

TEST_P(IrVerify, Refuses) {
  TestModule test(GetParam().text);
  EXPECT_EQ(test.errors.substr(0, test.errors.find('\n')), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, IrVerify,
    testing::Values(
        Broken{"fn %f() { break; }", "1: nothing to break out of (in function 'f')"},
        Broken{"fn %f() { switch 1i { case default { continue; } } }", "1: no loop to continue (in function 'f')"},
        Broken{"fn %f() { loop { } continuing { return; } }", "1: a return in a continuing block (in function 'f')"},
        Broken{"fn %f() { loop { } continuing { break; } }", "1: nothing to break out of (in function 'f')"},
        Broken{"fn %f() { loop { } continuing { continue; } }", "1: no loop to continue (in function 'f')"},
        Broken{"fn %f() { if 1i { } }", "1: a condition is a bool (in function 'f')"},
        Broken{"fn %f() { switch 1i { case 1i { } } }", "1: a switch has one default (in function 'f')"},
        Broken{"fn %f() { switch 1i { case 1i { } case 1i, default { } } }",
               "1: two cases for one value (in function 'f')"},
        Broken{"fn %f() { switch 1i { case 1u, default { } } }",
               "1: a selector of another type than the switch (in function 'f')"},
        Broken{"fn %f() -> i32 { if true { return 1i; } }",
               "1: control reaches the end of a function with a result (in function 'f')"},
        Broken{"fn %f() -> i32 { return 1u; }", "1: a return of the wrong type (in function 'f')"},
        Broken{"fn %f(%p: ptr<uniform, f32, read>) { store %p = 1f; }",
               "1: a store to what is only read (in function 'f')"},
        Broken{"fn %f(%p: ptr<function, f32, read_write>) { store %p = 1i; }",
               "1: a store of the wrong type (in function 'f')"},
        Broken{"fn %f() { store 1f = 1f; }", "1: a store to what is no pointer (in function 'f')"},
        Broken{"fn %f(%v: vec2<f32>) { eval %v[1f]; }", "1: an index that is no i32 or u32 (in function 'f')"},
        Broken{"fn %f() { eval -(true); }", "1: no such operation on bool (in function 'f')"},
        Broken{"fn %f() { eval vec3<f32>(1f, 2f); }", "1: too few or too many components (in function 'f')"},
        Broken{"fn %f() { eval convert<vec2<f32>>(1f); }", "1: a conversion of the shape (in function 'f')"},
        Broken{"fn %f() { eval dot<i32>(vec2<f32>{}, vec2<f32>{}); }",
               "1: a built-in call of another type than its result (in function 'f')"},
        Broken{"fn %g(%a: i32) { } fn %f() { eval %g(1u); }",
               "1: an argument of another type than the parameter (in function 'f')"},
        Broken{"fn %f() { eval %f; }", "1: expected '('"},
        Broken{"@compute @workgroup_size(1u, 1u, 1u) fn %g() { } fn %f() { eval %g(); }",
               "1: a call of an entry point (in function 'f')"},
        Broken{"@compute fn %g() { }", "1: exactly compute entry points have a workgroup size (in function 'g')"},
        Broken{"var %v: ptr<uniform, f32, read>;", "1: exactly resources have a group and a binding"},
        Broken{"@group(0) @binding(0) var %v: ptr<private, f32, read_write>;",
               "1: exactly resources have a group and a binding"},
        Broken{"var %v: ptr<private, f32, read_write>; var %w: ptr<private, f32, read_write> = load(%v);",
               "1: only constants and overrides can be used outside functions"},
        Broken{"fn %f() { loop { if true { continue; } let %a = 1i; } continuing { eval %a; } }",
               "1: 'a' is not visible here (in function 'f')"},
        Broken{"var %w: ptr<workgroup, atomic<u32>, read_write>; fn %f() { eval load(%w); }",
               "1: a load of atomic<u32> (in function 'f')"}));

TEST(IrVerify, AcceptsWhatContinueDoesNotSkip) {
  TestModule test(R"(fn %f() -> i32 {
    loop {
      let %a = 1i;
      if true { let %inner = 2i; if (%inner == 2i) { continue; } }
      let %b = 2i;
      switch %b { case 1i { continue; } case default { break; } }
      return %b;
    } continuing { eval %a; break_if (%a == 1i); }
    loop { return 1i; }
  })");
  EXPECT_EQ(test.errors, "");
}

TEST(IrVerify, ANodeHasOnePlace) {
  TestModule test;
  Builder b(test.module);
  Function* f = b.AddFunction("f", core::Void(), {});
  b.SetBlock(&f->body);
  Expr* one = b.Constant(core::Constant::Int(test.arena, core::I32(), 1));
  b.AppendEval(b.Binary(core::BinaryOp::kAdd, one, one));
  EXPECT_FALSE(Verify(test.module, test.sink));
  EXPECT_EQ(test.sink.diagnostics()[0].message, "an expression stands in two places (in function 'f')");
}

TEST(IrVerify, BlocksKeepTheirLinks) {
  TestModule test;
  Builder b(test.module);
  Function* f = b.AddFunction("f", core::Void(), {});
  b.SetBlock(&f->body);
  b.AppendDiscard();
  b.AppendReturn(nullptr);
  Stmt* first = f->body.first;
  Stmt* last = f->body.last;
  b.SetInsertBefore(&f->body, last);
  BlockStmt* inner = b.AppendBlock();
  f->body.Remove(first);
  inner->body.Append(first);
  EXPECT_TRUE(Verify(test.module, test.sink));
  EXPECT_EQ(f->body.first, inner);
  f->body.Splice(inner, inner->body);
  EXPECT_TRUE(Verify(test.module, test.sink));
  EXPECT_EQ(f->body.first, first);
  EXPECT_EQ(first->next, inner);
  inner->body.first = first;  // in two blocks now
  EXPECT_FALSE(Verify(test.module, test.sink));
}

}  // namespace
}  // namespace kiln::ir
