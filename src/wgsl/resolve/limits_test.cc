// SPDX-License-Identifier: Apache-2.0
// One test a row of https://www.w3.org/TR/WGSL/#limits: what the specification wants supported is, and past the limit
// of this compiler there is an error. Memory is in wgsl/validate/memory_test.cc, nested blocks in
// wgsl/syntax/parse_stmt_test.cc.
#include "wgsl/resolve/limits.h"

#include <gtest/gtest.h>

#include "wgsl/resolve/resolve_testing.h"

namespace kiln::wgsl::resolve {
namespace {

template <typename F>
std::string Repeat(size_t count, F&& part) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += part(std::to_string(i));
  return text;
}

std::string ErrorsOf(std::string text) { return Resolved(std::move(text)).Errors(); }

TEST(Limits, MembersOfAStructure) {
  const auto structure = [](size_t members) {
    return "struct S { " + Repeat(members, [](const std::string& i) { return "m" + i + ": i32,"; }) + " }";
  };
  EXPECT_EQ(ErrorsOf(structure(1023)), "");
  EXPECT_EQ(ErrorsOf(structure(kMaxMembers)), "");
  EXPECT_NE(ErrorsOf(structure(kMaxMembers + 1)).find("too-many-members"), std::string::npos);
}

TEST(Limits, NestingOfACompositeType) {
  const auto nested = [](size_t depth) {
    return "alias A0 = array<i32, 1>;\n" + Repeat(depth - 1, [](const std::string& i) {
             return "alias A" + std::to_string(std::stoi(i) + 1) + " = array<A" + i + ", 1>;\n";
           });
  };
  EXPECT_EQ(ErrorsOf(nested(15)), "");
  EXPECT_EQ(ErrorsOf(nested(kMaxTypeNesting)), "");
  EXPECT_EQ(ErrorsOf(nested(kMaxTypeNesting + 1)), "256:14 type-too-deep");
}

TEST(Limits, ParametersOfAFunction) {
  const auto function = [](size_t params) {
    return "fn f(" + Repeat(params, [](const std::string& i) { return "p" + i + ": i32,"; }) + ") {}";
  };
  EXPECT_EQ(ErrorsOf(function(255)), "");
  EXPECT_NE(ErrorsOf(function(256)).find("too-many-parameters"), std::string::npos);
}

TEST(Limits, SelectorsOfASwitch) {
  const auto chosen = [](size_t selectors) {  // with the default
    return "fn f(x: i32) { switch x { case " + Repeat(selectors - 1, [](const std::string& i) { return i + ", "; }) +
           "{ } default { } } }";
  };
  EXPECT_EQ(ErrorsOf(chosen(1023)), "");
  EXPECT_EQ(ErrorsOf(chosen(kMaxSelectors)), "");
  EXPECT_EQ(ErrorsOf(chosen(kMaxSelectors + 1)), "1:16 too-many-selectors");
}

TEST(Limits, ElementsInTheConstructorOfAnArray) {
  const auto array = [](const std::string& type, size_t elements) {
    return "const a = " + type + "(" + Repeat(elements, [](const std::string&) { return "1,"; }) + ");";
  };
  EXPECT_EQ(ErrorsOf(array("array", 2047)), "");
  EXPECT_EQ(ErrorsOf(array("array", kMaxArrayArguments)), "");
  EXPECT_EQ(ErrorsOf(array("array", kMaxArrayArguments + 1)), "1:11 too-many-elements");
  EXPECT_EQ(ErrorsOf(array("array<u32, 32768>", 32768)), "1:11 too-many-elements");
  EXPECT_EQ(ErrorsOf("const a = array<u32, 65536>();"), "") << "nothing is written out";
}

// WebGPU's maxComputeWorkgroupStorageSize, by default 16384.
TEST(Limits, WorkgroupMemoryOfAPipeline) {
  const auto specialized = [](const std::string& count) {
    Resolved resolved("override n = " + count +
                      ";\nvar<workgroup> w: array<f32, n>;\n@compute @workgroup_size(1) fn main() { w[0] = 1; }");
    EXPECT_EQ(resolved.Errors(), "");
    (void)Specialize(*resolved.info, resolved.names, resolved.types, resolved.arena, resolved.sink, {}).ok();
    return resolved.Errors();
  };
  EXPECT_EQ(specialized("4096"), "");
  EXPECT_EQ(specialized("4097"), "3:32 too-much-workgroup-memory");
}

}  // namespace
}  // namespace kiln::wgsl::resolve
