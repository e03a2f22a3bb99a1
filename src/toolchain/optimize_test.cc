// SPDX-License-Identifier: Apache-2.0
// Kiln's optimiser over what real compilers make: what goes in is GLSL or SPIR-V as text, what comes out is read as
// text and held valid by spirv-val. What the code computes then is tests/conformance's (--optimize).
#include "opt/spirv/optimize.h"

#include <algorithm>

#include "toolchain/options.h"
#include "toolchain/testing.h"

namespace kiln::toolchain {
namespace {

using worker::ActionResult;

class WithOptimizer : public WithSet {
 protected:
  /// The text of the optimised module; nothing in it if it is not valid.
  std::string Optimize(const std::string& spirv, OptionList options = {}) {
    options.insert(options.end(), {{"environment", "vulkan1.2"}, {"level", "performance"}});
    const ActionResult result = Run("optimize", "spirv", spirv, std::move(options));
    EXPECT_TRUE(result.ok()) << Render(result);
    const std::string optimized = Output(result, "spirv");
    const ActionResult valid = Run("validate", "spirv", optimized, {{"environment", "vulkan1.2"}});
    EXPECT_TRUE(valid.ok()) << Render(valid) << "\n" << Text(optimized);
    return valid.ok() ? Text(optimized) : "";
  }
  std::string OptimizeGlsl(const std::string& stage, const std::string& body, OptionList options = {}) {
    return Optimize(Spirv(stage, "#version 450\n" + body, {{"environment", "vulkan1.2"}}), std::move(options));
  }
  std::string Text(const std::string& spirv) { return Output(Run("disassemble", "spirv", spirv), "text"); }
  std::string Assemble(const std::string& text) {
    const ActionResult result = Run("assemble", "text", text, {{"environment", "universal1.5"}});
    EXPECT_TRUE(result.ok()) << Render(result);
    return Output(result, "spirv");
  }
};
KILN_FOR_EACH_SET(WithOptimizer);

size_t Count(const std::string& text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

constexpr char kInOut[] =
    "layout(location = 0) flat in int n;\nlayout(location = 1) in vec4 v;\nlayout(location = 0) out vec4 o;\n";

TEST_P(WithOptimizer, CallsStructsAndVariablesBecomeValues) {
  const std::string text = OptimizeGlsl("fragment", std::string(kInOut) + R"(
struct Light { vec3 color; float power; };
Light Make(vec3 c) { Light light; light.color = c * 2.0; light.power = c.x; return light; }
vec3 Shade(Light light, inout float sum) { sum += light.power; return light.color * light.power; }
void main() {
  float sum = 0.0;
  vec3 color = vec3(0.0);
  for (int i = 0; i < n; ++i) color += Shade(Make(v.xyz * float(i)), sum);
  o = vec4(color, sum);
})");
  EXPECT_EQ(Count(text, "OpFunctionCall"), 0u) << text;
  EXPECT_EQ(Count(text, "OpFunction "), 1u) << text;
  EXPECT_EQ(Count(text, " Function\n"), 0u) << text;
  EXPECT_EQ(Count(text, "OpPhi"), 3u) << text;  // i, color, sum
  EXPECT_NE(text.find("%sum"), std::string::npos) << "a phi keeps its variable's name\n" << text;
}

TEST_P(WithOptimizer, ReturnsAnywhereAreInlined) {
  const std::string text = OptimizeGlsl("fragment", std::string(kInOut) + R"(
float Early(float x) { if (x < 0.0) return 0.0; if (x > 9.0) return 9.0; return x * x; }
float InLoop(float x) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) { if (x * float(j) > 1.0) return float(j); }
    if (x * float(i) > 3.0) return x;
  }
  return -1.0;
}
float InSwitch(int k) {
  for (;;) { switch (k) { case 1: return 1.0; case 2: if (v.x > 0.5) return v.x; break; default: return 3.0; } if (v.y > 0.0) break; }
  return v.z;
}
float Never(float x) { while (true) { if (x > 1.0) return x; x += 1.0; } }
void Nothing(float x) { if (x > 0.0) return; o.x = x; }
void main() { o = vec4(Early(v.x), InLoop(v.y), InSwitch(n), Never(v.w)); Nothing(v.z); })");
  EXPECT_EQ(Count(text, "OpFunctionCall"), 0u) << text;
}

// A switch that begins where another ends: a return of the second leaves the second.
TEST_P(WithOptimizer, ReturnsOfSwitchesInARowStay) {
  const std::string text = OptimizeGlsl("compute", R"(
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int o[]; } b;
int F() {
  switch (b.o[1]) { case 1: if (b.o[2] == 3) return 100; }
  switch (b.o[3]) { case 2: if (b.o[4] < 64) return 200; default: if (b.o[5] < 64) return 300; }
  b.o[5] = 7777;
  return 9;
}
void main() { b.o[0] = F(); })");
  for (const char* value : {"%int_100", "%int_200", "%int_300", "%int_9", "%int_7777"}) {
    EXPECT_NE(text.find(value), std::string::npos) << value << text;
  }
  EXPECT_EQ(Count(text, "OpSwitch"), 3u) << "the function's own, and one around it to leave\n" << text;
}

TEST_P(WithOptimizer, WhatStandsInALoopHeaderKeepsTheLoop) {
  const std::string text = OptimizeGlsl("compute", R"(
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int o[]; } b;
void main() {
  int i = 0;
  do { b.o[5] += 7; } while (++i < 4);
  int r; if (b.o[1] < 5) r = 1; else r = 2; // becomes a select, after which dead code is looked for again
  b.o[1] = r;
})");
  EXPECT_EQ(Count(text, "OpLoopMerge"), 1u) << text;
  EXPECT_EQ(Count(text, "OpSelect "), 1u) << text;
}

TEST_P(WithOptimizer, LoopsThatRunOnceAndDecidedFallthroughStayValid) {
  const std::string head = "layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer B { int o[]; } b;\n";
  const std::string once = OptimizeGlsl(
      "compute", head + "void main() { do { b.o[0] = 1; if (b.o[1] > 2) break; b.o[2] = 3; } while (false); }");
  EXPECT_EQ(Count(once, "OpStore"), 2u) << once;
  const std::string through = OptimizeGlsl("compute", head + R"(
int F(int x) {
  switch (2) { default: x += 5; for (int i = 0; i < x; ++i) b.o[i] = x; break; case 2: x *= 3; if (b.o[9] > 1) x = 1; }
  switch (3) { case 3: x += b.o[4]; default: x += 1; }
  return x;
}
void main() { b.o[0] = F(b.o[1]); })");
  EXPECT_EQ(Count(through, "OpSwitch"), 0u) << through;
  const std::string leaves = Optimize(Assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %o %x
OpExecutionMode %main OriginUpperLeft
OpDecorate %o Location 0
OpDecorate %x Location 0
OpDecorate %x Flat
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%in = OpTypePointer Input %int
%out = OpTypePointer Output %int
%o = OpVariable %out Output
%x = OpVariable %in Input
%zero = OpConstant %int 0
%one = OpConstant %int 1
%main = OpFunction %void None %fn
%entry = OpLabel
%read = OpLoad %int %x
%more = OpSGreaterThan %bool %read %one
OpSelectionMerge %merge None
OpSwitch %zero %default 0 %case
%case = OpLabel
OpStore %o %zero
OpBranchConditional %more %merge %next
%next = OpLabel
OpStore %o %one
OpBranch %merge
%default = OpLabel
OpBranch %merge
%merge = OpLabel
OpReturn
OpFunctionEnd
)"));
  EXPECT_EQ(Count(leaves, "OpStore"), 2u) << leaves;
  EXPECT_EQ(Count(leaves, "OpSwitch"), 1u) << "it can still be left\n" << leaves;
}

TEST_P(WithOptimizer, KillsAreInlinedButNotIntoContinues) {
  const std::string text = OptimizeGlsl("fragment", std::string(kInOut) + R"(
int Next(int i) { if (v.x < 0.0) discard; return i + 1; }
void main() { o = v; for (int i = 0; i < n; i = Next(i)) o += v; o += float(Next(n)); })");
  EXPECT_EQ(Count(text, "OpFunctionCall"), 1u) << text;
  EXPECT_EQ(Count(text, "OpKill"), 2u) << text;
}

TEST_P(WithOptimizer, ConstantsFoldButNotWhatDriversMayDefine) {
  const std::string folded = OptimizeGlsl("fragment", std::string(kInOut) + R"(
void main() {
  int a = 3; int b = a * 7 - 1;
  float x = 1.5; x *= 4.0;
  vec3 w = vec3(1.0, 2.0, 3.0); w *= x; w = w.zyx;
  o = vec4(w, float(b)) + v * 1.0;
})");
  EXPECT_NE(folded.find("%float_18 %float_12 %float_6 %float_20"), std::string::npos) << folded;
  EXPECT_EQ(Count(folded, "OpFMul"), 0u) << folded;
  // Assembled by hand: glslang folds for itself.
  const std::string kept = Optimize(Assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %o
OpExecutionMode %main OriginUpperLeft
OpDecorate %o Location 0
OpDecorate %precise NoContraction
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%ptr = OpTypePointer Output %float
%o = OpVariable %ptr Output
%zero = OpConstant %float 0
%one = OpConstant %float 1
%huge = OpConstant %float 3e38
%tiny = OpConstant %float 2e-38
%tenth = OpConstant %float 0.1
%izero = OpConstant %int 0
%ione = OpConstant %int 1
%ilow = OpConstant %int -2147483648
%iminus = OpConstant %int -1
%main = OpFunction %void None %fn
%entry = OpLabel
%infinite = OpFDiv %float %one %zero
OpStore %o %infinite
%overflow = OpFMul %float %huge %huge
OpStore %o %overflow
%denormal = OpFMul %float %tiny %tenth
OpStore %o %denormal
%far = OpConvertFToS %int %huge
%byzero = OpSDiv %int %ione %izero
%low = OpSDiv %int %ilow %iminus
%sum = OpIAdd %int %far %byzero
%all = OpIAdd %int %sum %low
%f = OpConvertSToF %float %all
OpStore %o %f
%read = OpLoad %float %o
%precise = OpFAdd %float %read %zero
OpStore %o %precise
%loose = OpFAdd %float %read %zero
OpStore %o %loose
OpReturn
OpFunctionEnd
)"));
  for (const char* op : {"OpFDiv", "OpConvertFToS", "OpConvertSToF", "OpFAdd"})
    EXPECT_EQ(Count(kept, op), 1u) << op << kept;
  EXPECT_EQ(Count(kept, "OpFMul"), 2u) << kept;
  EXPECT_EQ(Count(kept, "OpSDiv"), 2u) << kept;
}

TEST_P(WithOptimizer, BranchesThatAreDecidedGo) {
  const std::string text = OptimizeGlsl("fragment", std::string(kInOut) + R"(
const int kMode = 2;
float Pick(int mode) {
  switch (mode) {
    case 0: return v.x;
    case 2: if (v.w > 0.5) break; return v.y;
    default: return v.z;
  }
  return 7.0;
}
void main() {
  bool on = false;
  if (on) o = vec4(9.0); else o = vec4(Pick(kMode));
  while (false) o *= 2.0;
})");
  EXPECT_EQ(Count(text, "%float_9"), 0u) << text;
  EXPECT_EQ(Count(text, "OpLoopMerge"), 0u) << text;
  EXPECT_LE(Count(text, "OpFMul"), 0u) << text;
}

TEST_P(WithOptimizer, WhatHasNoEffectGoesAndWhatHasStays) {
  const std::string text = OptimizeGlsl("fragment", std::string(kInOut) + R"(
layout(set = 0, binding = 0) buffer B { uint count; } b;
void main() {
  float unused = 0.0;
  for (int i = 0; i < n; ++i) { if (v.x > float(i)) unused += sin(float(i)); else unused -= 1.0; }
  o = v;
  for (int i = 0; i < n; ++i) { if (v.y > float(i)) continue; if (v.z > float(i)) break; atomicAdd(b.count, 1u); }
  if (v.x < 0.0) return;
  if (v.y < 0.0) discard;
  o.w = 1.0;
})");
  EXPECT_EQ(Count(text, "OpLoopMerge"), 1u) << text;
  EXPECT_EQ(Count(text, "Sin"), 0u) << text;
  EXPECT_EQ(Count(text, "OpAtomicIAdd"), 1u) << text;
  EXPECT_EQ(Count(text, "OpKill"), 1u) << text;
  EXPECT_EQ(Count(text, "OpSelectionMerge"), 4u) << text;  // continue, break, return, discard
}

TEST_P(WithOptimizer, LoadsAreOneWhereNobodyWrites) {
  const std::string text = OptimizeGlsl("compute", R"(
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform U { float a; } u;
layout(set = 0, binding = 1) buffer B { float a; float r[]; } b;
void main() {
  b.r[0] = u.a; b.r[1] = u.a;
  b.r[2] = b.a; b.a = 4.0; b.r[3] = b.a;
  b.r[4] = float(b.r.length()) + float(b.r.length());
})");
  EXPECT_EQ(Count(text, "OpLoad"), 3u) << text;  // u.a once, b.a twice
  EXPECT_EQ(Count(text, "OpArrayLength"), 1u) << text;
}

TEST_P(WithOptimizer, CopiesOfArraysAreReadInTheOriginal) {
  const std::string source = R"(
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int i; float r[]; } b;
float Sum(float a[9]) { float s = 0.0; for (int i = 0; i < b.i; ++i) s += a[i]; return s; }
void main() { float a[9]; for (int i = 0; i < 9; ++i) a[(i + b.i) % 9] = float(i); )";
  const std::string once = OptimizeGlsl("compute", source + "b.r[0] = Sum(a); }");
  EXPECT_EQ(Count(once, " Function\n"), 1u) << once;
  // Written after the copy was made: in a later line, or in the next turn of a loop.
  const std::string later =
      OptimizeGlsl("compute", source + "float c[9] = a; a[b.i] = 1.0; b.r[0] = Sum(c) + Sum(a); }");
  EXPECT_EQ(Count(later, " Function\n"), 2u) << later;
  const std::string loop = OptimizeGlsl(
      "compute", source + "float c[9]; for (int i = 0; i < 3; ++i) { c = a; a[b.i] += 1.0; b.r[i] = c[b.i]; } }");
  EXPECT_EQ(Count(loop, " Function\n"), 2u) << loop;
}

TEST_P(WithOptimizer, EmptyBranchesBecomeSelects) {
  const std::string text = OptimizeGlsl("fragment", std::string(kInOut) + R"(
void main() { vec4 a = v; float b = 1.0; if (v.x > 0.5) { a = v.wzyx; b = 2.0; } o = a * b; })");
  EXPECT_EQ(Count(text, "OpSelectionMerge"), 1u) << "the shuffle is work that only one side does\n" << text;
  const std::string both = OptimizeGlsl("fragment", std::string(kInOut) + R"(
void main() { vec4 a = v; float b = 1.0; vec4 c = v.wzyx; if (v.x > 0.5) { a = c; b = 2.0; } o = a * b; })");
  EXPECT_EQ(Count(both, "OpSelect "), 2u) << both;
  EXPECT_EQ(Count(both, "OpSelectionMerge"), 0u) << both;
}

TEST_P(WithOptimizer, WhatTheHostSeesStaysWhereAsked) {
  const std::string source = std::string(kInOut) + R"(
layout(location = 2) in vec4 unusedInput;
layout(location = 1) out vec4 unusedOutput;
layout(set = 0, binding = 3) uniform U { float a; } unusedBuffer;
layout(constant_id = 5) const int unusedConstant = 1;
void main() { o = v; })";
  const std::string plain = OptimizeGlsl("fragment", source);
  EXPECT_EQ(plain.find("unusedInput"), std::string::npos) << plain;
  EXPECT_EQ(plain.find("unusedBuffer"), std::string::npos) << plain;
  EXPECT_EQ(plain.find("unusedConstant"), std::string::npos) << plain;
  EXPECT_NE(plain.find("%unusedOutput = OpVariable"), std::string::npos) << plain;
  const std::string bindings = OptimizeGlsl("fragment", source, {{"preserve-bindings", "1"}});
  EXPECT_NE(bindings.find("%unusedBuffer = OpVariable"), std::string::npos) << bindings;
  const std::string constants = OptimizeGlsl("fragment", source, {{"preserve-spec-constants", "1"}});
  EXPECT_NE(constants.find("%unusedConstant = OpSpecConstant"), std::string::npos) << constants;
  if (is_current()) {
    const std::string interface = OptimizeGlsl("fragment", source, {{"preserve-interface", "1"}});
    EXPECT_NE(interface.find("%unusedInput = OpVariable"), std::string::npos) << interface;
  }
}

TEST_P(WithOptimizer, PrecisionStays) {
  const std::string relaxed = Optimize(Spirv("fragment", R"(#version 310 es
precision mediump float;
layout(location = 0) flat in highp int n;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
vec4 Sum() { vec4 s = vec4(0.0); for (int i = 0; i < n; ++i) s += v; return s; }
void main() { o = Sum(); }
)",
                                             {{"environment", "vulkan1.2"}}));
  EXPECT_NE(relaxed.find("OpDecorate %s RelaxedPrecision"), std::string::npos) << relaxed;
}

TEST_P(WithOptimizer, LinesOfTheSourceStay) {
  const std::string source =
      "#version 450\nlayout(location = 0) out vec4 o;\nfloat F(float x) {\n  return sin(x);\n}\nvoid main() {\n  o = "
      "vec4(F(gl_FragCoord.x));\n}\n";
  const std::string text = Optimize(Spirv("fragment", source, {{"environment", "vulkan1.2"}, {"debug-info", "1"}}));
  EXPECT_NE(text.find(" 4 0\n"), std::string::npos) << text;  // OpLine %file 4 0, of the inlined body
  EXPECT_NE(text.find(" 7 0\n"), std::string::npos) << text;
}

TEST_P(WithOptimizer, SampledImagesStandInTheBlockOfTheirUse) {
  const std::string text = OptimizeGlsl("fragment", R"(
layout(set = 0, binding = 0) uniform texture2D t;
layout(set = 0, binding = 1) uniform sampler s;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 o;
vec2 Bend(vec2 x) { if (x.x > 0.5) return x.yx; return x; }
void main() { o = texture(sampler2D(t, s), Bend(uv)) + texture(sampler2D(t, s), uv); })");
  EXPECT_EQ(Count(text, "OpFunctionCall"), 0u) << text;
}

TEST_P(WithOptimizer, ACallGraphThatDoublesEndsAndStaysValid) {
  std::string source = std::string(kInOut) + "float F0(float x) { return sin(x) * x; }\n";
  for (int i = 1; i <= 24; ++i) {
    const std::string below = "F" + std::to_string(i - 1);
    source += "float F" + std::to_string(i) + "(float x) { return " + below + "(x + 1.0) + " + below + "(x * 2.0); }\n";
  }
  const std::string text = OptimizeGlsl("fragment", source + "void main() { o = vec4(F24(v.x)); }");
  EXPECT_GT(Count(text, "OpFunctionCall"), 0u) << "2^24 bodies are not written";
}

TEST_P(WithOptimizer, WhatItDoesNotKnowGoesToSpirvOpt) {
  const std::string text = Optimize(Spirv("fragment", R"(#version 450
#extension GL_EXT_debug_printf : require
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 o;
float F(float x) { return x * 2.0; }
void main() { debugPrintfEXT("x = %f", v.x); o = vec4(F(v.x)); }
)",
                                          {{"environment", "vulkan1.2"}}));
  EXPECT_EQ(Count(text, "OpFunctionCall"), 0u) << text;
  EXPECT_NE(text.find("NonSemantic.DebugPrintf"), std::string::npos) << text;
}

TEST_P(WithOptimizer, EqualModulesComeOutEqual) {
  const std::string spirv =
      Spirv("fragment", "#version 450\n" + std::string(kInOut) + "void main() { o = v * float(n); }");
  EXPECT_EQ(Optimize(spirv), Optimize(spirv));
}

TEST_P(WithOptimizer, DamageNeverStopsIt) {
  const std::string modules[] = {
      Spirv("fragment", "#version 450\n" + std::string(kInOut) + R"(
struct S { vec3 a; float b[3]; };
float F(float x) { for (int i = 0; i < n; ++i) { if (x > float(i)) return x; switch (i) { case 1: x += 1.0; break; default: x *= 2.0; } } return 0.0; }
void main() { S s; s.a = v.xyz; s.b[1] = F(v.x); s.b[n % 3] = 1.0; S t = s; o = vec4(t.a, t.b[1] + s.b[n % 3]); if (false) o = v; })"),
  };
  uint32_t random = 7;
  size_t refused = 0, done = 0;
  for (const std::string& good : modules) {
    for (int round = 0; round < 6000; ++round) {
      std::string bad = good;
      const int bytes = 1 + round % 3;
      for (int i = 0; i < bytes; ++i) {
        random = random * 1664525 + 1013904223;
        // Words of operands are small numbers: a low byte makes another id, a high one a length.
        bad[20 + (random >> 4) % (bad.size() - 20)] = static_cast<char>(random >> 24 & 0x3f);
      }
      std::vector<uint32_t> words;
      ASSERT_TRUE(SpirvWords(bad, words));
      const opt::spirv::Optimized result = opt::spirv::Optimize(words);
      ++(result.refused.empty() ? done : refused);
    }
  }
  EXPECT_GT(refused, 300u);
  EXPECT_GT(done, 300u);
}

}  // namespace
}  // namespace kiln::toolchain
