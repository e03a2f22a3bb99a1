// SPDX-License-Identifier: Apache-2.0
#include "ir/clone.h"

#include <gtest/gtest.h>

#include "ir/print.h"
#include "ir/test_module.h"

namespace kiln::ir {
namespace {

TEST(IrClone, EveryStatementIsCopiedWithItsOwnNames) {
  constexpr std::string_view kBody = R"({
  let %a = (%x + 1i);
  var %v: i32 = %a;
  loop {
    let %b = load(%v);
    switch %b {
      case 1i, 2i {
        continue;
      }
      case default {
        break;
      }
    }
    if (%b == 2i) {
      discard;
    } else {
      {
        store %v = -%b;
      }
    }
  } continuing {
    eval %f(%b);
    break_if (%b == 3i);
  }
  return load(%v);
}
)";
  TestModule test("fn %f(%x: i32) -> i32 " + std::string(kBody));
  ASSERT_EQ(test.errors, "");
  Function* f = test.module.functions[0];
  Builder b(test.module);
  Param* x = b.NewParam("x", core::I32());
  Function* copy = b.AddFunction("g", core::I32(), std::span<Param* const>(&x, 1));
  Cloner cloner(test.module);
  cloner.Replace(f->params[0], x);
  cloner.Clone(f->body, copy->body);
  EXPECT_TRUE(Verify(test.module, test.sink));  // shares no node and no declaration
  EXPECT_EQ(Print(test.module),
            "\nfn %f(%x: i32) -> i32 " + std::string(kBody) + "\nfn %g(%x: i32) -> i32 " + std::string(kBody));
}

}  // namespace
}  // namespace kiln::ir
