// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/syntax_testing.h"

namespace kiln::wgsl {
namespace {

TEST(ParseDecl, Empty) {
  ExpectParses("");
  ExpectParses(";");
  ExpectParses(";;;");
  ExpectParses("const a = 1;;");
}

TEST(ParseDecl, Directives) {
  ExpectParses("enable f16;");
  ExpectParses("enable f16, subgroups;");
  ExpectParses("enable f16, subgroups,;");
  ExpectParses("requires packed_4x8_integer_dot_product;");
  ExpectParses("diagnostic(off, derivative_uniformity);");
  ExpectParses("diagnostic(error, derivative_uniformity,);");
  ExpectParses("diagnostic(warning, chromium.unreachable_code);");
  ExpectParses("enable f16; requires unrestricted_pointer_parameters; diagnostic(info, a.b); const a = 1;");
  ExpectErrors("enable;", "1:7: expected the name of an extension here, found ';'");
  ExpectErrors("enable f16", "1:11: expected ';' after the enable directive, found the end of the file");
  ExpectErrors("enable (f16);", "1:8: the names of a directive stand without parentheses");
  ExpectErrors("enable f16,,;", "1:12: expected the name of an extension here, found ','");
  ExpectErrors("requires 1;", "1:10: expected the name of a language feature here, found number '1'");
  ExpectErrors("const a = 1;\nenable f16;", "2:1: directives must come before all declarations");
  ExpectErrors(";\nenable f16;", "2:1: directives must come before all declarations");
  ExpectErrors("diagnostic(of, a);",
               "1:12: 'of' is no severity: there are error, warning, info and off\n"
               "  hint: did you mean 'off'?");
  ExpectErrors("diagnostic(off);", "1:15: expected ',' after the severity, found ')'");
  ExpectErrors("diagnostic(off, a.b.c);",
               "1:20: expected ')' after the diagnostic rule, found '.'\n"
               "  note 1:11: to match this '('");
  ExpectErrors("diagnostic off, a;", "1:12: expected '(' after 'diagnostic', found identifier 'off'");
}

TEST(ParseDecl, Variables) {
  ExpectParses("var<private> a: i32;");
  ExpectParses("var<private> a = 1;");
  ExpectParses("var<private,> a: i32 = 1;");
  ExpectParses("@group(0) @binding(1) var<storage, read_write> a: array<u32>;");
  ExpectParses("@group(0) @binding(1) var t: texture_2d<f32>;");
  ExpectParses("var a: i32;");
  ExpectParses("override a: i32;");
  ExpectParses("override a;");
  ExpectParses("@id(3) override a: f32 = 1.0;");
  ExpectParses("const a = 1;");
  ExpectParses("const a: vec3<f32> = vec3<f32>();");
  ExpectErrors("const a;", "1:8: expected '=' after the name of the const, found ';'");
  ExpectErrors("const a = ;", "1:11: expected an expression after '=', found ';'");
  ExpectErrors("override a = ;", "1:14: expected an expression after '=', found ';'");
  ExpectErrors("var<private> a: i32", "1:20: expected ';' after the variable, found the end of the file");
  ExpectErrors("var<> a: i32;", "1:5: expected an address space after 'var<', found '>'");
  ExpectErrors("var<private a: i32;",
               "1:4: expected the name of a variable here, found '<'\n"
               "  hint: this '<' begins no template arguments: it has no matching '>'");
  ExpectErrors("var<private> : i32;", "1:14: expected the name of a variable here, found ':'");
  ExpectErrors("var<private> a: ;", "1:17: expected a type here, found ';'");
  ExpectErrors("let a = 1;",
               "1:1: a 'let' can only be declared in a function\n  hint: declare it as 'const', or as "
               "'var<private>' if it changes");
  ExpectErrors("@id(1) const a = 1;", "1:1: a const cannot have attributes");
  ExpectErrors("var<private> a: i32\nvar<private> b: i32;", "2:1: expected ';' after the variable, found 'var'");
}

TEST(ParseDecl, AliasesAndAsserts) {
  ExpectParses("alias A = i32;");
  ExpectParses("alias A = array<vec4<f32>, 3>;");
  ExpectParses("const_assert true;");
  ExpectParses("const_assert(1 < 2);");
  ExpectErrors("alias A;", "1:8: expected '=' after the name of the alias, found ';'");
  ExpectErrors("alias = i32;", "1:7: expected the name of an alias here, found '='");
  ExpectErrors("alias A = 1;", "1:11: expected a type here, found number '1'");
  ExpectErrors("const_assert;", "1:13: expected an expression after 'const_assert', found ';'");
  ExpectErrors("@align(4) alias A = i32;", "1:1: an alias cannot have attributes");
  ExpectErrors("@align(4) const_assert true;", "1:1: a const_assert cannot have attributes");
}

TEST(ParseDecl, Structs) {
  ExpectParses("struct S { a: i32 }");
  ExpectParses("struct S { a: i32, }");
  ExpectParses("struct S { a: i32, b: vec2<f32>, };");
  ExpectParses("struct S { @align(16) @size(32) a: i32, @location(0) @interpolate(flat, either) b: u32 }");
  ExpectErrors("struct S { }", "1:12: a struct must have at least one member");
  ExpectErrors("struct S { a: i32; b: i32; }",
               "1:18: expected ',' after the struct member, found ';'\n"
               "1:26: expected ',' after the struct member, found ';'");
  ExpectErrors("struct S { a: i32 b: i32 }",
               "1:19: expected ',' or '}' after the struct member, found identifier 'b'\n"
               "  note 1:10: to match this '{'");
  ExpectErrors("struct S { a }", "1:14: expected ':' after the name of the member, found '}'");
  ExpectErrors("struct S { a: }", "1:15: expected the type of the member here, found '}'");
  ExpectErrors("struct S", "1:9: expected '{' after the name of the struct, found the end of the file");
  ExpectErrors("struct { a: i32 }", "1:8: expected the name of a struct here, found '{'");
  ExpectErrors("struct S<T> { a: T }",
               "1:9: expected '{' after the name of the struct, found '<'\n"
               "  hint: only a type or a function name can have template arguments");
  ExpectErrors("@align(4) struct S { a: i32 }", "1:1: a struct cannot have attributes");
  ExpectErrors("struct S { a: i32,", "1:19: expected the name of a struct member here, found the end of the file");
}

TEST(ParseDecl, Functions) {
  ExpectParses("fn f() {}");
  ExpectParses("fn f() -> i32 { return 1; }");
  ExpectParses("fn f(a: i32, b: ptr<function, f32>,) {}");
  ExpectParses("@must_use fn f() -> i32 { return 1; }");
  ExpectParses("@compute @workgroup_size(8, 8, 1,) fn f(@builtin(global_invocation_id) id: vec3<u32>) {}");
  ExpectParses("@fragment fn f(@location(0) a: f32) -> @location(0) vec4<f32> { return vec4<f32>(a); }");
  ExpectParses("@vertex fn f() -> @builtin(position) @invariant vec4<f32> { return vec4<f32>(); }");
  ExpectParses("fn f() @diagnostic(off, derivative_uniformity) {}");
  ExpectErrors("fn f( {}", "1:7: expected the name of a parameter here, found '{'");
  ExpectErrors("fn f(a) {}", "1:7: expected ':' after the name of the parameter, found ')'");
  ExpectErrors("fn f(a: i32 b: i32) {}",
               "1:13: expected ')' after the parameters, found identifier 'b'\n"
               "  note 1:5: to match this '('");
  ExpectErrors("fn f() -> {}", "1:11: expected the return type here, found '{'");
  ExpectErrors("fn f(): i32 {}", "1:7: the return type of a function follows '->', not ':'");
  ExpectErrors("fn f();", "1:7: expected '{' to begin the body of the function, found ';'");
  ExpectErrors("fn f() {",
               "1:9: expected '}' to end the body of the function, found the end of the file\n"
               "  note 1:8: to match this '{'");
  ExpectErrors("fn f() {\n  if true {\n}\nfn g() {}\n",
               "4:1: expected '}' to end the body of the function, found 'fn'\n  note 1:8: to match this '{'");
  ExpectErrors("fn f() {}\n}\nfn g() {}", "2:1: this '}' closes nothing");
  ExpectErrors("fn 1() {}", "1:4: expected the name of a function here, found number '1'");
  ExpectErrors("fn f<T>() {}",
               "1:5: expected '(' after the name of the function, found '<'\n"
               "  hint: only a type or a function name can have template arguments");
}

TEST(ParseDecl, Attributes) {
  ExpectParses("@ align (4) override a: i32;");
  ExpectParses("struct S { @align(4,) a: i32 }");
  ExpectErrors("@aling(4) var<private> a: i32;", "1:2: unknown attribute '@aling'\n  hint: did you mean '@align'?");
  ExpectErrors("@stage(vertex) fn f() {}",
               "1:2: unknown attribute '@stage'\n"
               "  hint: write '@vertex', '@fragment' or '@compute'");
  ExpectErrors("@block struct S { a: i32 }", "1:2: unknown attribute '@block'");
  ExpectErrors("@compute() fn f() {}", "1:9: '@compute' takes no arguments");
  ExpectErrors("@workgroup_size fn f() {}", "1:17: expected '(' after '@workgroup_size', found 'fn'");
  ExpectErrors("@workgroup_size() fn f() {}", "1:16: '@workgroup_size' takes 1 to 3 arguments, found 0");
  ExpectErrors("@workgroup_size(1, 2, 3, 4) fn f() {}", "1:16: '@workgroup_size' takes 1 to 3 arguments, found 4");
  ExpectErrors("@group(1, 2) var a: sampler;", "1:7: '@group' takes 1 argument, found 2");
  ExpectErrors("fn f(@builtin(1) a: i32) {}", "1:15: the argument of '@builtin' must be a name");
  ExpectErrors("fn f(@builtin(a + b) a: i32) {}", "1:15: the argument of '@builtin' must be a name");
  ExpectErrors("@const fn f() {}", "1:1: '@const' is for built-in functions only");
  ExpectErrors("@ fn f() {}", "1:3: unknown attribute '@fn'");
  ExpectErrors("@1 fn f() {}", "1:2: expected an attribute name after '@', found number '1'");
  ExpectErrors("@compute", "1:9: expected 'fn', 'var' or 'override' after the attributes, found the end of the file");
}

TEST(ParseDecl, HintsForOtherLanguages) {
  ExpectErrors("function f() {}",
               "1:1: expected a declaration, found identifier 'function'\n"
               "  hint: a function begins with 'fn'");
  ExpectErrors("type A = i32;",
               "1:1: expected a declaration, found reserved word 'type'\n"
               "  hint: a type alias is 'alias NAME = TYPE;'");
  ExpectErrors("static_assert true;",
               "1:1: expected a declaration, found reserved word 'static_assert'\n"
               "  hint: did you mean 'const_assert'?");
  ExpectErrors("strcut S { a: i32 }",
               "1:1: expected a declaration, found identifier 'strcut'\n"
               "  hint: did you mean 'struct'?");
  ExpectErrors("#version 450",
               "1:1: invalid character U+0023 ('#')\n  hint: WGSL has no preprocessor: this looks like GLSL");
}

TEST(ParseDecl, OneMessageAMistake) {
  ExpectErrors(
      "const a = ;\n"
      "const b = 1;\n"
      "struct S { x }\n"
      "fn f() { let y = ; }\n"
      "alias A = ;\n"
      "fn g( { }\n"
      "const c = 2;\n",
      "1:11: expected an expression after '=', found ';'\n"
      "3:14: expected ':' after the name of the member, found '}'\n"
      "4:18: expected an expression after '=', found ';'\n"
      "5:11: expected a type here, found ';'\n"
      "6:7: expected the name of a parameter here, found '{'");
}

TEST(ParseDecl, ErrorsAreCounted) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "const = 1;\n";
  const Parsed parsed(text);
  EXPECT_EQ(parsed.sink.error_count(), static_cast<size_t>(kMaxErrors));
}

TEST(ParseDecl, Ranges) {
  const std::string text =
      "@group(0) @binding(1)\nvar<storage> abc : vec3<f32>;\nfn f ( a : i32 ) -> i32 { return a ; }";
  Parsed parsed(text);
  ASSERT_TRUE(parsed.module) << parsed.Messages();
  const auto source = [&](diag::Range range) { return std::string(parsed.sources.Text(range)); };
  const auto* variable = (*parsed.module)->decls[0]->As<ast::Variable>();
  EXPECT_EQ(source(variable->range), "@group(0) @binding(1)\nvar<storage> abc : vec3<f32>");
  EXPECT_EQ(source(variable->name_range), "abc");
  EXPECT_EQ(source(variable->type_expr->range), "vec3<f32>");
  EXPECT_EQ(source(variable->type_expr->name_range()), "vec3");
  EXPECT_EQ(source(variable->attributes[1]->range), "@binding(1)");
  const auto* function = (*parsed.module)->decls[1]->As<ast::Function>();
  EXPECT_EQ(source(function->params[0]->range), "a : i32");
  EXPECT_EQ(source(function->body->range), "{ return a ; }");
  EXPECT_EQ(source(function->body->statements[0]->range), "return a ;");
}

}  // namespace
}  // namespace kiln::wgsl
