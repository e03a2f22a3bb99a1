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
