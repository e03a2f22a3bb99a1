// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include "wgsl/syntax/syntax_testing.h"

namespace kiln::wgsl {
namespace {

TEST(ParseStmt, Simple) {
  ExpectStatements("");
  ExpectStatements(";;");
  ExpectStatements("{}");
  ExpectStatements("{ { ; } }");
  ExpectStatements("return;");
  ExpectStatements("return 1;");
  ExpectStatements("discard;");
  ExpectStatements("const_assert true;");
  ExpectStatements("f(); f(1, 2,); f<i32>(1);");
  ExpectStatementErrors("return", "3:1: expected an expression after 'return', found '}'");
  ExpectStatementErrors("discard", "3:1: expected ';' after 'discard', found '}'");
  ExpectStatementErrors("f()", "3:1: expected ';' after the statement, found '}'");
  ExpectStatementErrors("f().x;", "2:6: expected '=', '++' or '(' to go on with the statement, found ';'");
  ExpectStatementErrors("(f());", "2:6: expected '=', '++' or '(' to go on with the statement, found ';'");
  ExpectStatementErrors("1;", "2:1: expected a statement here, found number '1'");
  ExpectStatementErrors("a;", "2:2: expected '=', '++' or '(' to go on with the statement, found ';'");
  ExpectStatementErrors("a == b;", "2:3: expected '=', '++' or '(' to go on with the statement, found '=='");
  ExpectStatementErrors("retrun 1;",
                        "2:8: expected '=', '++' or '(' to go on with the statement, found number '1'\n"
                        "  hint: did you mean 'return'?");
  ExpectStatementErrors("fn g() {}",
                        "2:1: expected '}' to end the body of the function, found 'fn'\n"
                        "  note 1:8: to match this '{'\n"
                        "3:1: this '}' closes nothing");
}

TEST(ParseStmt, Declarations) {
  ExpectStatements("var a: i32; var b = 1; var c: i32 = 1; var<function> d: i32; var<function, read_write> e = 2;");
  ExpectStatements("let a = 1; let b: i32 = 1; const c = 1; const d: u32 = 1u;");
  ExpectStatementErrors("let a;", "2:6: expected '=' after the name of the let, found ';'");
  ExpectStatementErrors("const a;", "2:8: expected '=' after the name of the const, found ';'");
  ExpectStatementErrors("let a: i32;", "2:11: expected '=' after the name of the let, found ';'");
  ExpectStatementErrors("let = 1;", "2:5: expected the name of a let here, found '='");
  ExpectStatementErrors("var a = ;", "2:9: expected an expression after '=', found ';'");
  ExpectStatementErrors("let a = 1\nlet b = 2;", "3:1: expected ';' after the declaration, found 'let'");
  ExpectStatementErrors("@align(4) let a = 1;", "2:1: this statement cannot have attributes");
}

TEST(ParseStmt, Assignments) {
  ExpectStatements("a = 1; a.b = 1; a[0] = 1; a[0].b = 1; *a = 1; (*a).b = 1; (a) = 1; *&a = 1; &*a = 1; *f(a) = 1;");
  ExpectStatements("a += 1; a[i] <<= 2u; a++; a[0]--; (*p)++; ((a)) = 1; _ = a; _ = f();");
  ExpectStatementErrors("1 = a;", "2:1: expected a statement here, found number '1'");
  ExpectStatementErrors("(a + b) = 1;", "2:2: this expression cannot stand left of '='");
  ExpectStatementErrors("*-a = 1;", "2:1: this expression cannot stand left of '='");
  ExpectStatementErrors("a<b> = 1;", "2:1: this expression cannot stand left of '='");
  ExpectStatementErrors("_ += 1;", "2:3: expected '=' after '_', found '+='");
  ExpectStatementErrors("_ = ;", "2:5: expected an expression after '=', found ';'");
  ExpectStatementErrors("a = b = c;", "2:7: expected ';' after the statement, found '='");
  ExpectStatementErrors("++a;", "2:1: WGSL has no prefix '++'");
  ExpectStatementErrors("--a;", "2:1: WGSL has no prefix '--'");
  ExpectStatementErrors("a+++b;", "2:4: expected ';' after the statement, found '+'");
}

TEST(ParseStmt, If) {
  ExpectStatements("if a {}");
  ExpectStatements("if (a) { return; } else { return; }");
  ExpectStatements("if a {} else if b {} else if c {} else {}");
  ExpectStatements("@diagnostic(off, x) if a @diagnostic(off, x) {} else @diagnostic(off, x) {}");
  ExpectStatementErrors("if {}", "2:4: expected an expression after 'if', found '{'");
  ExpectStatementErrors("if a return;", "2:6: expected '{' to begin the body of the if, found 'return'");
  ExpectStatementErrors("if a {} else return;", "2:14: expected '{' to begin the body of the else, found 'return'");
  ExpectStatementErrors("else {}", "2:1: this 'else' belongs to no 'if'");
  ExpectStatementErrors("if a == { let b = ; }",
                        "2:9: expected an expression after the operator, found '{'\n"
                        "2:19: expected an expression after '=', found ';'");
  const Parsed parsed("fn f() { if a {} else if b {} else if c {} else { x = 1; } }");
  ASSERT_TRUE(parsed.module);
  const auto* statement = (*parsed.module)->decls[0]->As<ast::Function>()->body->statements[0]->As<ast::If>();
  EXPECT_EQ(statement->arms.size(), 3u);
  ASSERT_NE(statement->else_body, nullptr);
  EXPECT_EQ(statement->else_body->statements.size(), 1u);
}

TEST(ParseStmt, Switch) {
  ExpectStatements("switch a { default {} }");
  ExpectStatements("switch (a) { case 1: {} case 2, 3: {} case 4, {} case 5, default {} }");
  ExpectStatements("switch a { case 1, 2,: {} default: {} }");
  ExpectStatements("switch a { case default {} }");
  ExpectStatements("switch a @diagnostic(off, x) { default @diagnostic(off, x) {} }");
  ExpectStatementErrors("switch a {}", "2:11: a switch must have at least one clause");
  ExpectStatementErrors("switch a { return; }",
                        "2:12: expected 'case', 'default' or '}' in the switch, found 'return'\n"
                        "  note 2:10: to match this '{'");
  ExpectStatementErrors("switch { default {} }", "2:8: expected an expression after 'switch', found '{'");
  ExpectStatementErrors("switch a { case {} }", "2:17: expected an expression after 'case', found '{'");
  ExpectStatementErrors("switch a { case 1: return; }",
                        "2:20: expected '{' to begin the body of the case, found 'return'");
  ExpectStatementErrors("case 1: {}", "2:1: 'case' can only stand in a 'switch'");
  ExpectStatementErrors("default: {}", "2:1: 'default' can only stand in a 'switch'");
}

TEST(ParseStmt, Loops) {
  ExpectStatements("loop { break; }");
  ExpectStatements("loop { continuing {} }");
  ExpectStatements("loop { a = 1; continuing { a = 2; break if a == 2; } }");
  ExpectStatements(
      "@diagnostic(off, x) loop @diagnostic(off, x) { continuing @diagnostic(off, x) { break if true; } }");
  ExpectStatements("while a { continue; }");
  ExpectStatements("while (a) { break; }");
  ExpectStatements("for (;;) { break; }");
  ExpectStatements("for (var i = 0; i < 4; i++) {}");
  ExpectStatements("for (let i = 0; a; f()) {}");
  ExpectStatements("for (i = 0; a; i += 1) {}");
  ExpectStatements("for (f(); a; _ = f()) {}");
  ExpectStatements("for (i++; a; i--) {}");
  ExpectStatementErrors("loop { continuing {} a = 1; }",
                        "2:22: expected '}' to end the loop after its continuing block, found identifier 'a'\n"
                        "  note 2:8: the continuing block is here");
  ExpectStatementErrors("continuing {}", "2:1: 'continuing' can only be the last part of a 'loop'");
  ExpectStatementErrors("while a { continuing {} }", "2:11: 'continuing' can only be the last part of a 'loop'");
  ExpectStatementErrors("loop { if a { continuing {} } }", "2:15: 'continuing' can only be the last part of a 'loop'");
  ExpectStatementErrors("loop { break if a; }", "2:8: 'break if' can only be the last statement of a continuing block");
  ExpectStatementErrors("loop { continuing { break if a; a = 1; } }",
                        "2:21: 'break if' can only be the last statement of a continuing block");
  ExpectStatementErrors("loop { continuing { if b { break if a; } } }",
                        "2:28: 'break if' can only be the last statement of a continuing block");
  ExpectStatementErrors("for {}", "2:5: expected '(' after 'for', found '{'");
  ExpectStatementErrors("for (i = 0) {}", "2:11: expected ';' after the initializer of the for, found ')'");
  ExpectStatementErrors("for (;;i++;) { let a = ; }",
                        "2:11: expected ')' to end the header of the for, found ';'\n"
                        "  note 2:5: to match this '('\n"
                        "2:24: expected an expression after '=', found ';'");
  ExpectStatementErrors("for (let i = ; i < 3; i++) { }", "2:14: expected an expression after '=', found ';'");
  ExpectStatementErrors("for (;;let a = 1) {}", "2:8: expected an expression here, found 'let'");
  ExpectStatementErrors("break if;", "2:9: expected an expression after 'break if', found ';'");
}

TEST(ParseStmt, ContinuingIsNotInTheBody) {
  const Parsed parsed("fn f() { loop { a = 1; continuing { b = 1; c = 1; break if d; } } }");
  ASSERT_TRUE(parsed.module);
  const auto* loop = (*parsed.module)->decls[0]->As<ast::Function>()->body->statements[0]->As<ast::Loop>();
  EXPECT_EQ(loop->body->statements.size(), 1u);
  ASSERT_NE(loop->continuing, nullptr);
  ASSERT_EQ(loop->continuing->statements.size(), 3u);
  EXPECT_TRUE(loop->continuing->statements.back()->Is<ast::BreakIf>());
}

TEST(ParseStmt, OneMessageAMistake) {
  ExpectStatementErrors(
      "let a = ;\n"
      "if (a { b = 1; }\n"
      "c = (1 + ;\n"
      "while x + { y = ; }\n"
      "d = 1;",
      "2:9: expected an expression after '=', found ';'\n"
      "3:7: expected ')' after the expression, found '{'\n"
      "  note 3:4: to match this '('\n"
      "4:10: expected an expression after the operator, found ';'\n"
      "5:11: expected an expression after the operator, found '{'\n"
      "5:17: expected an expression after '=', found ';'");
}

TEST(ParseStmt, DepthIsBounded) {
  const auto repeat = [](std::string_view text, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += text;
    return out;
  };
  for (const size_t count : {size_t{100}, size_t{127}, size_t{128}, size_t{10'000}, size_t{100'000}}) {
    const bool fits = count <= kMaxStatementDepth;
    for (const std::string& text :
         {repeat("{", count) + repeat("}", count), repeat("if a {", count) + repeat("}", count),
          repeat("loop {", count) + "break;" + repeat("}", count), repeat("while a {", count) + repeat("}", count),
          repeat("for (;a;) {", count) + repeat("}", count)}) {
      const Parsed parsed("fn f() {" + text + "}");
      EXPECT_EQ(static_cast<bool>(parsed.module), fits) << text.substr(0, 20) << count;
      EXPECT_EQ(parsed.sink.error_count(), fits ? 0u : 1u) << text.substr(0, 20) << count << parsed.Messages();
    }
  }
  for (const size_t count : {size_t{500}, size_t{10'000}}) {
    const Parsed parsed("fn f() { if a {}" + repeat(" else if a {}", count) + " }");
    EXPECT_EQ(static_cast<bool>(parsed.module), count < kMaxElseIfs);
    EXPECT_EQ(parsed.sink.error_count(), count < kMaxElseIfs ? 0u : 1u);
  }
  // Many blocks beside each other are no depth.
  ExpectStatements(repeat("{}", 100'000));
  ExpectStatements(repeat("if a {}", 10'000));
}

// All kinds of nesting at once, at their limits, on a stack of 512 KiB.
TEST(ParseStmt, DepthFitsASmallStack) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr size_t kStack = 4 << 20;
#else
  constexpr size_t kStack = 512 << 10;
#endif
  const auto run = [](void*) -> void* {
    std::string text = "fn f() {";
    for (int i = 0; i < kMaxStatementDepth; ++i) text += "loop { continuing { switch a { default {";
    for (int i = 0; i < kMaxStatementDepth; ++i) text += "if a {";
    text += "x = ";
    for (int i = 0; i < 100; ++i) text += "-f(a<(a[";
    const Parsed parsed(text);
    EXPECT_FALSE(parsed.module);
    std::string valid = "fn f() {";
    for (int i = 0; i < kMaxStatementDepth - 1; ++i) valid += "if a {";
    valid += "x = ";
    for (int i = 0; i < kMaxNesting / 4; ++i) valid += "-f((a[";
    valid += "0";
    for (int i = 0; i < kMaxNesting / 4; ++i) valid += "]))";
    valid += ";";
    for (int i = 0; i < kMaxStatementDepth; ++i) valid += "}";
    ExpectParses(valid);
    return nullptr;
  };
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStack), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, run, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace
}  // namespace kiln::wgsl
