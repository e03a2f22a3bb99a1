// SPDX-License-Identifier: Apache-2.0
// https://www.w3.org/TR/WGSL/#limits
#include <gtest/gtest.h>

#include "wgsl/validate/validate_testing.h"

namespace kiln::wgsl::validate {
namespace {

constexpr std::string_view kMain = "\n@compute @workgroup_size(1) fn main() { _ = a[0]; _ = b[0]; }";

TEST(Memory, OfPrivateVariablesThatAShaderReaches) {
  const std::string half = "var<private> a: array<f32, 1048576>; ";
  ExpectValid(half + "var<private> b: array<f32, 1048576>;" + std::string(kMain));
  ExpectCodes(half + "var<private> b: array<f32, 1048577>;" + std::string(kMain), "1:51 too-much-private-memory");
  ExpectValid(half + "var<private> b: array<f32, 1>; var<private> other: array<f32, 1048576>;" + std::string(kMain));
}

TEST(Memory, OfTheVariablesOfAFunction) {
  ExpectValid("fn f() { var a: array<f32, 1048576>; if true { var b: array<f32, 1048576>; } }");
  ExpectCodes("fn f() { var a: array<f32, 1048576>; if true { var b: array<f32, 1048577>; } }",
              "1:52 too-much-function-memory");
  ExpectValid("fn f() { var a: array<f32, 1048576>; } fn g() { var a: array<f32, 2097152>; f(); }");
  ExpectMessages(
      "fn f() { var a: array<vec4f, 600000>; }",
      "1:14 too-much-function-memory: with 'a' the variables of 'f' take 9600000 bytes in all; at most 8388608 "
      "are possible\n  1:4: this is the function");
}

}  // namespace
}  // namespace kiln::wgsl::validate
