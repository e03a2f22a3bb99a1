// SPDX-License-Identifier: Apache-2.0
#include "build/plan.h"

#include <gtest/gtest.h>

#include <map>

#include "base/memory_disk.h"
#include "build/sources.h"

namespace kiln::build {
namespace {

class PlanTest : public testing::Test {
 protected:
  void File(const std::string& path, std::string_view text = "void main() {}\n") { disk_.Add("/p/" + path, text); }

  /// `body` follows the version.
  std::optional<Plan> Make(std::string_view body, const std::string& output = "") {
    errors_.clear();
    diag::Sink sink;
    auto config = ParseConfig("{\"schemaVersion\": 1,\n" + std::string(body) + "}", "kiln.json", "/p", sink);
    std::optional<Plan> plan;
    if (config) {
      config_ = std::move(*config);
      sources_ = DiskSources(disk_, "/p");
      auto made = MakePlan(config_, output, *sources_, sink);
      EXPECT_EQ(made.ok(), !sink.has_errors());
      if (made) plan = std::move(*made);
    }
    for (const diag::Diagnostic& each : sink.diagnostics()) {
      EXPECT_FALSE(each.hint.empty()) << each.code << ": " << each.message;
      EXPECT_TRUE(!output.empty() || each.location.begin.line != 0) << each.code << ": " << each.message;
      errors_ += std::to_string(each.location.begin.line) + ":" + std::to_string(each.location.begin.column) + " " +
                 each.code + ": " + each.message + (each.hint.empty() ? "" : " | " + each.hint) + "\n";
      for (const diag::Note& note : each.notes) {
        errors_ += "  note " + std::to_string(note.location.begin.line) + ":" +
                   std::to_string(note.location.begin.column) + " " + note.message + "\n";
      }
    }
    return plan;
  }
  void ExpectError(std::string_view body, std::string_view expected) {
    EXPECT_FALSE(Make(body)) << body;
    EXPECT_NE(errors_.find(expected), std::string::npos) << errors_;
  }
  static std::vector<std::string> PathsOf(const Plan& plan) {
    std::vector<std::string> paths;
    for (const PlannedArtifact& artifact : plan.artifacts) paths.push_back(artifact.path);
    return paths;
  }

  ManualClock clock_;
  MemoryDisk disk_{clock_};
  std::unique_ptr<Sources> sources_;
  Config config_;
  std::string errors_;
};

TEST_F(PlanTest, ManifestOrder) {
  File("b.vert"), File("a.frag");
  const auto plan = Make(R"("targets": ["spirv-1.3", "msl-2.4"], "programs": ["b.vert", "a.frag"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(PathsOf(*plan), (std::vector<std::string>{"spirv-1.3/b.vert.spv", "msl-2.4/b.vert.metal",
                                                      "spirv-1.3/a.frag.spv", "msl-2.4/a.frag.metal"}));
}

TEST_F(PlanTest, TargetsOfAProgramAreInManifestOrder) {
  File("a.vert");
  const auto plan = Make(
      R"("targets": ["spirv-1.3", "msl-2.4"], "programs": [{"source": "a.vert", "targets": ["msl-2.4", "spirv-1.3"]}])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(PathsOf(*plan), (std::vector<std::string>{"spirv-1.3/a.vert.spv", "msl-2.4/a.vert.metal"}));
}

TEST_F(PlanTest, GlobsAreSortedAndLeaveOutputsAndExceptionsAlone) {
  File("s/z.vert"), File("s/a.vert"), File("s/sub/a.vert"), File("s/skip.vert"), File("out/spirv/x.vert");
  const auto plan =
      Make(R"("output": "out", "programs": [{"glob": "**/*.vert", "except": "**/skip.*"}], "targets": ["spirv"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(PathsOf(*plan),
            (std::vector<std::string>{"spirv/s/a.vert.spv", "spirv/s/sub/a.vert.spv", "spirv/s/z.vert.spv"}));
}

TEST_F(PlanTest, EmptyGlobsAreErrorsUnlessAllowed) {
  ExpectError(R"("programs": ["s/*.vert"])", "2:14 empty-glob");
  EXPECT_TRUE(Make(R"("programs": [{"glob": "s/*.vert", "allowEmpty": true}])")) << errors_;
}

TEST_F(PlanTest, DefinesOfProgramsAndStagesWinAndTakeAway) {
  File("a.vert");
  const auto plan = Make(R"("defines": {"A": 1, "B": 1, "C": 1}, "programs": [{"defines": {"B": 2, "C": false},
    "stages": [{"source": "a.vert", "defines": {"A": 3}}]}])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(plan->units[0].defines, (std::vector<std::pair<std::string, std::string>>{{"A", "3"}, {"B", "2"}}));
}

TEST_F(PlanTest, OrderOfDefinesDoesNotMatter) {
  File("a.vert");
  const auto one = Make(R"("defines": {"A": 1, "B": 2}, "programs": ["a.vert"])");
  const auto two = Make(R"("defines": {"B": 2, "A": 1}, "programs": ["a.vert"])");
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->units[0].defines, two->units[0].defines);
}

TEST_F(PlanTest, DuplicateOutputsNameBothPlaces) {
  File("a.hlsl", "float4 X() {} float4 Y() {}");
  ExpectError(
      R"("output": {"layout": "{target}/{program}.{stage}.{ext}"}, "programs": [{"name": "p", "source": "a.hlsl",
 "stages": [{"stage": "compute", "entry": "X"},
            {"stage": "compute", "entry": "Y"}]}])",
      "duplicate-output");
  EXPECT_NE(errors_.find("add '{entry}' to the layout"), std::string::npos) << errors_;
  EXPECT_NE(errors_.find("note 2:"), std::string::npos) << errors_;
  const auto plan =
      Make(R"("output": {"layout": "{program}.{entry}.{ext}"}, "programs": [{"name": "p", "source": "a.hlsl",
 "stages": [{"stage": "compute", "entry": "X"}, {"stage": "compute", "entry": "Y"}]}])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(PathsOf(*plan), (std::vector<std::string>{"p.X.spv", "p.Y.spv"}));
}

TEST_F(PlanTest, SeveralEntryPointsOfAStageHaveNamesOfTheirOwn) {
  File("a.wgsl", "@fragment fn f() {}\n@fragment fn g() {}\n@vertex fn v() {}\n");
  const auto plan = Make(R"("targets": ["spirv-1.3", "msl-2.4"], "programs": ["a.wgsl"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(PathsOf(*plan),
            (std::vector<std::string>{"spirv-1.3/a.f.frag.spv", "msl-2.4/a.f.frag.metal", "spirv-1.3/a.g.frag.spv",
                                      "msl-2.4/a.g.frag.metal", "spirv-1.3/a.vert.spv", "msl-2.4/a.vert.metal"}));
}

TEST_F(PlanTest, WhereTheLayoutIsTheAuthorsOneErrorNamesThePlaceholder) {
  File("a.wgsl", "@fragment fn f() {}\n@fragment fn g() {}\n@fragment fn h() {}\n");
  ExpectError(
      R"("output": {"layout": "{target}/{program}.{stage}.{ext}"}, "targets": ["spirv-1.3", "msl-2.4"], "programs": ["a.wgsl"])",
      "add '{entry}' to the layout");
  EXPECT_EQ(errors_.find("duplicate-output"), errors_.rfind("duplicate-output")) << errors_;
}

TEST_F(PlanTest, EachPairOfSourcesThatMeetIsNamed) {
  File("a.vert"), File("a.vert.glsl"), File("b.vert"), File("b.vert.glsl");
  ExpectError(R"("targets": ["spirv-1.3", "msl-2.4"], "programs": ["*.*"])", "program 'a'");
  EXPECT_NE(errors_.find("program 'b'"), std::string::npos) << errors_;
  size_t count = 0;
  for (size_t at = 0; (at = errors_.find("duplicate-output", at)) != std::string::npos; ++at) ++count;
  EXPECT_EQ(count, 2u) << errors_;
}

constexpr const char* kTwoEntries =
    "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }\n@fragment fn fs() {}\n@compute "
    "@workgroup_size(1) fn cs() {}\n";

TEST_F(PlanTest, OneModuleHoldsTheEntryPointsOfItsSource) {
  File("a.wgsl", kTwoEntries);
  const auto plan = Make(R"("targets": ["spirv", "msl-2.4", "reflection", "wgsl"],
    "programs": [{"source": "a.wgsl", "oneModule": true}])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(PathsOf(*plan),
            (std::vector<std::string>{"msl-2.4/a.vert.metal", "msl-2.4/a.frag.metal", "msl-2.4/a.comp.metal",
                                      "spirv/a.module.spv", "reflection/a.module.json", "wgsl/a.module.wgsl"}));
  EXPECT_EQ(plan->units.back().entries, (std::vector<std::string>{"vs", "fs", "cs"}));
  EXPECT_EQ(Describe(config_, *plan, plan->artifacts[3]),
            "program 'a', module with 'vs, fs, cs' of 'a.wgsl' for spirv");
}

TEST_F(PlanTest, OneModuleOfNamedEntryPointsAndOfGlobs) {
  File("a.wgsl", kTwoEntries), File("b.wgsl", kTwoEntries);
  const auto some = Make(R"("programs": [{"name": "p", "source": "a.wgsl", "oneModule": true,
    "stages": [{"entry": "fs"}, {"stage": "vertex"}]}], "output": {"layout": "{program}.{entry}.{stage}.{ext}"})");
  ASSERT_TRUE(some) << errors_;
  EXPECT_EQ(PathsOf(*some), std::vector<std::string>{"p.module.module.spv"});
  EXPECT_EQ(some->units[0].entries, (std::vector<std::string>{"fs", "vs"}));
  const auto all = Make(R"("programs": [{"glob": "*.wgsl", "oneModule": true}])");
  ASSERT_TRUE(all) << errors_;
  EXPECT_EQ(PathsOf(*all), (std::vector<std::string>{"spirv-1.5/a.module.spv", "spirv-1.5/b.module.spv"}));
}

TEST_F(PlanTest, OneModuleRefusesWhatCannotBeOne) {
  File("a.wgsl", kTwoEntries), File("b.wgsl", kTwoEntries), File("a.vert"), File("b.vert");
  ExpectError(R"("programs": [{"oneModule": true, "stages": ["a.vert", "b.vert"]}])",
              "2:15 bad-value: 'oneModule' is for WGSL; 'a.vert' is of language 'glsl'");
  EXPECT_EQ(errors_.find("b.vert"), std::string::npos) << errors_;
  ExpectError(R"("programs": [{"oneModule": true, "stages": ["a.wgsl", "b.wgsl"]}])",
              "2:55 bad-value: 'oneModule' makes one module of one source: 'b.wgsl' is another than 'a.wgsl'");
  EXPECT_NE(errors_.find("note 2:45"), std::string::npos) << errors_;
  ExpectError(R"("targets": ["msl-2.4"], "programs": [{"source": "a.wgsl", "oneModule": true}])",
              "2:59 bad-value: 'oneModule' is for SPIR-V, WGSL and reflection, and the program has no such target");
  ExpectError(R"("programs": [{"source": "a.wgsl", "oneModule": true, "stages": [{"entry": "fs"}, {"entry": "fs"}]}])",
              "2:82 duplicate-name: entry point 'fs' would be in the module twice");
}

TEST_F(PlanTest, OverridesOfStagesWinAndAreForWgslAndOneEntryPoint) {
  File("a.wgsl", kTwoEntries), File("a.vert");
  const auto plan = Make(R"("programs": [{"source": "a.wgsl", "overrides": {"z": 1, "b": 2, "c": 3},
    "stages": [{"entry": "vs"}, {"entry": "fs", "overrides": {"b": true, "c": null, "a": 0}}]}])");
  ASSERT_TRUE(plan) << errors_;
  const auto text = [&](size_t unit) {
    std::string all;
    for (const GivenOverride& each : plan->units[unit].overrides) all += each.key + "=" + each.value + " ";
    return all;
  };
  EXPECT_EQ(text(0), "b=2 c=3 z=1 ");
  EXPECT_EQ(text(1), "a=0 b=true z=1 ");
  ExpectError(R"("programs": [{"stages": ["a.vert"], "overrides": {"n": 1}}])",
              "2:56 bad-value: 'overrides' are for WGSL; 'a.vert' is of language 'glsl'");
  ExpectError(R"("programs": [{"source": "a.wgsl", "oneModule": true, "overrides": {"n": 1}}])",
              "2:73 bad-value: 'overrides' are values of one pipeline with its one entry point; the module would have "
              "'vs, fs, cs'");
  EXPECT_TRUE(Make(R"("programs": [{"source": "a.wgsl", "oneModule": true, "overrides": {"n": 1},
    "stages": [{"entry": "vs"}]}])"))
      << errors_;
}

TEST_F(PlanTest, SameBaseNameInTwoFoldersGivesTwoOutputs) {
  File("x/a.vert"), File("y/a.vert");
  const auto plan = Make(R"("programs": ["*/a.vert"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(PathsOf(*plan), (std::vector<std::string>{"spirv-1.5/x/a.vert.spv", "spirv-1.5/y/a.vert.spv"}));
}

TEST_F(PlanTest, ListedTwice) {
  File("a.vert");
  ExpectError(R"("programs": ["a.vert", "*.vert"])", "the source is listed twice");
}

TEST_F(PlanTest, NamesThatDifferInCaseOnlyAreWarnedOf) {
  File("a.vert"), File("A.vert");
  EXPECT_TRUE(Make(R"("programs": ["a.vert", "A.vert"])"));
  EXPECT_NE(errors_.find("output-case"), std::string::npos) << errors_;
}

TEST_F(PlanTest, FileAndFolderOfOneName) {
  File("a.vert"), File("b.vert");
  ExpectError(
      R"("output": {"layout": "{program}"}, "programs": [{"name": "x", "source": "a.vert"}, {"name": "x/y", "source": "b.vert"}])",
      "would be both a file and the folder");
}

TEST_F(PlanTest, Layouts) {
  File("dir/a.vert");
  const auto plan =
      Make(R"("output": {"layout": "{dir}/{name}-{stage}-{entry}-{target}{{x.{ext}"}, "programs": ["dir/a.vert"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(plan->artifacts[0].path, "dir/a-vert-main-spirv-1.5{x.spv");
  ExpectError(R"("output": {"layout": "{progam}"}, "programs": ["dir/a.vert"])", "did you mean '{program}'?");
  ExpectError(R"("output": {"layout": "{ext"}, "programs": ["dir/a.vert"])", "without its '}'");
  ExpectError(R"("output": {"layout": "../{name}"}, "programs": ["dir/a.vert"])", "outside the output folder");
  ExpectError(R"("output": {"layout": "kiln-record.json"}, "programs": ["dir/a.vert"])", "Kiln's own record");
  ExpectError(R"("output": {"layout": "kiln-record.json/{ext}"}, "programs": ["dir/a.vert"])", "Kiln's own record");
  ExpectError(R"("output": {"layout": "Kiln-Record.JSON"}, "programs": ["dir/a.vert"])", "Kiln's own record");
  const std::string long_name(300, 'n');
  ExpectError(R"("programs": [{"name": ")" + long_name + R"(", "source": "dir/a.vert"}])", "cannot name a file");
}

TEST_F(PlanTest, NamesThatReadAsGlobsAreExplained) {
  File("br[a].vert");
  ExpectError(R"("programs": ["br[a].vert"])", R"(write {"stages": ["br[a].vert"]})");
  EXPECT_TRUE(Make(R"("programs": [{"stages": ["br[a].vert"]}])")) << errors_;
}

TEST_F(PlanTest, AnEntryPointDeclaredTwiceIsLeftToTheCompiler) {
  File("a.wgsl", "@fragment fn f() {}\n@fragment fn f() {}\n");
  const auto plan = Make(R"("programs": ["a.wgsl"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(plan->artifacts.size(), 1u);
}

TEST_F(PlanTest, MissingSourcesHaveANearMiss) {
  File("shaders/blur.vert");
  ExpectError(R"("programs": ["shaders/blurr.vert"])", "did you mean 'shaders/blur.vert'?");
  ExpectError(R"("programs": ["shaders"])", "is a folder");
  ExpectError(R"("programs": ["nowhere/nothing.vert"])", "source-missing");
}

TEST_F(PlanTest, LinksAreRefused) {
  File("real/a.vert");
  ASSERT_TRUE(disk_.MakeLink("real", "/p/folder").ok());
  ASSERT_TRUE(disk_.MakeLink("real/a.vert", "/p/b.vert").ok());
  ExpectError(R"("programs": ["folder/a.vert"])", "link-in-path");
  ExpectError(R"("programs": ["b.vert"])", "link-in-path");
}

TEST_F(PlanTest, OutputMustNotHoldSources) {
  File("s/a.vert"), File("inc/x.glsl");
  ExpectError(R"("output": "s", "programs": ["s/a.vert"])", "source-in-output");
  ExpectError(R"("output": ".", "programs": ["s/a.vert"])", "holds the project itself");
  ExpectError(R"("output": "..", "programs": ["s/a.vert"])", "holds the project itself");
  ExpectError(R"("output": "inc", "include": "inc", "programs": ["s/a.vert"])", "holds the include root");
  ExpectError(R"("output": "inc", "programs": [{"source": "s/a.vert", "include": "inc"}])", "holds the include root");
  File("build/shaders/x.glsl");
  ExpectError(R"("programs": ["s/a.vert"], "include": "build/shaders")", "2:38 output-holds-sources");
  EXPECT_FALSE(Make(R"("programs": ["s/a.vert"])", "/"));
}

TEST_F(PlanTest, IncludeRootsMustBeFolders) {
  File("a.vert"), File("inc/x.glsl");
  EXPECT_TRUE(Make(R"("include": ["inc", ".", "inc"], "programs": ["a.vert"])")) << errors_;
  ExpectError(R"("include": ["inc", "lib"], "programs": ["a.vert"])",
              "2:20 include-root: there is no include folder 'lib'");
  ExpectError(R"("include": "inc/x.glsl", "programs": ["a.vert"])", "2:12 include-root: 'inc/x.glsl' is no folder");
  EXPECT_NE(errors_.find("'inc'"), std::string::npos) << errors_;
  ExpectError(R"("programs": [{"source": "a.vert", "include": ["lib"]}])", "2:47 include-root");
  File("lib/y.glsl");
  EXPECT_TRUE(Make(R"("include": ["inc", "lib"], "programs": ["a.vert"])")) << errors_;
}

TEST_F(PlanTest, StageComesFromNameKeyOrPragma) {
  File("a.glsl", "#version 450\n// #pragma shader_stage(compute)\n#pragma shader_stage(fragment)\nvoid main() {}\n");
  File("b.glsl"), File("c.vert", "#pragma shader_stage(fragment)\n");
  const auto plan = Make(R"("programs": ["a.glsl"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(plan->units[0].stage, Stage::kFragment);
  ExpectError(R"("programs": ["b.glsl"])", "stage-unknown");
  ExpectError(R"("programs": ["c.vert"])", "stage-mismatch");
  ExpectError(R"("programs": [{"stages": [{"source": "c.vert", "stage": "fragment"}]}])", "2:56 stage-mismatch");
}

TEST_F(PlanTest, LanguageMustBeKnown) {
  File("a.txt");
  ExpectError(R"("programs": [{"stages": [{"source": "a.txt", "stage": "vertex"}]}])", "language-unknown");
  EXPECT_TRUE(Make(R"("language": "hlsl", "programs": [{"stages": [{"source": "a.txt", "stage": "vertex"}]}])"));
}

TEST_F(PlanTest, GlslEntryIsMain) {
  File("a.vert");
  ExpectError(R"("programs": [{"stages": [{"source": "a.vert", "entry": "VSMain"}]}])", "2:56 entry-not-main");
}

TEST_F(PlanTest, TwoProgramsWithOneName) {
  File("a.vert"), File("b.frag");
  ExpectError(R"("programs": [{"name": "p", "source": "a.vert"}, {"name": "p", "source": "b.frag"}])",
              "duplicate-name");
}

TEST_F(PlanTest, UnknownTargetOfAProgram) {
  File("a.vert");
  ExpectError(R"("targets": ["msl-2.4"], "programs": [{"source": "a.vert", "targets": ["msl-2.3"]}])",
              "the manifest has no target 'msl-2.3'; it has 'msl-2.4' | did you mean 'msl-2.4'?");
  ExpectError(R"("targets": ["msl-2.4"], "programs": [{"source": "a.vert", "targets": ["x"]}])", "unknown-target");
  ExpectError(R"("targets": ["msl-2.4"], "programs": [{"source": "a.vert", "targets": ["msl-2.4", "msl-2.4"]}])",
              "is named twice");
  ExpectError(R"("targets": ["wgsl"], "programs": ["a.vert"])", "target-unsupported");
}

TEST_F(PlanTest, NamesOfAnyBytes) {
  File("a b$#%:\xC3\xA9.vert"), File("line\nbreak.vert");
  const auto plan = Make(R"("programs": ["*.vert"])");
  ASSERT_TRUE(plan) << errors_;
  EXPECT_EQ(plan->artifacts[0].path, "spirv-1.5/a b$#%:\xC3\xA9.vert.spv");
  EXPECT_EQ(plan->artifacts[1].path, "spirv-1.5/line\nbreak.vert.spv");
}

}  // namespace
}  // namespace kiln::build
