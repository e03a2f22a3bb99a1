// SPDX-License-Identifier: Apache-2.0
// Flags of glslc, glslangValidator and spirv-cross in `kiln translate`: a call of theirs means here what it means
// there, or is refused with what to write instead.
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/run.h"

namespace kiln::test {
namespace {

constexpr const char* kFragment = R"(#version 440
#extension GL_GOOGLE_include_directive : require
#include "half.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 1, binding = 2) uniform texture2D image;
layout(set = 1, binding = 3) uniform sampler smooth_sampler;
layout(set = 0, binding = 1) uniform Block { vec4 tint; };
void main() { color = texture(sampler2D(image, smooth_sampler), uv) * tint * half_of(1.0); }
)";
constexpr const char* kVertex = R"(#version 450
layout(location = 0) in vec4 p;
void main() { gl_Position = p; }
)";
/// glslang warns of the extension, which it does not know.
constexpr const char* kWarns =
    "#version 450\n#extension GL_NO_such_thing : enable\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); "
    "}\n";

class Foreign : public testing::Test {
 protected:
  Foreign() {
    project_.Write("a.frag", kFragment);
    project_.Write("v.vert", kVertex);
    project_.Write("w.frag", kWarns);
    project_.Write("half.glsl", "float half_of(float x) { return 0.5 * x; }\n");
    project_.Write("v.hlsl", "float4 VSMain(float4 p : POSITION) : SV_Position { return p; }\n");
  }
  RunResult Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "translate");
    return project_.Kiln(arguments);
  }
  /// Standard output, or the error.
  std::string Out(std::vector<std::string> arguments) {
    const RunResult run = Run(std::move(arguments));
    return run.exit == 0 ? run.out : "exit " + std::to_string(run.exit) + ": " + run.err;
  }
  void ExpectHas(const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in:\n" << text;
  }
  void ExpectLacks(const std::string& text, std::string_view part) {
    EXPECT_EQ(text.find(part), std::string::npos) << part << " in:\n" << text;
  }
  bool IsSpirv(const std::string& name) const { return project_.Read(name).compare(0, 4, "\x03\x02\x23\x07", 4) == 0; }
  Project project_;
};

TEST_F(Foreign, DependenciesAlone) {
  EXPECT_EQ(Out({"-M", "a.frag"}), "a.frag.spv: \\\n  a.frag \\\n  half.glsl\n");
  EXPECT_EQ(Out({"-MM", "a.frag", "-MT", "x.o"}), "x.o: \\\n  a.frag \\\n  half.glsl\n");
  EXPECT_EQ(Out({"-M", "a.frag", "-o", "list"}), "");
  EXPECT_EQ(project_.Read("list"), "a.frag.spv: \\\n  a.frag \\\n  half.glsl\n");
  EXPECT_EQ(Out({"-M", "a.frag", "-MF", "other"}), "");
  EXPECT_EQ(project_.Read("other"), project_.Read("list"));
  EXPECT_EQ(Run({"-M", "a.frag", "-MF", "half.glsl"}).exit, 2) << "nothing that was read is replaced";
}

TEST_F(Foreign, Warnings) {
  const RunResult shown = Run({"w.frag", "-o", "w.spv"});
  EXPECT_EQ(shown.exit, 0);
  ExpectHas(shown.err, "warning: ");
  const RunResult hidden = Run({"w.frag", "-w", "-o", "w.spv"});
  EXPECT_EQ(hidden.exit, 0);
  EXPECT_EQ(hidden.err, "");
  const RunResult error = Run({"w.frag", "-Werror", "-o", "none.spv"});
  EXPECT_EQ(error.exit, 1);
  ExpectHas(error.err, "error: ");
  ExpectHas(error.err, "-Werror");
  EXPECT_FALSE(Exists(project_ / "none.spv"));
  EXPECT_EQ(Run({"w.frag", "-w", "-Werror", "-o", "w.spv"}).exit, 0);
}

TEST_F(Foreign, StandardStandsInPlaceOfTheVersion) {
  project_.Write("old.vert", "#version 110\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }\n");
  EXPECT_EQ(Run({"old.vert", "-o", "o.spv"}).exit, 1);
  EXPECT_EQ(Run({"old.vert", "-std=450core", "-o", "o.spv"}).exit, 0);
  EXPECT_EQ(Run({"old.vert", "--glsl-version", "450", "-o", "o.spv"}).exit, 0);
  EXPECT_EQ(Run({"old.vert", "-std=310es", "-o", "o.spv"}).exit, 0);
  const RunResult bad = Run({"v.vert", "-std=nonsense", "-o", "o.spv"});
  EXPECT_NE(bad.exit, 0);
  ExpectHas(bad.err, "as 450core or 310es");
}

TEST_F(Foreign, FormsOfSpirv) {
  const std::string numbers = Out({"-mfmt=num", "v.vert"});
  EXPECT_TRUE(numbers.starts_with("0x07230203,0x00010")) << numbers;
  EXPECT_EQ(Out({"-mfmt=c", "v.vert"}), "{" + numbers.substr(0, numbers.size() - 1) + "}\n");
  ASSERT_EQ(Run({"-mfmt=bin", "v.vert", "-o", "v.spv"}).exit, 0);
  const std::string bytes = project_.Read("v.spv");
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 'x'), static_cast<std::ptrdiff_t>(bytes.size() / 4));
  ASSERT_EQ(Run({"-V", "v.vert", "--vn", "v_spv", "-o", "v.h"}).exit, 0);
  EXPECT_TRUE(project_.Read("v.h").starts_with("#pragma once\nconst uint32_t v_spv[] = {\n0x07230203,"));
  ASSERT_EQ(Run({"-V", "-x", "--target-env=vulkan1.2", "v.vert", "-o", "v.u32"}).exit, 0) << "glslangValidator's -x";
  EXPECT_EQ(project_.Read("v.u32"), numbers);
  EXPECT_EQ(Run({"-mfmt=c", "v.vert", "-o", "v.metal"}).exit, 2);
}

TEST_F(Foreign, CompilersOfSpirvNeedNoTarget) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"-V"}, {"-V100"}, {"-c"}, {"-G"}, {"--client", "opengl100"}}) {
    std::vector<std::string> call = {"v.vert", "-o", "v.out"};
    call.insert(call.end(), flags.begin(), flags.end());
    if (flags[0] == "--client") call.push_back("-G");
    EXPECT_EQ(Run(call).exit, 0) << flags[0];
    EXPECT_TRUE(IsSpirv("v.out")) << flags[0];
    ASSERT_EQ(unlink((project_ / "v.out").c_str()), 0);
  }
  // OpenGL has no descriptor sets.
  EXPECT_EQ(Run({"-G", "a.frag", "-o", "a.spv"}).exit, 1);
}

TEST_F(Foreign, OutputsThatAreNotNamedHaveTheNamesOfGlslc) {
  project_.Write("sub/s.frag", "#version 450\nvoid main() {}\n");
  project_.Write("sub/p.v2.glsl", "#version 450\n#pragma shader_stage(vertex)\nvoid main() {}\n");
  EXPECT_EQ(Out({"-c", "sub/s.frag", "-MD"}), "");
  EXPECT_TRUE(IsSpirv("s.frag.spv"));
  EXPECT_EQ(project_.Read("s.frag.spv.d"), "s.frag.spv: \\\n  sub/s.frag\n");
  EXPECT_EQ(Out({"-c", "sub/p.v2.glsl"}), "");
  EXPECT_TRUE(IsSpirv("p.v2.spv"));
  EXPECT_EQ(Out({"-S", "sub/s.frag", "-c"}), "");
  ExpectHas(project_.Read("s.frag.spvasm"), "OpEntryPoint Fragment");
  EXPECT_EQ(Out({"-c", "v.hlsl", "--stage=vert", "-fentry-point=VSMain", "-mfmt=num"}), "");
  EXPECT_TRUE(project_.Read("v.spv").starts_with("0x07230203,"));
  ExpectHas(Out({"-c", "-S", "sub/s.frag", "-E"}), "void main");
  ExpectHas(Out({"-c", "sub/s.frag", "-mfmt=num", "-o", "-"}), "0x07230203,");
  EXPECT_EQ(Out({"-M", "sub/s.frag"}), "s.frag.spv: \\\n  sub/s.frag\n");
}

TEST_F(Foreign, OutputsThatAreNotNamedHaveTheNamesOfGlslangValidator) {
  EXPECT_EQ(Out({"-V", "v.vert", "--depfile", "v.d"}), "");
  EXPECT_TRUE(IsSpirv("vert.spv"));
  EXPECT_EQ(project_.Read("v.d"), "vert.spv: \\\n  v.vert\n");
  EXPECT_EQ(Out({"-V", "v.vert", "-o", "named.bin"}), "");
  EXPECT_TRUE(IsSpirv("named.bin"));
  EXPECT_EQ(Out({"-V", "-x", "-S", "frag", "a.frag"}), "");
  EXPECT_TRUE(project_.Read("frag.spv").starts_with("0x07230203,"));
  project_.Write("plain", kVertex);
  EXPECT_EQ(Out({"--client", "opengl100", "-S", "vert", "plain", "--vn", "code"}), "");
  ExpectHas(project_.Read("vert.spv"), "const uint32_t code[]");
  const RunResult nameless = Run({"-V", "v.hlsl", "-e", "VSMain"});
  EXPECT_EQ(nameless.exit, 2);
  ExpectHas(nameless.err, "the name 'v.hlsl' does not say which");
  ExpectHas(nameless.err, "-S STAGE");
  // Of spirv-cross it is another thing.
  EXPECT_EQ(Out({"-V", "v.vert"}), "");
  ExpectHas(Out({"-V", "vert.spv", "--no-es"}), "#version");
}

TEST_F(Foreign, ASecondInputIsNoOutput) {
  project_.Write("b.vert", kVertex);
  for (const char* flag : {"-c", "-S", "-V", "-G", "-H"}) {
    const RunResult run = Run({flag, "v.vert", "b.vert"});
    EXPECT_EQ(run.exit, 2) << flag;
    ExpectHas(run.err, "'b.vert' is a second input");
    EXPECT_EQ(project_.Read("b.vert"), kVertex) << flag;
  }
}

TEST_F(Foreign, TheReadableFormIsPrintedBesidesTheOutput) {
  ExpectHas(Out({"-H", "v.vert"}), "OpEntryPoint Vertex");
  EXPECT_TRUE(IsSpirv("vert.spv"));
  ExpectHas(Out({"-V", "--spirv-dis", "v.vert", "-o", "other.spv"}), "OpEntryPoint Vertex");
  EXPECT_EQ(project_.Read("other.spv"), project_.Read("vert.spv"));
  ExpectHas(Out({"-H", "vert.spv"}), "OpEntryPoint Vertex");
  const RunResult text = Run({"-H", "v.vert", "-o", "v.metal"});
  EXPECT_EQ(text.exit, 2);
  ExpectHas(text.err, "leave -H out");
}

TEST_F(Foreign, SeveralTargetsOfADependencyFile) {
  EXPECT_EQ(Run({"-MD", "-MF", "list", "-MT", "one", "-MQ", "two words", "v.vert", "-o", "v.spv"}).exit, 0);
  EXPECT_EQ(project_.Read("list"), "one \\\n  two\\ words: \\\n  v.vert\n");
}

TEST_F(Foreign, ArraysHaveNamesThatCTakes) {
  for (const char* name : {"1st", "two words", "a-b", "", "r\303\244ume", "x;"}) {
    const RunResult run = Run({"-V", "v.vert", "--vn", name, "-o", "none.h"});
    EXPECT_EQ(run.exit, 2) << name;
    ExpectHas(run.err, "is no name in C");
  }
  EXPECT_FALSE(Exists(project_ / "none.h"));
  EXPECT_EQ(Run({"-V", "v.vert", "--vn", "_a1", "-o", "v.h"}).exit, 0);
}

TEST_F(Foreign, LongNamesOfGlslangValidator) {
  project_.Write("m.vert", "#version 450\n#ifdef BAD\n#error bad\n#endif\nvoid main() { gl_Position = vec4(A); }\n");
  EXPECT_EQ(Run({"-V", "m.vert", "--define-macro", "A=1", "--D", "BAD", "--undef-macro", "BAD"}).exit, 0);
  EXPECT_EQ(Run({"-V", "w.frag", "--suppress-warnings", "--enhanced-msgs"}).err, "");
}

TEST_F(Foreign, EntryPointsHaveTheNameThatIsAskedFor) {
  ExpectHas(Out({"-V", "-D", "-S", "vert", "-e", "main", "--source-entrypoint", "VSMain", "v.hlsl", "-t", "spvasm"}),
            "OpEntryPoint Vertex %main \"main\"");
  ExpectHas(Out({"-S", "vert", "--sep", "VSMain", "v.hlsl", "-t", "spvasm"}), "\"VSMain\"");
  ExpectHas(Out({"-S", "vert", "-e", "start", "--sep", "VSMain", "v.hlsl", "-t", "msl"}), " start(");
  ASSERT_EQ(Run({"v.vert", "-o", "v.spv"}).exit, 0);
  ExpectHas(Out({"v.spv", "--rename-entry-point", "main", "start", "vert", "--msl"}), " start(");
}

TEST_F(Foreign, OptionsOfTheCompiler) {
  project_.Write("loose.frag",
                 "#version 450\nlayout(location = 0) out vec4 c;\nin vec4 d;\nuniform texture2D t;\n"
                 "uniform sampler s;\nvoid main() { c = d * texture(sampler2D(t, s), vec2(0)); }\n");
  EXPECT_EQ(Run({"loose.frag", "-o", "l.spv"}).exit, 1);
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--aml", "--amb"},
                                                {"--auto-map-locations", "--auto-map-bindings"},
                                                {"-fauto-map-locations", "-fauto-bind-uniforms"}}) {
    EXPECT_EQ(Run({"loose.frag", flags[0], flags[1], "-o", "l.spv"}).exit, 0) << flags[0];
  }
  const std::string plain = Out({"v.vert", "-t", "spvasm"});
  for (const char* flag : {"--invert-y", "--iy", "-finvert-y"}) {
    const std::string flipped = Out({"v.vert", flag, "-t", "spvasm"});
    ExpectHas(flipped, "OpFNegate");
  }
  ExpectLacks(plain, "OpFNegate");
  ExpectHas(Out({"a.frag", "--stb", "10", "-t", "spvasm"}), "OpDecorate %image Binding 12");
  ExpectHas(Out({"a.frag", "-fsampler-binding-base", "20", "-t", "spvasm"}), "OpDecorate %smooth_sampler Binding 23");
  ExpectHas(Out({"a.frag", "-fubo-binding-base", "30", "-t", "spvasm"}), "Binding 31");
  const RunResult staged = Run({"a.frag", "--stb", "frag", "10", "-o", "x.spv"});
  EXPECT_EQ(staged.exit, 2);
  ExpectHas(staged.err, "need not be named");
  ExpectHas(Out({"-V", "-gVS", "v.vert", "-t", "spvasm"}), "NonSemantic.Shader.DebugInfo");
  EXPECT_EQ(Out({"-g", "-g0", "-Od", "v.vert", "-t", "spvasm"}), plain);
  for (const char* flag : {"-r", "-R", "-l", "--nan-clamp", "-fnan-clamp", "-fpreserve-bindings", "--spirv-val"}) {
    EXPECT_EQ(Run({"v.vert", flag, "-o", "v.spv"}).exit, 0) << flag;
  }
  for (const char* flag : {"--hlsl-offsets", "--hlsl-iomap", "-fhlsl-functionality1", "-fhlsl-16bit-types",
                           "--hlsl-enable-16bit-types", "--hlsl-dx9-compatible", "--flatten-uniform-arrays"}) {
    EXPECT_EQ(Run({"v.hlsl", "-S", "vert", "-e", "VSMain", flag, "-o", "v.spv"}).exit, 0) << flag;
  }
  const RunResult wrong = Run({"v.spv", "--amb", "--msl"});
  EXPECT_EQ(wrong.exit, 2);
  ExpectHas(wrong.err, "'auto-map-bindings' is for GLSL and HLSL");
}

TEST_F(Foreign, SpirvIsAsOldAsTheCompilersMakeIt) {
  const auto version = [&](std::vector<std::string> call) {
    call.insert(call.end(), {"-mfmt=num", "-o", "-"});
    const std::string out = Out(std::move(call));
    return out.starts_with("0x07230203,") ? out.substr(11, 10) : out;
  };
  project_.Write("c.wgsl", "@compute @workgroup_size(8) fn main() {}\n");
  EXPECT_EQ(version({"-c", "v.vert"}), "0x00010000");
  EXPECT_EQ(version({"-V", "v.vert"}), "0x00010000");
  EXPECT_EQ(version({"-V", "-S", "vert", "-e", "VSMain", "v.hlsl"}), "0x00010000");
  ExpectHas(Out({"-S", "v.vert", "-o", "-"}), "; Version: 1.0\n");
  ExpectHas(Out({"-H", "v.vert"}), "; Version: 1.0\n");
  EXPECT_EQ(version({"-c", "v.vert", "--target-env=vulkan1.1"}), "0x00010300");
  EXPECT_EQ(version({"-c", "v.vert", "--target-spv=spv1.4"}), "0x00010400");
  EXPECT_EQ(version({"-c", "v.vert", "-t", "spirv"}), "0x00010500");
  EXPECT_EQ(version({"-t", "spirv", "v.vert"}), "0x00010500") << "Kiln's own default";
  EXPECT_EQ(version({"-c", "c.wgsl"}), "0x00010500");
  for (const char* file : {"v.vert", "v.hlsl"}) {
    EXPECT_EQ(version({"-V", "--target-env", "vulkan1.1", "--target-env", "spirv1.4", "--stage=vert", "--sep",
                       file[2] == 'h' ? "VSMain" : "main", file}),
              "0x00010400");
  }
  const RunResult newer = Run({"-V", "v.vert", "--target-env", "vulkan1.1", "--target-env", "spirv1.5"});
  EXPECT_EQ(newer.exit, 2);
  ExpectHas(newer.err, "environment 'vulkan1.1' takes SPIR-V up to 1.3, not 1.5");
}

TEST_F(Foreign, FlagsOfHlslOnGlsl) {
  for (const char* flag : {"-fhlsl-offsets", "-fhlsl-iomap", "--hlsl-offsets", "--hlsl-iomap"}) {
    EXPECT_EQ(Run({"v.vert", flag, "-o", "v.spv"}).err, "") << flag;
  }
  // HLSL puts no vector across 16 bytes, and aligns it to its elements otherwise.
  project_.Write("o.frag",
                 "#version 450\nlayout(location = 0) out vec4 c;\nlayout(binding = 0) uniform B { float a; vec2 b; };\n"
                 "void main() { c = vec4(a, b, 1); }\n");
  ExpectHas(Out({"o.frag", "-t", "spvasm"}), "OpMemberDecorate %B 1 Offset 8");
  ExpectHas(Out({"o.frag", "-fhlsl-offsets", "-t", "spvasm"}), "OpMemberDecorate %B 1 Offset 4");
  for (const char* flag :
       {"-fhlsl-functionality1", "-fhlsl-16bit-types", "--hlsl-dx9-compatible", "--flatten-uniform-arrays"}) {
    const RunResult run = Run({"v.vert", flag, "-o", "none.spv"});
    EXPECT_EQ(run.exit, 2) << flag;
    ExpectHas(run.err, "'" + std::string(flag) + "' is for HLSL, and 'v.vert' is glsl");
  }
}

TEST_F(Foreign, OptionsOfSpirvCross) {
  ASSERT_EQ(Run({"a.frag", "-o", "a.spv"}).exit, 0);
  ASSERT_EQ(Run({"v.vert", "-o", "v.spv"}).exit, 0);
  ExpectHas(Out({"a.spv", "--msl", "--msl-argument-buffers"}), "[[id(");
  ExpectHas(Out({"a.spv", "--msl", "--msl-decoration-binding"}), "[[texture(2)]]");
  ExpectHas(Out({"a.spv", "--no-es", "--version", "450", "-V"}), "layout(set = 1, binding = 2)");
  ExpectHas(Out({"a.spv", "--no-es", "--version", "450", "--vulkan-semantics"}), "layout(set = 1, binding = 2)");
  ExpectLacks(Out({"a.spv", "--no-es", "--version", "450"}), "set = 1");
  ExpectHas(Out({"v.spv", "--no-es", "--flip-vert-y"}), "gl_Position.y = -gl_Position.y");
  ExpectHas(Out({"v.spv", "--hlsl", "--fixup-clipspace"}), "gl_Position.z + gl_Position.w) * 0.5");
  ExpectHas(Out({"v.spv", "--no-es", "--extension", "GL_ARB_a", "--extension", "GL_ARB_b"}), "GL_ARB_b : require");
  ExpectHas(Out({"a.spv", "--no-es", "--version", "450", "--glsl-emit-ubo-as-plain-uniforms"}), "uniform Block");
  for (const char* flag : {"--msl-ios", "--msl-multiview", "--msl-pad-fragment-output", "--msl-framebuffer-fetch",
                           "--force-temporary", "--remove-unused-variables", "--emit-line-directives"}) {
    EXPECT_EQ(Run({"a.spv", "--msl", flag, "-o", "a.metal"}).exit, 0) << flag;
  }
  for (const char* flag : {"--hlsl-enable-compat", "--hlsl-enable-16bit-types", "--hlsl-user-semantic",
                           "--hlsl-support-nonzero-basevertex-baseinstance"}) {
    EXPECT_EQ(Run({"v.spv", "--hlsl", "--shader-model", "62", flag, "-o", "v.out.hlsl"}).exit, 0) << flag;
  }
  EXPECT_EQ(Run({"a.spv", "--msl", "--msl-device-index", "3", "-o", "a.metal"}).exit, 0);
  const RunResult misplaced = Run({"a.frag", "--flip-vert-y", "-o", "a.spv"});
  EXPECT_EQ(misplaced.exit, 2);
  ExpectHas(misplaced.err, "target 'spirv' has no option 'flip-vertex-y'");
}

TEST_F(Foreign, WhatHasNoCounterpartIsRefusedWithTheWayOfKiln) {
  const struct {
    std::vector<std::string> flags;
    const char* hint;
  } cases[] = {{{"-flimit=MaxLights 1"}, "glslang's own limits"},
               {{"-flimit-file", "x"}, "glslang's own limits"},
               {{"--show-limits"}, "glslang's own limits"},
               {{"-fresource-set-binding", "a"}, "--option=slot:SET.BINDING"},
               {{"-fauto-combined-image-sampler"}, "combined sampler"},
               {{"-working-directory", "x"}, "-C DIR"},
               {{"--preamble-text", "x"}, "-D NAME=VALUE"},
               {{"-P#define A"}, "-D NAME=VALUE"},
               {{"--stdin"}, "'-' as the input"},
               {{"-i"}, "--target=spvasm"},
               {{"--keep-uncalled"}, "leave it out"},
               {{"--dump-resources"}, "kiln reflect"},
               {{"--cpp"}, "--target"},
               {{"--iterations", "3"}, "leave it out"},
               {{"--remap", "a", "b"}, "--option=slot:SET.BINDING"},
               {{"--msl-discrete-descriptor-set", "1"}, "--option=slot:SET.BINDING"},
               {{"--keep-coordinate-space"}, "leave it out"},
               {{"--bulk-validate"}, "kiln check"},
               {{"--input-kind", "glsl"}, "--language"}};
  for (const auto& one : cases) {
    std::vector<std::string> call = {"a.frag", "-o", "none.spv"};
    call.insert(call.end(), one.flags.begin(), one.flags.end());
    const RunResult run = Run(call);
    EXPECT_EQ(run.exit, 2) << one.flags[0];
    ExpectHas(run.err, "unknown option '" + one.flags[0] + "'");
    ExpectHas(run.err, "hint: ");
    ExpectHas(run.err, one.hint);
  }
  EXPECT_FALSE(Exists(project_ / "none.spv"));
}

}  // namespace
}  // namespace kiln::test
