// SPDX-License-Identifier: Apache-2.0
#include "build/names.h"

#include <gtest/gtest.h>

namespace kiln::build {
namespace {

void ExpectKind(std::string_view path, std::string_view language, std::string_view stage, std::string_view stem) {
  const SourceKind kind = KindOfSource(path);
  EXPECT_EQ(kind.language ? NameOf(*kind.language) : "", language) << path;
  EXPECT_EQ(kind.stage ? NameOf(*kind.stage) : "", stage) << path;
  EXPECT_EQ(kind.stem, stem) << path;
}

TEST(Names, FilesSayLanguageAndStage) {
  ExpectKind("a/b.vert", "glsl", "vertex", "a/b");
  ExpectKind("a/b.frag.glsl", "glsl", "fragment", "a/b");
  ExpectKind("b.ps.hlsl", "hlsl", "fragment", "b");
  ExpectKind("b.frag.hlsl", "hlsl", "fragment", "b");
  ExpectKind("b.hlsl", "hlsl", "", "b");
  ExpectKind("b.v2.hlsl", "hlsl", "", "b.v2");
  ExpectKind("B.VERT", "glsl", "vertex", "B");
  ExpectKind("x.spv", "spirv", "", "x");
  ExpectKind("x.wgsl", "wgsl", "", "x");
  ExpectKind("t.tesc", "glsl", "tesscontrol", "t");
  ExpectKind("r.rahit", "glsl", "anyhit", "r");
  ExpectKind("vert", "", "", "vert");
  ExpectKind("a.vert/b", "", "", "a.vert/b");
  ExpectKind(".vert", "", "", ".vert");
}

TEST(Names, ShortStagesAloneAreNoExtension) {
  // "shader.vs" may be anything; only with a language is it a stage.
  ExpectKind("shader.vs", "", "", "shader.vs");
  ExpectKind("shader.vs.glsl", "glsl", "vertex", "shader");
}

TEST(Names, EveryStageHasItsNames) {
  for (Stage stage : AllStages()) {
    EXPECT_EQ(StageFromName(NameOf(stage)), stage);
    EXPECT_EQ(StageFromName(ExtensionOf(stage)), stage);
  }
  EXPECT_EQ(StageFromName("ps"), Stage::kFragment);
  EXPECT_EQ(StageFromName("hull"), Stage::kTessControl);
  EXPECT_FALSE(StageFromName("fragmen"));
  EXPECT_FALSE(StageFromName(""));
}

TEST(Names, TargetsAreParsed) {
  std::string why;
  std::string hint;
  auto target = ParseTargetName("spirv-1.6", why, hint);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->kind, TargetKind::kSpirv);
  EXPECT_EQ(target->version, "1.6");
  target = ParseTargetName("msl", why, hint);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->version, DefaultVersionOf(TargetKind::kMsl));
  EXPECT_TRUE(ParseTargetName("reflection", why, hint));
}

TEST(Names, WrongTargetsSayWhatThereIs) {
  std::string why;
  std::string hint;
  EXPECT_FALSE(ParseTargetName("spirv-1.7", why, hint));
  EXPECT_NE(why.find("1.5 or 1.6"), std::string::npos) << why;
  EXPECT_FALSE(ParseTargetName("sprv-1.5", why, hint));
  EXPECT_EQ(hint, "did you mean 'spirv-1.5'?");
  EXPECT_FALSE(ParseTargetName("reflection-1", why, hint));
  EXPECT_NE(why.find("no versions"), std::string::npos) << why;
  EXPECT_FALSE(ParseTargetName("spirv1.5", why, hint));
  EXPECT_FALSE(ParseTargetName("", why, hint));
  const std::pair<const char*, const char*> cases[] = {{"spriv-1.3", "did you mean 'spirv-1.3'?"},
                                                       {"spriv-9", "did you mean 'spirv'?"},
                                                       {"metal", "did you mean 'msl'?"},
                                                       {"Metal-2.4", "did you mean 'msl-2.4'?"},
                                                       {"msl-1.0", "'msl' alone is 'msl-2.4'"},
                                                       {"spirv-1.7", "'spirv' alone is 'spirv-1.5'"},
                                                       {"phone", ""}};
  for (const auto& [text, expected] : cases) {
    hint.clear();
    EXPECT_FALSE(ParseTargetName(text, why, hint)) << text;
    EXPECT_EQ(hint, expected) << text << ": " << why;
  }
}

}  // namespace
}  // namespace kiln::build
