// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/syntax_testing.h"

namespace kiln::wgsl {
namespace {

TEST(ParseExpr, Primary) {
  ExpectExpr("a", "a");
  ExpectExpr("true", "true");
  ExpectExpr("false", "false");
  ExpectExpr("12", "12");
  ExpectExpr("(((a)))", "a");
  ExpectExpr("f()", "f()");
  ExpectExpr("f(a, b,)", "f(a, b)");
  ExpectExpr("a.b.c", "a.b.c");
  ExpectExpr("a[1][i].x[2]", "a[1][i].x[2]");
  ExpectExpr("f(x)[0].y", "f(x)[0].y");
  ExpectExpr("(a + b).x", "(a + b).x");
  ExpectExpr("vec3<f32>(1, 2, 3).xy", "vec3<f32>(1, 2, 3).xy");
  ExpectExpr("array<vec4<f32>, 4>()", "array<vec4<f32>, 4>()");
  ExpectExpr("ptr<function, array<i32, 2>, read_write>", "ptr<function, array<i32, 2>, read_write>");
}

TEST(ParseExpr, Unary) {
  ExpectExpr("-a", "(-a)");
  ExpectExpr("!a", "(!a)");
  ExpectExpr("~a", "(~a)");
  ExpectExpr("&a", "(&a)");
  ExpectExpr("*a", "(*a)");
  ExpectExpr("-!~&*a", "(-(!(~(&(*a)))))");
  ExpectExpr("*a.b", "(*a.b)");
  ExpectExpr("(*a).b", "(*a).b");
  ExpectExpr("-a[0]", "(-a[0])");
  ExpectExpr("--a", "(-(-a))");
  ExpectExpr("---a", "(-(-(-a)))");
  ExpectExpr("&&a", "(&(&a))");
  ExpectExpr("a--b", "(a - (-b))");
  ExpectExpr("a---b", "(a - (-(-b)))");
  ExpectExpr("a- -b", "(a - (-b))");
  ExpectExpr("a&&&b", "(a && (&b))");
  ExpectExpr("a - -1", "(a - (-1))");
}

TEST(ParseExpr, Precedence) {
  ExpectExpr("a + b * c", "(a + (b * c))");
  ExpectExpr("a * b + c", "((a * b) + c)");
  ExpectExpr("a - b - c", "((a - b) - c)");
  ExpectExpr("a / b % c * d", "(((a / b) % c) * d)");
  ExpectExpr("a + b < c * d", "((a + b) < (c * d))");
  ExpectExpr("a < b && c > d", "((a < b) && (c > d))");
  ExpectExpr("a && b && c", "((a && b) && c)");
  ExpectExpr("a || b == c || d", "((a || (b == c)) || d)");
  ExpectExpr("a & b & c", "((a & b) & c)");
  ExpectExpr("a | b | -c", "((a | b) | (-c))");
  ExpectExpr("a ^ b[0] ^ c.x", "((a ^ b[0]) ^ c.x)");
  ExpectExpr("a << b", "(a << b)");
  ExpectExpr("a << b == c >> d", "((a << b) == (c >> d))");
  ExpectExpr("-a * -b", "((-a) * (-b))");
  ExpectExpr("a*(b+c)", "(a * (b + c))");
  ExpectExpr("(a & b) == c", "((a & b) == c)");
  ExpectExpr("(a && b) || c", "((a && b) || c)");
  ExpectExpr("a <= b", "(a <= b)");
  ExpectExpr("a >= b", "(a >= b)");
  ExpectExpr("a != b", "(a != b)");
  ExpectExpr("(a < b) == (c < d)", "((a < b) == (c < d))");
  ExpectExpr("(a << b) << c", "((a << b) << c)");
}

TEST(ParseExpr, MixingNeedsParentheses) {
  ExpectExprErrors("a & b | c", "1:13: mixing '&' and '|' needs parentheses");
  ExpectExprErrors("a & b + c", "1:13: mixing '&' and '+' needs parentheses");
  ExpectExprErrors("a + b & c", "1:13: mixing '+' and '&' needs parentheses");
  ExpectExprErrors("a & b == c", "1:13: mixing '&' and '==' needs parentheses");
  ExpectExprErrors("a == b & c", "1:13: mixing '==' and '&' needs parentheses");
  ExpectExprErrors("a && b || c", "1:13: mixing '&&' and '||' needs parentheses");
  ExpectExprErrors("a || b && c", "1:13: mixing '||' and '&&' needs parentheses");
  ExpectExprErrors("a && b & c", "1:13: mixing '&&' and '&' needs parentheses");
  ExpectExprErrors("a & b && c", "1:13: mixing '&' and '&&' needs parentheses");
  ExpectExprErrors("a << b << c", "1:13: more than one '<<' needs parentheses");
  ExpectExprErrors("a << b + c", "1:13: mixing '<<' and '+' needs parentheses");
  ExpectExprErrors("a + b << c", "1:13: mixing '+' and '<<' needs parentheses");
  ExpectExprErrors("a * b >> c", "1:13: mixing '*' and '>>' needs parentheses");
  ExpectExprErrors("a == b == c", "1:13: more than one '==' needs parentheses");
  ExpectExprErrors("a == b != c", "1:13: comparisons cannot be chained: '==' and '!=' need parentheses");
  ExpectExprErrors("1 < b < c", "1:13: more than one '<' needs parentheses");
  ExpectExprErrors("a ^ b | c", "1:13: mixing '^' and '|' needs parentheses");
}

// https://www.w3.org/TR/WGSL/#template-lists-sec, its notes and examples.
TEST(ParseExpr, TemplateLists) {
  ExpectExpr("A ( B < C, D > ( E ) )", "A(B<C, D>(E))");
  ExpectExpr("a<b>(c)", "a<b>(c)");
  ExpectExpr("a<b,>(c)", "a<b>(c)");
  ExpectExpr("array<i32,select(2,3,a>b)>()", "array<i32, select(2, 3, (a > b))>()");
  ExpectExpr("A<B<<C>", "A<(B << C)>");
  ExpectExpr("A<B<=C>", "A<(B <= C)>");
  ExpectExpr("A<(B>=C)>", "A<(B >= C)>");
  ExpectExpr("A<(B!=C)>", "A<(B != C)>");
  ExpectExpr("A<(B==C)>", "A<(B == C)>");
  ExpectExpr("a<b || c>d", "((a < b) || (c > d))");
  ExpectExpr("a < b && c > d", "((a < b) && (c > d))");
  ExpectExpr("a<b>>c", "(a<b> > c)");
  ExpectExpr("a<b<c>>(d)", "a<b<c>>(d)");
  ExpectExpr("a<b<c<d>>>(e)", "a<b<c<d>>>(e)");
  ExpectExpr("a<b>==c", "(a<b> == c)");
  ExpectExpr("a[b<c] > d", "(a[(b < c)] > d)");
}

TEST(ParseExpr, TemplateListErrors) {
  // By the rules of discovery these are lists, whatever was meant.
  ExpectExprErrors("f(a<b, c>d)",
                   "1:20: expected ')' after the arguments of the call, found identifier 'd'\n"
                   "  note 1:12: to match this '('");
  ExpectExprErrors("a.x<b, c>(d)",
                   "1:14: expected ';' after the const, found '<'\n"
                   "  hint: only a type or a function name can have template arguments");
  ExpectExprErrors("a<>()", "1:13: expected a template argument after '<', found '>'");
  ExpectExprErrors("a<b c>()",
                   "1:15: expected '>' after the template arguments, found identifier 'c'\n"
                   "  note 1:12: to match this '<'");
  // `<` without its `>` is a comparison.
  ExpectExpr("array<f32", "(array < f32)");
}

TEST(ParseExpr, Errors) {
  ExpectExprErrors("", "1:11: expected an expression after '=', found ';'");
  ExpectExprErrors("1 +", "1:14: expected an expression after the operator, found ';'");
  ExpectExprErrors("(1", "1:13: expected ')' after the expression, found ';'\n  note 1:11: to match this '('");
  ExpectExprErrors("a[1", "1:14: expected ']' after the index, found ';'\n  note 1:12: to match this '['");
  ExpectExprErrors("f(1",
                   "1:14: expected ')' after the arguments of the call, found ';'\n  note 1:12: to match this '('");
  ExpectExprErrors("f(1 2)",
                   "1:15: expected ')' after the arguments of the call, found number '2'\n"
                   "  note 1:12: to match this '('");
  ExpectExprErrors("f(,)", "1:13: expected an expression here, found ','");
  ExpectExprErrors("f(1,,)", "1:15: expected an expression after ',', found ','");
  ExpectExprErrors("a.", "1:13: expected a member name here, found ';'");
  ExpectExprErrors("a.if", "1:13: 'if' is a keyword of WGSL and cannot be a member name");
  ExpectExprErrors("a.0", "1:12: expected ';' after the const, found number '.0'");
  ExpectExprErrors("()", "1:12: expected an expression after '(', found ')'");
  ExpectExprErrors("++a", "1:11: WGSL has no prefix '++'");
  ExpectExprErrors("+a", "1:11: expected an expression after '=', found '+'");
  ExpectExprErrors("enum", "1:11: 'enum' is a reserved word of WGSL and cannot be a name");
  ExpectExprErrors("a b", "1:13: expected ';' after the const, found identifier 'b'");
  ExpectExprErrors("a ? b : c",
                   "1:13: invalid character U+003F ('?')\n"
                   "  hint: WGSL has no '?:'; use select(if_false, if_true, condition)");
  ExpectExprErrors("\"text\"", "1:11: invalid character U+0022 ('\"')\n  hint: WGSL has no strings and no quotes");
  ExpectExprErrors("a->b", "1:12: expected ';' after the const, found '->'");
  ExpectExprErrors("_", "1:11: expected an expression after '=', found '_'");
}

TEST(ParseExpr, DepthIsBounded) {
  const auto repeat = [](std::string_view text, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += text;
    return out;
  };
  for (const size_t count : {size_t{200}, size_t{10'000}, size_t{300'000}}) {
    const bool fits = count < kMaxNesting;
    for (const std::string& text :
         {repeat("(", count) + "1" + repeat(")", count), repeat("!", count) + "true", repeat("-", count) + "1",
          repeat("&", count) + "a", repeat("f(", count) + repeat(")", count),
          repeat("a[", count) + "0" + repeat("]", count), repeat("a<", count) + "b" + repeat(">", count)}) {
      const Parsed parsed("const x = " + text + ";");
      EXPECT_EQ(static_cast<bool>(parsed.module), fits) << text.substr(0, 20) << count;
      if (fits) continue;
      ASSERT_EQ(parsed.sink.error_count(), 1u) << text.substr(0, 20) << count;
      EXPECT_EQ(parsed.sink.diagnostics()[0].code, "nesting-too-deep");
    }
  }
  // Chains are trees that lean to one side.
  for (const size_t count : {size_t{500}, size_t{10'000}}) {
    const bool fits = count < kMaxExpressionDepth;
    for (const std::string& text : {"a" + repeat("+a", count), "a" + repeat("&&a", count), "a" + repeat(".b", count),
                                    "a" + repeat("[0]", count), "a" + repeat("|a", count), "a" + repeat("*a", count)}) {
      const Parsed parsed("const x = " + text + ";");
      EXPECT_EQ(static_cast<bool>(parsed.module), fits) << text.substr(0, 20) << count;
      EXPECT_EQ(parsed.sink.error_count(), fits ? 0u : 1u) << parsed.Messages();
    }
  }
}

}  // namespace
}  // namespace kiln::wgsl
