// SPDX-License-Identifier: Apache-2.0
// What a project depends on, for other tools: depfiles as ninja and make read them, and `kiln graph`.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "build_project.h"
#include "support/run.h"

namespace kiln::test {
namespace {

TEST_F(Build, DepfileNamesSourcesAndOutputs) {
  ASSERT_EQ(Kiln({"build", "--depfile", "all.d"}).exit, 0);
  const std::string deps = project_.Read("all.d");
  for (const char* part :
       {"out/spirv-1.3/shaders/a.frag.spv", "shaders/inc/deep.glsl", "kiln.json", "shaders/c.frag"}) {
    EXPECT_NE(deps.find(part), std::string::npos) << part << " in\n" << deps;
  }
}

TEST_F(Build, DepfileNamesFoldersInWhichAnIncludeWasLookedFor) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out/gpu", "include": ["first", "second"],
    "programs": ["sub/l.vert"]})");
  project_.Write("sub/l.vert", "#version 450\n#include \"x/y.glsl\"\nvoid main() {}\n");
  project_.Write("first/other.glsl", "");
  project_.Write("second/x/y.glsl", "");
  project_.Write("list/.keep", "");
  for (int i = 0; i < 2; ++i) {  // the second answers from the state
    ASSERT_EQ(Kiln({"build", "--depfile", "list/d"}).exit, 0);
    const std::string deps = project_.Read("list/d");
    EXPECT_NE(deps.find("  first \\\n"), std::string::npos) << deps;
    EXPECT_NE(deps.find("  sub \\\n"), std::string::npos) << deps;
    EXPECT_EQ(deps.find("  second \\\n"), std::string::npos) << deps;
    std::filesystem::remove(project_ / "list/d");
  }
  ASSERT_EQ(Kiln({"build", "--depfile", "first/d"}).exit, 0);
  EXPECT_EQ(project_.Read("first/d").find("  first \\\n"), std::string::npos) << "it would never be at rest";
}

TEST_F(Build, NinjaSeesAnIncludeThatAppearsWhereItIsFoundFirst) {
  if (!HasProgram("ninja")) GTEST_SKIP() << "no ninja here";
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out/gpu", "include": ["first", "second"],
    "programs": ["sub/l.vert"]})");
  project_.Write(
      "sub/l.vert",
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"y.glsl\"\nvoid main() { y(); }\n");
  project_.Write("first/other.glsl", "");
  project_.Write("second/y.glsl", "void y() {}\n");
  project_.Write("list/.keep", "");
  project_.Write("build.ninja", "rule k\n  command = '" + KilnTool() + "' build --depfile list/d --cache-dir '" +
                                    project_.cache() +
                                    "' && touch stamp\n  depfile = list/d\n  deps = gcc\nbuild stamp: k\n");
  // As long ago as a clock of whole seconds needs.
  const auto past = std::filesystem::file_time_type::clock::now() - std::chrono::seconds(10);
  for (const char* name : {"first", "second", "sub", "sub/l.vert", "second/y.glsl", "kiln.json"}) {
    std::filesystem::last_write_time(project_ / name, past);
  }
  const auto ninja = [&] { return RunProgram({"ninja"}, {.folder = project_.folder()}); };
  RunResult run = ninja();
  ASSERT_EQ(run.exit, 0) << run.all();
  run = ninja();
  EXPECT_NE(run.out.find("no work to do"), std::string::npos) << run.all();
  project_.Write("first/y.glsl", "void y() { gl_Position = vec4(1); }\n");
  std::filesystem::last_write_time(project_ / "first",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  run = ninja();
  EXPECT_EQ(run.out.find("no work to do"), std::string::npos) << run.all();
}

TEST_F(Build, MakeIsAtRestWithAStamp) {
  if (!HasProgram("make")) GTEST_SKIP() << "no make here";
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out/gpu", "include": ["first", "second"],
    "programs": [{"glob": "sub/*.vert"}]})");
  project_.Write("sub/l.vert",
                 "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"y.glsl\"\n"
                 "void main() { y(); }\n");
  project_.Write("first/other.glsl", "");
  project_.Write("second/y.glsl", "void y() {}\n");
  project_.Write("list/.keep", "");
  project_.Write("Makefile", "list/stamp: kiln.json\n\t'" + KilnTool() +
                                 "' build --depfile list/d --depfile-target $@ --phony-deps "
                                 "--cache-dir '" +
                                 project_.cache() + "' && touch $@\n-include list/d\n");
  const auto make = [&] { return RunProgram({"make", "-s"}, {.folder = project_.folder()}); };
  const auto is_at_rest = [&] { return RunProgram({"make", "-s", "-q"}, {.folder = project_.folder()}).exit == 0; };
  const auto set_time = [&](const char* name, int seconds) {
    std::filesystem::last_write_time(project_ / name,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(seconds));
  };
  RunResult run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_TRUE(project_.Read("list/d").starts_with("list/stamp: \\\n")) << project_.Read("list/d");
  EXPECT_TRUE(is_at_rest());
  // What changes no output: a comment, a time, a file beside the others. Later than the stamp, and not in the future.
  project_.Write("second/y.glsl", "void y() {}  // why\n");
  project_.Write("sub/notes.txt", "no shader\n");
  project_.Write("first/more.glsl", "");
  set_time("list/stamp", -10);
  EXPECT_FALSE(is_at_rest());
  run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_TRUE(is_at_rest()) << "outputs keep their time, the stamp does not";
  // What changes what there is is seen all the same.
  project_.Write("first/y.glsl", "void y() { gl_Position = vec4(1); }\n");
  set_time("list/stamp", -10);
  run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_NE(project_.Read("list/d").find("first/y.glsl"), std::string::npos) << project_.Read("list/d");
  // A shader of the glob gets another name, and the list of the last build still has the old one.
  std::filesystem::rename(project_ / "sub/l.vert", project_ / "sub/m.vert");
  set_time("list/stamp", -10);
  run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_TRUE(Exists(project_ / "out/gpu/spirv-1.5/sub/m.vert.spv"));
  EXPECT_TRUE(is_at_rest());
  EXPECT_NE(ReadFile(KILN_SOURCE_DIR "/docs/configuration.md").find("--depfile-target $@ --phony-deps && touch $@"),
            std::string::npos)
      << "the page shows this rule";
}

TEST_F(Build, ListsAndSnapshotsReplaceNothingThatWasRead) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  for (const char* file :
       {"kiln.json", "shaders/a.frag", "shaders/inc/deep.glsl", "out/spirv-1.3/shaders/a.frag.spv"}) {
    const std::string before = project_.Read(file);
    const RunResult listed = Kiln({"build", "--depfile", file});
    EXPECT_EQ(listed.exit, 2) << file << listed.all();
    EXPECT_EQ(project_.Read(file), before);
    if (std::string(file).starts_with("out/")) continue;
    EXPECT_EQ(Kiln({"capture", "-o", file}).exit, 2) << file;
    EXPECT_EQ(project_.Read(file), before);
  }
}

TEST_F(Build, DepfileNamesTheToolsThatMakeTheOutputs) {
  project_.Write("shaders/d.wgsl", "@compute @workgroup_size(8) fn main() {}\n");
  const struct {
    const char* rest;
    bool has_worker;
    bool has_kiln;
  } cases[] = {{R"("targets": ["spirv-1.5", "wgsl", "reflection"], "programs": ["shaders/*.wgsl"]})", false, true},
               {R"("targets": ["msl-2.4"], "programs": ["shaders/*.wgsl"]})", true, true},
               {R"("programs": ["shaders/*.wgsl"], "optimize": "size"})", true, true},
               {R"("programs": ["shaders/*.{frag,wgsl}"]})", true, true},
               {R"("programs": ["shaders/*.frag"]})", true, false}};
  for (const auto& each : cases) {
    project_.Write("kiln.json", std::string(R"({"schemaVersion": 1, "output": "out",)") + each.rest);
    for (int i = 0; i < 2; ++i) {  // the second answers from the state
      ASSERT_EQ(Kiln({"build", "--depfile", "all.d"}).exit, 0);
      const std::string deps = project_.Read("all.d");
      EXPECT_EQ(deps.find("kiln-worker-") != std::string::npos, each.has_worker) << each.rest << deps;
      EXPECT_EQ(deps.find("  " + KilnTool() + " \\\n") != std::string::npos, each.has_kiln) << each.rest << deps;
    }
  }
}

TEST_F(Build, VerifySaysWhereItCannotKnowTheToolchain) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_EQ(Kiln({"verify"}).out.find("not compared"), std::string::npos);
  EXPECT_NE(Kiln({"verify", "--json"}).out.find("\"toolCompared\": true"), std::string::npos);
  // As on a machine that never built.
  const std::string fresh = project_ / "no-cache";
  const RunResult run = Kiln({"verify", "--cache-dir", fresh});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_NE(run.out.find("the toolchain was not compared"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("'kiln build --locked' compares it"), std::string::npos) << run.out;
  const RunResult json = Kiln({"verify", "--json", "--cache-dir", fresh});
  EXPECT_NE(json.out.find("\"toolCompared\": false"), std::string::npos) << json.out;
  EXPECT_EQ(Kiln({"build", "--locked", "--cache-dir", fresh}).exit, 0);
}

TEST_F(Build, GraphShowsWhoIncludesWhom) {
  const RunResult text = Kiln({"graph"});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("shaders/a.frag\n  shaders/inc/one.glsl\n    shaders/inc/deep.glsl\n"), std::string::npos)
      << text.out;
  const RunResult reverse = Kiln({"graph", "--reverse"});
  EXPECT_NE(reverse.out.find("shaders/inc/deep.glsl\n  shaders/a.frag\n"), std::string::npos) << reverse.out;
  EXPECT_EQ(reverse.err, "");
  project_.Write("alone.frag", "#version 450\nvoid main() {}\n");
  const RunResult alone = Kiln({"graph", "--reverse", "alone.frag"});
  EXPECT_EQ(alone.out, "");
  EXPECT_EQ(alone.err, "no source includes another file\n");
  EXPECT_NE(Kiln({"graph", "--format", "dot"}).out.find("\"shaders/a.frag\" -> \"shaders/inc/one.glsl\";"),
            std::string::npos);
}

}  // namespace
}  // namespace kiln::test
