// SPDX-License-Identifier: Apache-2.0
#include "build/entry_scan.h"

#include <gtest/gtest.h>

namespace kiln::build {
namespace {

TEST(EntryScan, FindsFunctionsAtTheTopLevelOnly) {
  const auto names = FunctionNames(
      "// Not(1)\n/* Nor(2) */\n#define M(x) x\nstruct S { float F(); };\n"
      "float4 VSMain(float4 p : POSITION) : SV_Position { return Inner(p); }\n[numthreads(8,8,1)]\nvoid CS () {}\n");
  EXPECT_EQ(names, (std::vector<std::string_view>{"VSMain", "CS"}));
}

/// "fragment 2:3" of each claim's first attribute that refuses `stage`; "-" where there is none.
std::string Refusals(std::string_view text, Stage stage) {
  std::string out;
  for (const StageClaim& claim : StageClaims(text, "Main")) {
    const StageAttribute* refusal = Refusal(claim, stage);
    out += out.empty() ? "" : ", ";
    out += refusal == nullptr
               ? "-"
               : refusal->text + " " + std::to_string(refusal->line) + ":" + std::to_string(refusal->column);
  }
  return out;
}

TEST(EntryScan, AttributesSayTheStage) {
  EXPECT_EQ(Refusals("[shader(\"pixel\")]\nfloat4 Main() : SV_Target { return 0; }", Stage::kVertex),
            "shader(\"pixel\") 1:2");
  EXPECT_EQ(Refusals("[shader(\"pixel\")]\nfloat4 Main() : SV_Target { return 0; }", Stage::kFragment), "-");
  EXPECT_EQ(Refusals("// \xC3\xA9\n/*\xC3\xA9*/ [RootSignature(\"x\"), NumThreads(8, 8, (1))] void Main() {}",
                     Stage::kFragment),
            "NumThreads(8, 8, (1)) 2:28");
  for (const Stage stage : {Stage::kCompute, Stage::kTask, Stage::kMesh}) {
    EXPECT_EQ(Refusals("[numthreads(1,1,1)] void Main() {}", stage), "-");
  }
  EXPECT_EQ(Refusals("[maxvertexcount(3)] void Main() {}", Stage::kGeometry), "-");
  EXPECT_EQ(Refusals("[maxvertexcount(3)] void Main() {}", Stage::kCompute), "maxvertexcount(3) 1:2");
  EXPECT_EQ(Refusals("[domain(\"tri\")] void Main() {}", Stage::kTessEval), "-");
  EXPECT_EQ(Refusals("[domain(\"tri\")] [partitioning(\"integer\")] void Main() {}", Stage::kTessEval),
            "partitioning(\"integer\") 1:18");
  EXPECT_EQ(Refusals("[shader(\"amplification\")] void Main() {}", Stage::kTask), "-");
  EXPECT_EQ(Refusals("[shader(\"anyhit\")] [shader(\"closesthit\")] void Main() {}", Stage::kClosestHit), "-");
  EXPECT_EQ(Refusals("[shader(\"anyhit\")] [shader(\"closesthit\")] void Main() {}", Stage::kMiss),
            "shader(\"anyhit\") 1:2");
}

TEST(EntryScan, AttributesOfOthersSayNothing) {
  EXPECT_EQ(Refusals("[shader(\"pixel\")] float4 PS() { Main(); } void Main() {}", Stage::kVertex), "-");
  EXPECT_EQ(Refusals("[shader(\"node\")] [unroll] [[vk::numthreads(1)]] void Main() {}", Stage::kVertex), "-");
  EXPECT_EQ(Refusals("float numthreads[numthreads];\nvoid Main() {}", Stage::kVertex), "-");
  EXPECT_EQ(Refusals("// [shader(\"pixel\")]\nvoid Main() {}", Stage::kVertex), "-");
  EXPECT_EQ(Refusals("#define MAIN [shader(\"pixel\")]\nvoid Main() {}", Stage::kVertex), "-");
}

TEST(EntryScan, WhatMayBeSwitchedOffSaysNothing) {
  EXPECT_EQ(
      Refusals("#ifdef P\n[shader(\"pixel\")]\n#else\n[shader(\"vertex\")]\n#endif\nfloat4 Main() {}", Stage::kVertex),
      "-");
  EXPECT_EQ(Refusals("#if 0\n[shader(\"pixel\")] void Main() {}\n#endif\nvoid Main() {}", Stage::kVertex),
            "shader(\"pixel\") 2:2, -");
  EXPECT_EQ(Refusals("#if 0\n[shader(\"pixel\")] void Main() {}\n#endif\nENTRY(Main) {}", Stage::kVertex),
            "shader(\"pixel\") 2:2, -");
  EXPECT_EQ(Refusals("[shader(\"pixel\")] void Main() {}\n#define X Main", Stage::kVertex), "shader(\"pixel\") 1:2, -");
}

TEST(EntryScan, SlotsAreNoFunctions) {
  EXPECT_EQ(FunctionNames("Texture2D t : register(t0);\nfloat4 a : packoffset(c0);\nvoid VSMain() {}\n"),
            (std::vector<std::string_view>{"VSMain"}));
  EXPECT_EQ(FunctionNames("layout(location = 0) out vec4 o;\nvoid main() {}\n"),
            (std::vector<std::string_view>{"main"}));
}

TEST(EntryScan, MayDefineIsFalseOnlyWhereItIsCertain) {
  EXPECT_TRUE(MayDefine("void VSMain() {}", "VSMain"));
  EXPECT_TRUE(MayDefine("#define ENTRY VSMain\nvoid ENTRY() {}", "VSMain"));
  EXPECT_TRUE(MayDefine("#define F(x) void x##Main() {}\nF(VS)", "VSMain"));
  EXPECT_FALSE(MayDefine("void VSMain2() {}", "VSMain"));
  EXPECT_FALSE(MayDefine("// VSMain\n/* VSMain */ \"VSMain\"", "VSMain"));
}

TEST(EntryScan, Pragmas) {
  const auto found = FindPragmaStage("\n\n  #  pragma  shader_stage ( vertex )\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stage, Stage::kVertex);
  EXPECT_EQ(found->line, 3u);
  EXPECT_FALSE(FindPragmaStage("x #pragma shader_stage(vertex)"));
  EXPECT_FALSE(FindPragmaStage("/*\n#pragma shader_stage(vertex)\n*/"));
  EXPECT_FALSE(FindPragmaStage("#pragma shader_stage(vertexx)"));
  EXPECT_FALSE(FindPragmaStage("#pragma shader_stage"));
}

TEST(EntryScan, EndsOfTextEverywhere) {
  const std::string text =
      "/* a */ #pragma shader_stage(vertex) \\\r\n \"s\\\"\" // b \\\n c\n#define X(a) \\\n a\nvoid F ( ) { [ } \"x";
  for (size_t size = 0; size <= text.size(); ++size) {
    const std::string_view part(text.data(), size);
    (void)FunctionNames(part);
    (void)FindPragmaStage(part);
    (void)MayDefine(part, "F");
  }
}

}  // namespace
}  // namespace kiln::build
