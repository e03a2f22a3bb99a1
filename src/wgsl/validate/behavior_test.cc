// SPDX-License-Identifier: Apache-2.0
#include "wgsl/validate/validate_testing.h"

namespace kiln::wgsl::validate {
namespace {

/// Statements of a function without result, from column 1 of line 2 on; `a` is a bool variable.
std::string Body(std::string_view statements) { return "fn f() { var a = true;\n" + std::string(statements) + "\n}"; }
void ExpectBody(std::string_view statements) { ExpectValid(Body(statements)); }
void ExpectBodyCodes(std::string_view statements, std::string_view codes) { ExpectCodes(Body(statements), codes); }

TEST(Behavior, ReturnsOnAllWays) {
  ExpectValid("fn f() -> i32 { return 1; }");
  ExpectValid("fn f(a: bool) -> i32 { if a { return 1; } else { return 2; } }");
  ExpectValid("fn f(a: bool) -> i32 { if a { return 1; } return 2; }");
  ExpectValid("fn f(a: i32) -> i32 { switch a { case 1: { return 1; } default: { return 2; } } }");
  ExpectValid("fn f() -> i32 { loop { return 1; } }");
  ExpectValid("fn f(a: bool) -> i32 { loop { if a { return 1; } } }");
  ExpectValid("fn f() -> i32 { for (;;) { return 1; } }");
  ExpectValid("fn f() -> i32 { { return 1; } }");
  ExpectValid("fn f() -> i32 { return 1; let a = 2; }");
  ExpectCodes("fn f() -> i32 { }", "1:17 missing-return");
  ExpectCodes("fn f(a: bool) -> i32 { if a { return 1; } }", "1:43 missing-return");
  ExpectCodes("fn f(a: bool) -> i32 { if a { return 1; } else if !a { return 2; } }", "1:68 missing-return");
  ExpectCodes("fn f(a: i32) -> i32 { switch a { case 1: { return 1; } default: { } } }", "1:71 missing-return");
  ExpectCodes("fn f(a: i32) -> i32 { switch a { case 1: { break; } default: { return 1; } } }", "1:78 missing-return");
  ExpectCodes("fn f(a: bool) -> i32 { while a { return 1; } }", "1:46 missing-return");
  ExpectCodes("fn f() -> i32 { loop { break; } }", "1:33 missing-return");
  ExpectCodes("fn f() -> i32 { loop { continuing { break if true; } } }", "1:56 missing-return");
}

TEST(Behavior, BreakAndContinueNeedATarget) {
  ExpectBody("loop { break; }");
  ExpectBody("loop { if a { break; } else { continue; } }");
  ExpectBody("while a { continue; }");
  ExpectBody("for (;a;) { { break; } }");
  ExpectBody("switch 1 { default: { break; } }");
  ExpectBody("loop { switch 1 { case 1: { break; } default: { continue; } } break; }");
  ExpectBodyCodes("break;", "2:1 misplaced-break");
  ExpectBodyCodes("continue;", "2:1 misplaced-continue");
  ExpectBodyCodes("if a { break; }", "2:8 misplaced-break");
  ExpectBodyCodes("switch 1 { default: { continue; } }", "2:23 misplaced-continue");
}

TEST(Behavior, ContinuingIsLeftAtItsEndOnly) {
  ExpectBody("loop { continuing { break if a; } }");
  ExpectBody("loop { break; continuing { loop { break; } } }");
  ExpectBody("loop { break; continuing { for (;a;) { continue; } } }");
  ExpectBody("loop { break; continuing { switch 1 { default: { break; } } } }");
  ExpectBodyCodes("loop { continuing { break; } }", "2:21 misplaced-break");
  ExpectBodyCodes("loop { break; continuing { if a { break; } } }", "2:35 misplaced-break");
  ExpectBodyCodes("loop { break; continuing { continue; } }", "2:28 misplaced-continue");
  ExpectBodyCodes("loop { break; continuing { switch 1 { default: { continue; } } } }", "2:50 misplaced-continue");
  ExpectBodyCodes("loop { break; continuing { return; } }", "2:28 misplaced-return");
  ExpectBodyCodes("loop { break; continuing { loop { if a { return; } break; } } }", "2:42 misplaced-return");
}

TEST(Behavior, LoopsEnd) {
  ExpectBody("loop { return; }");
  ExpectBody("while true { }");
  ExpectBodyCodes("loop { }", "2:1 endless-loop");
  ExpectBodyCodes("loop { continue; }", "2:1 endless-loop");
  ExpectBodyCodes("for (;;) { }", "2:1 endless-loop");
  ExpectBodyCodes("loop { loop { break; } }", "2:1 endless-loop");
  ExpectBodyCodes("loop { switch 1 { default: { break; } } }", "2:1 endless-loop");
  ExpectBodyCodes("return; loop { }", "2:9 endless-loop");
}

TEST(Behavior, ContinueDoesNotSkipADeclarationInUse) {
  ExpectBody("loop { let b = a; if a { continue; } continuing { break if b; } }");
  ExpectBody("loop { if a { continue; } let b = a; continuing { break if a; } }");
  ExpectBody("loop { loop { if a { continue; } break; } let b = a; continuing { break if b; } }");
  ExpectBody("loop { if a { continue; } continuing { let b = a; break if b; } }");
  ExpectMessages(Body("loop { if a { continue; } let b = a; continuing { break if b; } }"),
                 "2:15 continue-past-declaration: this 'continue' skips the declaration of 'b'\n"
                 "  2:31: 'b' is declared here\n"
                 "  2:60: and used in the continuing block here");
  ExpectBodyCodes("loop { switch 1 { default: { continue; } } var b = 1; continuing { if a { b += 1; } break if a; } }",
                  "2:30 continue-past-declaration");
}

TEST(Filters, Conflicts) {
  ExpectValid("diagnostic(off, derivative_uniformity); diagnostic(off, derivative_uniformity);");
  ExpectValid("@diagnostic(off, derivative_uniformity) @diagnostic(info, subgroup_uniformity) fn f() { }");
  ExpectValid("@diagnostic(off, derivative_uniformity) fn f() { @diagnostic(error, derivative_uniformity) { } }");
  ExpectValid("diagnostic(off, someone.rule); diagnostic(off, someone.other);");
  ExpectCodes("diagnostic(off, derivative_uniformity); diagnostic(info, derivative_uniformity);",
              "1:58 conflicting-diagnostic-filters");
  ExpectCodes("diagnostic(off, someone.rule); diagnostic(info, someone.rule);", "1:49 conflicting-diagnostic-filters");
  ExpectCodes("@diagnostic(off, derivative_uniformity) @diagnostic(info, derivative_uniformity) fn f() { }",
              "1:59 conflicting-diagnostic-filters");
  ExpectCodes("@diagnostic(off, derivative_uniformity) @diagnostic(off, derivative_uniformity) fn f() { }",
              "1:58 repeated-attribute");
  for (const char* statement :
       {"if true {}", "loop { break; }", "while true {}", "for (;true;) {}", "{}", "switch 1 { default: {} }"}) {
    ExpectCodes("fn f() {\n@diagnostic(off, derivative_uniformity) @diagnostic(info, derivative_uniformity)\n" +
                    std::string(statement) + "}",
                "2:59 conflicting-diagnostic-filters");
  }
  ExpectCodes(
      "fn f() { switch 1 @diagnostic(off, derivative_uniformity) @diagnostic(info, derivative_uniformity)"
      "{ default: {} } }",
      "1:77 conflicting-diagnostic-filters");
}

TEST(Filters, UnknownRulesAreWarnings) {
  const Validated validated("diagnostic(off, derivative_uniformty);");
  EXPECT_TRUE(validated.is_valid);
  EXPECT_EQ(validated.Messages(),
            "warning 1:17 unknown-diagnostic-rule: there is no diagnostic rule 'derivative_uniformty'");
}

}  // namespace
}  // namespace kiln::wgsl::validate
