// SPDX-License-Identifier: Apache-2.0
#include "build/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kiln::build {
namespace {

Target SpirvTarget(std::string version) {
  Target target;
  target.kind = TargetKind::kSpirv;
  target.version = std::move(version);
  return target;
}

std::string SpirvOf(const Config& config, TargetKind kind) {
  Target target;
  target.kind = kind;
  Unit unit;
  unit.language = Language::kGlsl;
  const Recipe recipe = RecipeOf(config, unit, target);
  for (const auto& [name, value] : recipe.compile) {
    if (name == "spirv") return value;
  }
  return "";
}

TEST(Recipe, AnotherKilnHasOtherKeys) {
  const Recipe recipe;
  EXPECT_EQ(ArtifactKey("t", Digest{}, recipe), ArtifactKey("t", Digest{}, recipe, RecipeRevision()));
  EXPECT_NE(ArtifactKey("t", Digest{}, recipe, "another"), ArtifactKey("t", Digest{}, recipe));
}

TEST(Recipe, TextIsMadeOfTheSpirvThatIsMadeAnyway) {
  Config config;
  EXPECT_EQ(SpirvOf(config, TargetKind::kMsl), "1.5");
  config.targets = {SpirvTarget("1.3"), SpirvTarget("1.4")};
  EXPECT_EQ(SpirvOf(config, TargetKind::kMsl), "1.3");
  const Recipe spirv = RecipeOf(config, Unit{}, config.targets[0]);
  Target msl;
  msl.kind = TargetKind::kMsl;
  EXPECT_EQ(spirv.compile, RecipeOf(config, Unit{}, msl).compile) << "one compilation serves both";
}

TEST(Recipe, TextNeverPassesThroughSpirvThatTurnsDiscardIntoDemote) {
  Config config;
  config.targets = {SpirvTarget("1.6")};
  EXPECT_EQ(SpirvOf(config, TargetKind::kGlsl), "1.5");
  config.targets = {SpirvTarget("1.0")};
  EXPECT_EQ(SpirvOf(config, TargetKind::kGlsl), "1.5");
}

TEST(Recipe, ProtectionsAreTheEmittersAndNoneOfSpirvCross) {
  Config config;
  Target msl;
  msl.kind = TargetKind::kMsl;
  msl.options = {{"clamp-indices", "0"}, {"mask-shifts", "1"}, {"platform", "ios"}};
  Unit unit;
  unit.language = Language::kWgsl;
  const Recipe wgsl = RecipeOf(config, unit, msl);
  const auto holds = [](const Options& options, std::string_view name) {
    return std::any_of(options.begin(), options.end(), [&](const auto& option) { return option.first == name; });
  };
  EXPECT_TRUE(holds(wgsl.compile, "clamp-indices"));
  EXPECT_FALSE(holds(wgsl.compile, "mask-shifts")) << "the default makes no key of its own";
  ASSERT_EQ(wgsl.steps.size(), 1u);
  EXPECT_TRUE(holds(wgsl.steps[0].options, "platform"));
  EXPECT_FALSE(holds(wgsl.steps[0].options, "clamp-indices"));
  EXPECT_FALSE(holds(wgsl.steps[0].options, "mask-shifts"));
  unit.language = Language::kGlsl;
  const Recipe glsl = RecipeOf(config, unit, msl);
  EXPECT_FALSE(holds(glsl.compile, "clamp-indices"));
  EXPECT_FALSE(holds(glsl.steps[0].options, "clamp-indices"));
}

}  // namespace
}  // namespace kiln::build
