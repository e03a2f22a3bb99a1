// SPDX-License-Identifier: Apache-2.0
// translate, with every toolchain set that was built.
#include "toolchain/testing.h"

namespace kiln::toolchain {
namespace {

using worker::ActionResult;
using worker::ExitKind;

class Translating : public WithSet {
 protected:
  ActionResult Try(const std::string& spirv, OptionList options) {
    return Run("translate", "spirv", spirv, std::move(options));
  }
  void ExpectHas(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in:\n" << text;
  }
};
KILN_FOR_EACH_SET(Translating);

constexpr char kFragment[] =
    "#version 450\n"
    "layout(set = 0, binding = 1) uniform A { vec4 a; } first;\n"
    "layout(set = 1, binding = 1) uniform B { vec4 b; } second;\n"
    "layout(set = 0, binding = 2) uniform texture2D tex;\n"
    "layout(set = 0, binding = 3) uniform sampler smp;\n"
    "layout(set = 2, binding = 2) uniform sampler2D whole;\n"
    "layout(push_constant) uniform P { vec4 p; } push;\n"
    "layout(location = 0) in vec2 uv;\n"
    "layout(location = 0) out vec4 o;\n"
    "void main() { o = first.a + second.b + texture(sampler2D(tex, smp), uv) + texture(whole, uv) + push.p; }\n";

TEST_P(Translating, EveryTargetInItsVersions) {
  const std::string spirv = Spirv("fragment", kFragment);
  const struct {
    const char *target, *version, *has;
  } cases[] = {{"msl", "2.1", "fragment main0_out main0("},
               {"msl", "3.0", "metal_stdlib"},
               {"hlsl", "5.0", "register(b1)"},
               {"hlsl", "51", "register(b1, space1)"},
               {"hlsl", "6.6", "space2"},
               {"glsl", "330", "#version 330"},
               {"glsl", "460", "#version 460"},
               {"essl", "300", "#version 300 es"},
               {"essl", "310", "#version 310 es"},
               {"essl", "320", "#version 320 es"}};
  for (const auto& [target, version, has] : cases) {
    const std::string text = Translate(spirv, {{"target", target}, {"version", version}});
    EXPECT_NE(text.find(has), std::string::npos) << target << " " << version << "\n" << text;
  }
  EXPECT_NE(Translate(spirv, {{"target", "msl"}, {"version", "2.2"}, {"platform", "ios"}}), "");
}

TEST_P(Translating, GlslIsAcceptedAgain) {
  const std::string spirv = Spirv("fragment", kFragment);
  for (const char* target : {"glsl", "essl"}) {
    const std::string text = Translate(spirv, {{"target", target}, {"version", target[0] == 'g' ? "450" : "310"}});
    const ActionResult again = Compile("fragment", text, {{"auto-map-locations", "1"}, {"environment", "opengl4.5"}});
    EXPECT_TRUE(again.ok()) << Render(again) << text;
  }
}

TEST_P(Translating, WithoutSetsNoTwoResourcesMeetOnOneSlot) {
  const std::string spirv = Spirv("fragment", kFragment);
  const ActionResult gl = Try(spirv, {{"target", "glsl"}, {"version", "450"}});
  ASSERT_TRUE(gl.ok()) << Render(gl);
  ExpectHas(Output(gl, "text"), {"layout(binding = 1, std140) uniform A", "layout(binding = 2, std140) uniform B",
                                 "layout(binding = 2) uniform sampler2D SPIRV_Cross_Combinedtexsmp",
                                 "layout(binding = 3) uniform sampler2D whole"});
  ExpectHas(Output(gl, "bindings"), {"\"texture\": \"tex\"", "\"sampler\": \"smp\"", "\"name\": \"whole\""});
  const std::string hlsl = Translate(spirv, {{"target", "hlsl"}, {"version", "50"}});
  ExpectHas(hlsl,
            {"cbuffer A : register(b1)", "cbuffer B : register(b2)", "tex : register(t2)", "whole : register(t3)"});
}

TEST_P(Translating, TheAuthorsSlotsCount) {
  const std::string spirv = Spirv("fragment", kFragment);
  const ActionResult msl = Try(spirv, {{"slot:0.1", "buffer=7"},
                                       {"slot:0.2", "texture=5"},
                                       {"slot:2.2", "texture=6 sampler=4"},
                                       {"slot:push-constants", "buffer=3"},
                                       {"target", "msl"},
                                       {"version", "2.1"}});
  ASSERT_TRUE(msl.ok()) << Render(msl);
  ExpectHas(Output(msl, "text"), {"first [[buffer(7)]]", "tex [[texture(5)]]", "whole [[texture(6)]]", "[[sampler(4)]]",
                                  "push [[buffer(3)]]"});
  const std::string hlsl = Translate(
      spirv, {{"slot:0.1", "b=4 space=9"}, {"slot:push-constants", "b=8"}, {"target", "hlsl"}, {"version", "51"}});
  ExpectHas(hlsl, {"register(b4, space9)", "register(b8, space0)"});
  const std::string glsl = Translate(spirv, {{"slot:1.1", "binding=1"}, {"target", "glsl"}, {"version", "450"}});
  ExpectHas(glsl, {"layout(binding = 1, std140) uniform B", "layout(binding = 2, std140) uniform A"});
  for (const auto& [name, value] :
       OptionList{{"slot:1", "buffer=1"}, {"slot:0.1", "b=1"}, {"slot:0.1", ""}, {"slot:0.1", "buffer=x"}}) {
    EXPECT_NE(Render(Try(spirv, {{name, value}, {"target", "msl"}})).find("bad-option"), std::string::npos)
        << name << value;
  }
}

TEST_P(Translating, TwoOnOneSlotAreRefused) {
  const std::string spirv = Spirv("fragment", kFragment);
  const struct {
    OptionList options;
    std::initializer_list<const char*> says;
  } cases[] = {{{{"slot:0.1", "buffer=3"}, {"slot:push-constants", "buffer=3"}, {"target", "msl"}},
                {"'first' (set 0, binding 1)", "'push' (push constants)", "both get buffer 3"}},
               // SPIRV-Cross counts what it places itself from 0, whatever the map has.
               {{{"slot:1.1", "buffer=0"}, {"target", "msl"}},
                {"'first' (set 0, binding 1)", "'second' (set 1, binding 1)", "buffer 0"}},
               {{{"slot:0.2", "texture=6"}, {"slot:2.2", "texture=6 sampler=1"}, {"target", "msl"}},
                {"'tex'", "'whole'", "texture 6"}},
               {{{"slot:0.1", "b=4 space=1"}, {"slot:1.1", "b=4 space=1"}, {"target", "hlsl"}, {"version", "6.0"}},
                {"'first'", "'second'", "register b4 of space 1"}},
               {{{"slot:0.1", "b=4"}, {"slot:1.1", "b=4"}, {"target", "hlsl"}, {"version", "5.0"}}, {"register b4"}},
               {{{"slot:0.1", "binding=4"}, {"slot:1.1", "binding=4"}, {"target", "glsl"}, {"version", "450"}},
                {"'first'", "'second'", "binding 4 of uniform-buffer"}}};
  for (const auto& one : cases) {
    const ActionResult result = Try(spirv, one.options);
    EXPECT_FALSE(result.ok());
    ASSERT_EQ(result.diagnostics.size(), 1u) << Output(result, "text");
    EXPECT_EQ(result.diagnostics[0].code, "slot-collision");
    EXPECT_FALSE(result.diagnostics[0].hint.empty());
    ExpectHas(result.diagnostics[0].message, one.says);
  }
}

TEST_P(Translating, WhatOnlyLooksLikeTwoOnOneSlotIsFine) {
  const std::string spirv = Spirv("fragment", kFragment);
  for (const OptionList& options :
       {OptionList{{"slot:0.1", "b=4"}, {"slot:1.1", "b=4 space=1"}, {"target", "hlsl"}, {"version", "6.0"}},
        // Kinds have numbers of their own.
        OptionList{{"slot:0.1", "buffer=3"}, {"slot:0.2", "texture=3"}, {"slot:0.3", "sampler=3"}, {"target", "msl"}},
        OptionList{{"slot:0.1", "binding=4"}, {"slot:0.2", "binding=4"}, {"target", "glsl"}, {"version", "450"}},
        OptionList{{"glsl-vulkan-semantics", "1"}, {"target", "glsl"}, {"version", "450"}},
        // A row for what other shaders have there.
        OptionList{{"slot:0.2", "buffer=0"}, {"target", "msl"}},
        // In argument buffers the sets are apart.
        OptionList{
            {"msl-argument-buffers", "1"}, {"slot:0.1", "buffer=3"}, {"slot:1.1", "buffer=3"}, {"target", "msl"}},
        OptionList{{"hlsl-automatic-registers", "1"},
                   {"slot:0.1", "b=4"},
                   {"slot:1.1", "b=4"},
                   {"target", "hlsl"},
                   {"version", "5.0"}}}) {
    const ActionResult result = Try(spirv, options);
    EXPECT_TRUE(result.ok()) << Render(result);
  }
  // What is declared and not used meets nobody.
  const std::string unused = Spirv("fragment",
                                   "#version 450\nlayout(binding = 0) uniform A { vec4 a; } first;\n"
                                   "layout(binding = 1) uniform B { vec4 b; } second;\n"
                                   "layout(location = 0) out vec4 o;\nvoid main() { o = first.a; }\n");
  for (const char* target : {"hlsl", "glsl", "msl"}) {
    const std::string name = target[0] == 'h' ? "b=4" : target[0] == 'g' ? "binding=4" : "buffer=4";
    const ActionResult result = Try(unused, {{"slot:0.0", name}, {"slot:0.1", name}, {"target", target}});
    EXPECT_TRUE(result.ok()) << Render(result);
  }
}

TEST_P(Translating, TwoViewsOfOneBufferStayOne) {
  const std::string spirv = Spirv("compute",
                                  "#version 450\nlayout(set = 0, binding = 2, std430) buffer A { vec4 a[]; } floats;\n"
                                  "layout(set = 0, binding = 2, std430) buffer B { uvec4 b[]; } bits;\n"
                                  "void main() { floats.a[0] = vec4(bits.b[1]); }\n");
  ExpectHas(Translate(spirv, {{"target", "glsl"}, {"version", "450"}}),
            {"layout(binding = 2, std430) buffer A", "layout(binding = 2, std430) buffer B"});
  ExpectHas(Translate(spirv, {{"slot:0.2", "binding=5"}, {"target", "glsl"}, {"version", "450"}}),
            {"layout(binding = 5, std430) buffer A", "layout(binding = 5, std430) buffer B"});
  EXPECT_NE(Translate(spirv, {{"slot:0.2", "buffer=5"}, {"target", "msl"}}), "");
  for (const char* version : {"5.0", "6.0"}) {
    ExpectHas(Translate(spirv, {{"target", "hlsl"}, {"version", version}}),
              {"floats : register(u2", "bits : register(u2"});
  }
}

TEST_P(Translating, AnArrayTakesASlotForEachElement) {
  const std::string spirv = Spirv("fragment",
                                  "#version 450\nlayout(binding = 0) uniform sampler2D many[4];\n"
                                  "layout(binding = 1) uniform sampler2D one;\nlayout(location = 0) out vec4 o;\n"
                                  "void main() { o = texture(many[3], vec2(0)) + texture(one, vec2(0)); }\n");
  ExpectHas(Translate(spirv, {{"target", "glsl"}, {"version", "450"}}),
            {"layout(binding = 0) uniform sampler2D many[4]", "layout(binding = 4) uniform sampler2D one"});
  for (const char* version : {"5.0", "6.0"}) {
    ExpectHas(Translate(spirv, {{"target", "hlsl"}, {"version", version}}),
              {"many[4] : register(t0", "one : register(t4"});
  }
  const ActionResult result =
      Try(spirv, {{"slot:0.0", "texture=0 sampler=0"}, {"slot:0.1", "texture=2 sampler=9"}, {"target", "msl"}});
  EXPECT_FALSE(result.ok());
  EXPECT_NE(Render(result).find("both get texture 2: an array takes"), std::string::npos) << Render(result);
}

TEST_P(Translating, MetalSlotsThatAreChosenForTheAuthorAreReported) {
  const ActionResult msl = Try(Spirv("fragment", kFragment), {{"target", "msl"}, {"version", "2.1"}});
  ASSERT_TRUE(msl.ok());
  ExpectHas(Output(msl, "bindings"), {"\"entryPoint\": \"main0\"", "\"buffer\": 0", "\"buffer\": 1", "\"buffer\": 2",
                                      "\"texture\": 1", "\"sampler\": 1"});
}

TEST_P(Translating, MetalSaysWhereItWantsTheLengthsOfBuffers) {
  constexpr const char* kLength =
      "#version 450\nlayout(set = 0, binding = 3, std430) buffer B { uint n; uint data[]; } b;\n"
      "void main() { b.n = b.data.length(); }\n";
  const std::string spirv = Spirv("compute", kLength);
  const ActionResult chosen = Try(spirv, {{"target", "msl"}, {"version", "2.1"}});
  ExpectHas(Output(chosen, "text"), {"spvBufferSizeConstants [[buffer(25)]]"});
  ExpectHas(Output(chosen, "bindings"), {"\"bufferSizes\": {\n    \"buffer\": 25,\n"});
  const ActionResult named = Try(spirv, {{"msl-buffer-size-buffer-index", "9"}, {"target", "msl"}, {"version", "2.1"}});
  ExpectHas(Output(named, "bindings"), {"\"bufferSizes\": {\n    \"buffer\": 9,\n"});
  EXPECT_EQ(
      Output(Try(Spirv("fragment", kFragment), {{"target", "msl"}, {"version", "2.1"}}), "bindings").find("Sizes"),
      std::string::npos);
}

TEST_P(Translating, OptionsOfSpirvCrossByName) {
  const std::string vertex = Spirv("vertex", "#version 450\nvoid main() { gl_Position = vec4(1); }\n");
  EXPECT_NE(Translate(vertex, {{"flip-vertex-y", "1"}, {"target", "glsl"}, {"version", "450"}})
                .find("gl_Position.y = -gl_Position.y"),
            std::string::npos);
  const std::string fragment = Spirv("fragment", kFragment);
  EXPECT_NE(Translate(fragment, {{"msl-argument-buffers", "true"}, {"target", "msl"}, {"version", "2.1"}})
                .find("spvDescriptorSet"),
            std::string::npos);
  EXPECT_NE(Render(Try(fragment, {{"msl-argument-buffers", "1"}, {"target", "hlsl"}})).find("is not for target 'hlsl'"),
            std::string::npos);
  EXPECT_NE(Render(Try(fragment, {{"no-such-thing", "1"}, {"target", "hlsl"}})).find("unknown-option"),
            std::string::npos);
  EXPECT_NE(Render(Try(fragment, {{"msl-version", "20000"}, {"target", "msl"}})).find("unknown-option"),
            std::string::npos);
  EXPECT_NE(Render(Try(fragment, {{"target", "msl"}, {"version", "nine"}})).find("bad-option"), std::string::npos);
  EXPECT_NE(
      Render(Try(fragment, {{"target", "glsl"}, {"version", "440.5"}, {"flip-vertex-y", "2.5"}})).find("flip-vertex-y"),
      std::string::npos);
}

TEST_P(Translating, EntryPointsAreChosenRenamedAndMissed) {
  const std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %a \"one\"\nOpEntryPoint GLCompute "
      "%b \"two\"\n"
      "OpExecutionMode %a LocalSize 1 1 1\nOpExecutionMode %b LocalSize 2 1 1\n%void = OpTypeVoid\n%fn = "
      "OpTypeFunction %void\n"
      "%a = OpFunction %void None %fn\n%la = OpLabel\nOpReturn\nOpFunctionEnd\n"
      "%b = OpFunction %void None %fn\n%lb = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const std::string spirv = Output(Run("assemble", "text", text), "spirv");
  EXPECT_NE(Translate(spirv, {{"entry-point", "two"}, {"target", "glsl"}, {"version", "450"}}).find("local_size_x = 2"),
            std::string::npos);
  EXPECT_NE(
      Translate(spirv, {{"entry-point", "one"}, {"rename-entry-point", "other"}, {"target", "msl"}, {"version", "2.1"}})
          .find("kernel void other("),
      std::string::npos);
  EXPECT_EQ(Render(Try(spirv, {{"entry-point", "three"}, {"target", "glsl"}})),
            ":0:0: entry-point-missing: the module has no entry point 'three'\n");
  EXPECT_EQ(Render(Try(spirv, {{"target", "glsl"}})),
            ":0:0: entry-point-missing: the module has several entry points: say which\n");
  EXPECT_EQ(Render(Try(spirv, {{"entry-point", "one"}, {"stage", "vertex"}, {"target", "glsl"}})),
            ":0:0: entry-point-missing: the module has no entry point 'one' of stage vertex\n");
}

TEST_P(Translating, ALibraryHasNoText) {
  const std::string spirv = Output(
      Run("assemble", "text", "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"), "spirv");
  EXPECT_EQ(Render(Try(spirv, {{"target", "glsl"}})),
            ":0:0: entry-point-missing: the module has no entry point, and a text of this language is made of one\n");
  // An instruction of 255 words that are not there.
  const std::string cut = spirv + std::string("\x05\x00\xff\x00", 4);
  EXPECT_NE(Render(Try(cut, {{"target", "glsl"}})).find("spirv-malformed"), std::string::npos);
}

TEST_P(Translating, WhatATargetCannotExpressIsSaidAndCostsNoWorker) {
  const size_t lost = SharedPool().stats().workers_lost;
  const std::string compute = Spirv("compute", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
  const ActionResult result = Try(compute, {{"target", "essl"}, {"version", "300"}});
  EXPECT_EQ(result.exit, ExitKind::kUnsupported);
  EXPECT_NE(Render(result).find("cross-unsupported: At least ESSL 3.10 required"), std::string::npos) << Render(result);
  EXPECT_EQ(SharedPool().stats().workers_lost, lost);
}

TEST_P(Translating, DiscardSurvivesForGlBecauseTheEnvironmentKeepsIt) {
  const std::string source =
      "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { if (gl_FragCoord.x < 1.0) discard; o = vec4(1); "
      "}\n";
  const std::string kept = Spirv("fragment", source, {{"environment", "vulkan1.2"}});
  ExpectHas(Translate(kept, {{"target", "essl"}, {"version", "300"}}), {"discard;"});
}

TEST_P(Translating, TheSameModuleGivesTheSameText) {
  const std::string spirv = Spirv("fragment", kFragment);
  for (const char* target : {"msl", "hlsl", "glsl", "essl"}) {
    const ActionResult first = Try(spirv, {{"target", target}}), second = Try(spirv, {{"target", target}});
    EXPECT_EQ(first.outputs, second.outputs) << target;
    EXPECT_TRUE(first.ok());
  }
}

}  // namespace
}  // namespace kiln::toolchain
