// SPDX-License-Identifier: Apache-2.0
// compile and preprocess, with every toolchain set that was built.
#include <algorithm>

#include "toolchain/testing.h"

namespace kiln::toolchain {
namespace {

using worker::ActionResult;
using worker::ExitKind;

class Compiling : public WithSet {};
KILN_FOR_EACH_SET(Compiling);

TEST(Sets, AtLeastOneIsBuilt) {
  for (const auto& unusable : BuiltSets().unusable) ADD_FAILURE() << unusable.executable << ": " << unusable.reason;
  EXPECT_NE(BuiltSets().Default(), nullptr) << "scripts/setup installs the compilers";
}

TEST_P(Compiling, EveryStageOfGlsl) {
  const std::string ray = "#version 460\n#extension GL_EXT_ray_tracing : require\n";
  const std::string payload = "layout(location = 0) rayPayloadInEXT vec4 p;\n";
  const std::string mesh = "#version 460\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n";
  const std::pair<const char*, std::string> sources[] = {
      {"vertex", "#version 450\nvoid main() { gl_Position = vec4(0); }\n"},
      {"tesscontrol", "#version 450\nlayout(vertices = 3) out;\nvoid main() { gl_TessLevelInner[0] = 1; }\n"},
      {"tesseval", "#version 450\nlayout(triangles) in;\nvoid main() { gl_Position = vec4(gl_TessCoord, 1); }\n"},
      {"geometry",
       "#version 450\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\nvoid main() { EmitVertex(); }\n"},
      {"fragment", "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(1); }\n"},
      {"compute", "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n"},
      {"raygen", ray + "void main() {}\n"},
      {"intersection", ray + "void main() { reportIntersectionEXT(1.0, 0u); }\n"},
      {"anyhit", ray + payload + "void main() { ignoreIntersectionEXT; }\n"},
      {"closesthit", ray + payload + "void main() { p = vec4(1); }\n"},
      {"miss", ray + payload + "void main() { p = vec4(0); }\n"},
      {"callable", ray + "layout(location = 0) callableDataInEXT vec4 d;\nvoid main() { d = vec4(1); }\n"},
      {"task", mesh + "void main() { EmitMeshTasksEXT(1, 1, 1); }\n"},
      {"mesh", mesh + "layout(triangles, max_vertices = 3, max_primitives = 1) out;\nvoid main() { "
                      "SetMeshOutputsEXT(3, 1); gl_MeshVerticesEXT[0].gl_Position = vec4(0); }\n"}};
  for (const auto& [stage, source] : sources) {
    const std::string spirv = Spirv(stage, source, {{"environment", "vulkan1.3"}});
    EXPECT_FALSE(spirv.empty()) << stage;
    const ActionResult valid = Run("validate", "spirv", spirv, {{"environment", "vulkan1.3"}});
    EXPECT_TRUE(valid.ok()) << stage << "\n" << Render(valid);
  }
}

TEST_P(Compiling, HlslWithItsEntryPoint) {
  const std::string source =
      "cbuffer C : register(b0) { float4 tint; };\n"
      "float4 Shade(float2 uv : TEXCOORD0) : SV_Target { return tint * uv.x; }\n"
      "float4 Other() : SV_Target { return 0; }\n";
  for (const char* entry : {"Shade", "Other"}) {
    const std::string spirv = Spirv("fragment", source, {{"language", "hlsl"}, {"entry-point", entry}});
    const std::string text = Output(Run("disassemble", "spirv", spirv), "text");
    EXPECT_NE(text.find("OpEntryPoint Fragment %" + std::string(entry)), std::string::npos) << text.substr(0, 400);
  }
  const ActionResult missing = Compile("fragment", source, {{"language", "hlsl"}, {"entry-point", "None"}});
  EXPECT_EQ(missing.exit, ExitKind::kSourceErrors);
  EXPECT_NE(Render(missing).find("a:0:0: entry-point-missing: the source has no entry point 'None'"), std::string::npos)
      << Render(missing);
}

TEST_P(Compiling, SpirvVersionFollowsTheEnvironmentOrTheOption) {
  const std::string source = "#version 450\nvoid main() {}\n";
  const auto version = [&](OptionList options) { return Spirv("vertex", source, std::move(options)).substr(4, 4); };
  using namespace std::string_literals;
  EXPECT_EQ(version({{"environment", "vulkan1.0"}}), "\0\0\1\0"s);
  EXPECT_EQ(version({{"environment", "vulkan1.3"}}), "\0\6\1\0"s);
  EXPECT_EQ(version({{"environment", "vulkan1.3"}, {"spirv", "1.4"}}), "\0\4\1\0"s);
}

TEST_P(Compiling, DefinesReachThePreprocessor) {
  const std::string source = "#version 450\n#ifndef A\n#error A\n#endif\nvoid main() { float x = B(2.0); }\n";
  EXPECT_TRUE(Compile("vertex", source, {{"define:A", ""}, {"define:B(x)", "(x * 2.0)"}}).ok());
  const ActionResult missing = Compile("vertex", source, {{"define:B(x)", "x"}});
  EXPECT_EQ(missing.diagnostics.at(0).code, "glslang-error-directive");
  EXPECT_EQ(missing.diagnostics.at(0).location.begin.line, 3u);
  EXPECT_EQ(Compile("vertex", source, {{"define:A", "1\n#error x"}}).diagnostics.at(0).code, "bad-option");
  EXPECT_EQ(Compile("vertex", source, {{"define:9", "1"}}).diagnostics.at(0).code, "bad-option");
}

TEST_P(Compiling, SeveralErrorsARunWithTheirColumns) {
  const ActionResult result = Compile("fragment",
                                      "#version 450\n"
                                      "layout(location = 0) out vec4 o; // undefined_a\n"
                                      "void main() {\n"
                                      "\tfloat x = undefined_a;\n"
                                      "  /* \xC3\xA9 undefined_b */ o = vec4(undefined_b);\n"
                                      "  o = missing(1.0);\n"
                                      "}\n");
  EXPECT_EQ(result.exit, ExitKind::kSourceErrors);
  EXPECT_EQ(Render(result),
            "a:4:12: glslang-undeclared-identifier: 'undefined_a': undeclared identifier\n"
            "a:5:32: glslang-undeclared-identifier: 'undefined_b': undeclared identifier\n"
            "a:6:7: glslang-no-matching-function: 'missing': no matching overloaded function found\n");
  ASSERT_EQ(result.diagnostics.size(), 3u);
  EXPECT_EQ(result.diagnostics[0].source_line, "\tfloat x = undefined_a;");
  EXPECT_EQ(result.diagnostics[0].location.end.column, 23u);
}

TEST_P(Compiling, SyntaxErrorsInWords) {
  const ActionResult result = Compile("vertex", "#version 450\nvoid main() { int x = 1 }\n");
  EXPECT_EQ(Render(result), "a:2:25: glslang-syntax: unexpected '}', expected ',' or ';'\n");
}

TEST_P(Compiling, WarningsComeWithTheOutput) {
  const ActionResult result = Compile("fragment", "#version 450\n#extension GL_nobody_knows : warn\nvoid main() {}\n");
  ASSERT_TRUE(result.ok()) << Render(result);
  EXPECT_FALSE(Output(result, "spirv").empty());
  ASSERT_EQ(result.diagnostics.size(), 1u) << Render(result);
  EXPECT_EQ(result.diagnostics[0].severity, diag::Severity::kWarning);
  EXPECT_EQ(result.diagnostics[0].location.begin.line, 2u);
}

TEST_P(Compiling, IncludesComeFromTheImportMapAndNowhereElse) {
  worker::Action action;
  action.operation = "compile";
  action.options = {{"entry", "root"}, {"stage", "vertex"}};
  action.inputs = {{"root",
                    "#version 450\n#include \"a.glsl\"\n#include <sys/b.glsl>\n#include \"a.glsl\"\n"
                    "void main() { gl_Position = vec4(A + B + C); }\n"},
                   {"one", "#pragma once\n#include \"c.glsl\"\nconst float A = 1.0;\n"},
                   {"two",
                    "\xEF\xBB\xBF"
                    "const float B = 2.0;"},
                   {"three", "const float C = 3.0;\n"}};
  action.imports = {
      {"root", "a.glsl", false, "one"}, {"root", "sys/b.glsl", true, "two"}, {"one", "c.glsl", false, "three"}};
  const ActionResult result = Run(action);
  EXPECT_TRUE(result.ok()) << Render(result);
  const std::vector<worker::Import> asked = {
      {"root", "a.glsl", false, "one"}, {"one", "c.glsl", false, "three"}, {"root", "sys/b.glsl", true, "two"}};
  EXPECT_EQ(result.consulted, asked);
}

TEST_P(Compiling, AllThatIsNotCapturedIsNamedInOneGo) {
  worker::Action action;
  action.operation = "compile";
  action.options = {{"entry", "root"}, {"stage", "vertex"}};
  action.inputs = {
      {"root",
       "#version 450\n#include \"a\"\n#include <b>\n#ifdef NEVER\n#include \"c\"\n#endif\nvoid main() { x = 1; }\n"}};
  const ActionResult result = Run(action);
  EXPECT_EQ(result.exit, ExitKind::kNeedsModule);
  const std::vector<worker::Import> needed = {{"root", "a", false, ""}, {"root", "b", true, ""}};
  EXPECT_EQ(result.unresolved, needed);
  EXPECT_TRUE(result.diagnostics.empty()) << Render(result);
}

TEST_P(Compiling, ErrorsInIncludesAreAtTheirModule) {
  worker::Action action;
  action.operation = "compile";
  action.options = {{"entry", "root"}, {"stage", "vertex"}};
  action.inputs = {{"root", "#version 450\n#include \"x\"\n#include \"gone\"\nvoid main() { after; }\n"},
                   {"dir/odd \"name\"", "\n\nfloat f() { return nope; }\n"}};
  action.imports = {{"root", "x", false, "dir/odd \"name\""}, {"root", "gone", false, ""}};
  const ActionResult result = Run(action);
  EXPECT_EQ(result.exit, ExitKind::kSourceErrors);
  ASSERT_GE(result.diagnostics.size(), 2u) << Render(result);
  EXPECT_EQ(result.diagnostics[0].location.file, "dir/odd \"name\"");
  EXPECT_EQ(result.diagnostics[0].location.begin, (diag::Position{3, 20}));
  EXPECT_EQ(result.diagnostics[0].source_line, "float f() { return nope; }");
  EXPECT_EQ(result.diagnostics[1].code, "include-not-found");
  EXPECT_EQ(result.diagnostics[1].location.file, "root");
  EXPECT_EQ(result.diagnostics[1].location.begin.line, 3u);
}

TEST_P(Compiling, ManyIncludesAndACycleThatEnds) {
  worker::Action action;
  action.operation = "compile";
  action.options = {{"entry", "root"}, {"stage", "vertex"}};
  std::string root = "#version 450\n";
  for (int i = 0; i < 300; ++i) {
    const std::string name = "m" + std::to_string(i);
    root += "#include \"" + name + "\"\n";
    action.inputs.push_back({name, "const int V" + std::to_string(i) + " = " + std::to_string(i) + ";\n"});
    action.imports.push_back({"root", name, false, name});
  }
  action.inputs.push_back({"root", root + "void main() { gl_Position = vec4(V0 + V299); }\n"});
  EXPECT_TRUE(Run(action).ok());

  action.inputs = {{"root", "#version 450\n#include \"root\"\nvoid main() {}\n"}};
  action.imports = {{"root", "root", false, "root"}};
  const ActionResult cycle = Run(action);
  EXPECT_EQ(cycle.exit, ExitKind::kSourceErrors);
  EXPECT_EQ(Render(cycle), "root:2:10: include-cycle: 'root' includes itself: includes nest deeper than 128\n");
}

TEST_P(Compiling, ACircleOfIncludesIsOneErrorThatShowsIt) {
  worker::Action action;
  action.operation = "compile";
  action.options = {{"entry", "root"}, {"stage", "vertex"}};
  action.inputs = {{"root", "#version 450\n#include \"a\"\nvoid main() { nope = 1; }\n"},
                   {"m1", "// #include \"b\"\n\n  #include \"b\"\nfloat A;\n"},
                   {"m2", "float B;\n#include <c>\n"},
                   {"m3", "#include \"a\"\n"}};
  action.imports = {
      {"root", "a", false, "m1"}, {"m1", "b", false, "m2"}, {"m2", "c", true, "m3"}, {"m3", "a", false, "m1"}};
  const ActionResult result = Run(action);
  EXPECT_EQ(result.exit, ExitKind::kSourceErrors);
  ASSERT_EQ(result.diagnostics.size(), 1u) << Render(result);
  const diag::Diagnostic& error = result.diagnostics[0];
  EXPECT_EQ(error.code, "include-cycle");
  // Where the depth ends is one of the three, and the notes are the other two in the order of the circle.
  ASSERT_EQ(error.notes.size(), 2u);
  const auto place = [](const diag::Location& at) { return at.file + ":" + std::to_string(at.begin.line); };
  std::vector<std::string> circle = {place(error.notes[0].location), place(error.notes[1].location),
                                     place(error.location)};
  std::rotate(circle.begin(), std::find(circle.begin(), circle.end(), "m1:3"), circle.end());
  EXPECT_EQ(circle, (std::vector<std::string>{"m1:3", "m2:2", "m3:1"}));
  EXPECT_FALSE(error.source_line.empty());
}

TEST_P(Compiling, LineDirectivesMoveThePlace) {
  const ActionResult result =
      Compile("vertex",
              "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : enable\n"
              "void main() {\n#line 70 \"gen.glsl\"\n  nope_a = 1;\n#line 9\n  nope_b = 1;\n}\n");
  ASSERT_EQ(result.diagnostics.size(), 2u) << Render(result);
  EXPECT_EQ(result.diagnostics[0].location.file, "gen.glsl");
  EXPECT_EQ(result.diagnostics[0].location.begin.line, 70u);
  EXPECT_EQ(result.diagnostics[0].location.begin.column, 3u);
  EXPECT_EQ(result.diagnostics[0].source_line, "  nope_a = 1;");
  EXPECT_EQ(result.diagnostics[1].location.begin.line, 9u);
}

TEST_P(Compiling, AByteOrderMarkIsNoError) {
  EXPECT_TRUE(Compile("vertex", "\xEF\xBB\xBF#version 450\nvoid main() {}\n").ok());
}

TEST_P(Compiling, HostileNestingIsAnErrorWithAPlace) {
  for (const char* language : {"glsl", "hlsl"}) {
    const std::string deep = "float f = \n" + std::string(10'000, '(') + "1" + std::string(10'000, ')') + ";\n";
    const ActionResult result = Compile("vertex", deep, {{"language", language}});
    EXPECT_EQ(result.exit, ExitKind::kSourceErrors);
    EXPECT_EQ(Render(result), "a:2:1001: nesting-too-deep: brackets nest deeper than 1000\n");
    // What is just within the limit goes through the recursive parsers and back.
    const std::string fine =
        "#version 450\nvoid main() { float f = " + std::string(900, '(') + "1.0" + std::string(900, ')') + "; }\n";
    if (std::string_view(language) == "glsl") {
      EXPECT_TRUE(Compile("vertex", fine).ok());
    }
  }
}

TEST_P(Compiling, GarbageIsRefusedAndTheWorkerLives) {
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(i * 37 % 251 + 1);
  const size_t lost = SharedPool().stats().workers_lost;
  EXPECT_EQ(Compile("fragment", garbage).exit, ExitKind::kSourceErrors);
  EXPECT_EQ(Compile("fragment", garbage, {{"language", "hlsl"}}).exit, ExitKind::kSourceErrors);
  EXPECT_EQ(SharedPool().stats().workers_lost, lost);
}

TEST_P(Compiling, UnknownAndBadOptionsAreErrors) {
  const std::string source = "#version 450\nvoid main() {}\n";
  const auto code = [&](OptionList options) {
    const ActionResult result = Compile("vertex", source, std::move(options));
    EXPECT_EQ(result.exit, ExitKind::kUnsupported);
    return Render(result);
  };
  EXPECT_EQ(code({{"enviroment", "vulkan1.2"}}), ":0:0: unknown-option: 'compile' has no option 'enviroment'\n");
  EXPECT_NE(code({{"environment", "vulkan9"}}).find("bad-option"), std::string::npos);
  EXPECT_NE(code({{"invert-y", "perhaps"}}).find("bad-option"), std::string::npos);
  worker::Action unknown;
  unknown.operation = "minify";
  EXPECT_EQ(Render(Run(unknown)), ":0:0: unknown-operation: this toolchain set has no operation 'minify'\n");
}

TEST_P(Compiling, DebugInformationNamesTheModuleAsAsked) {
  const std::string source = "#version 450\nvoid main() {}\n";
  const std::string with = Spirv("vertex", source, {{"debug-info", "1"}, {"debug-name", "shaders/x.vert"}});
  EXPECT_NE(with.find("shaders/x.vert"), std::string::npos);
  EXPECT_EQ(Spirv("vertex", source).find("shaders/x.vert"), std::string::npos);
}

TEST_P(Compiling, TheSameInputGivesTheSameBytesInAnyWorker) {
  const std::string source =
      "#version 450\nlayout(set = 1, binding = 2) uniform U { mat4 m; } u;\nvoid main() { gl_Position = u.m[0]; }\n";
  const std::string first = Spirv("vertex", source);
  EXPECT_EQ(first, Spirv("vertex", source));
  worker::PoolOptions options;
  options.use_jobserver = false;
  worker::Pool fresh(options);
  worker::Action action;
  action.operation = "compile";
  action.options = {{"entry", "a"}, {"stage", "vertex"}};
  action.inputs = {{"a", source}};
  EXPECT_EQ(Output(fresh.Run(set(), action), "spirv"), first);
}

TEST_P(Compiling, PreprocessedTextHasNoDirectivesLeft) {
  worker::Action action;
  action.operation = "preprocess";
  action.options = {{"define:N", "4"}, {"entry", "root"}, {"stage", "vertex"}};
  action.inputs = {{"root", "#version 450\n#include \"inc\"\nvoid main() { float x[N]; x[0] = TWICE(1.0); }\n"},
                   {"inc", "#define TWICE(x) (x * 2.0)\n"}};
  action.imports = {{"root", "inc", false, "inc"}};
  const ActionResult result = Run(action);
  ASSERT_TRUE(result.ok()) << Render(result);
  const std::string text = Output(result, "text");
  EXPECT_NE(text.find("float x[4]"), std::string::npos) << text;
  EXPECT_EQ(text.find("TWICE"), std::string::npos) << text;
  EXPECT_EQ(result.consulted.size(), 1u);
}

}  // namespace
}  // namespace kiln::toolchain
