// SPDX-License-Identifier: Apache-2.0
#include "graph/capture.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/clock.h"
#include "base/memory_disk.h"

namespace kiln::graph {
namespace {

std::string Describe(const diag::Diagnostic& diagnostic) {
  std::string out = diagnostic.location.file;
  if (diagnostic.location.begin.line != 0) {
    out +=
        ":" + std::to_string(diagnostic.location.begin.line) + ":" + std::to_string(diagnostic.location.begin.column);
  }
  return out + ": " + diagnostic.code + ": " + diagnostic.message;
}

std::string Join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string Ids(const Graph& graph) {
  std::vector<std::string> ids;
  for (const Module* module : graph.modules) ids.push_back(module->id);
  return Join(ids);
}

std::string Imports(const Graph& graph) {
  std::vector<std::string> all;
  for (const Import& import : graph.imports) {
    all.push_back(import.from + (import.is_angled ? "<" : ":") + import.spelled + "=" + import.to);
  }
  return Join(all);
}

class CaptureTest : public testing::Test {
 protected:
  void Add(const std::string& name, std::string_view text) { disk_.Add("/p/" + name, text); }

  Result<Graph> Capture(const std::string& name) {
    if (!modules_) modules_.emplace(disk_, limits_);
    if (!capturer_) capturer_.emplace(*modules_, search_);
    return capturer_->Capture("/p/" + name, sink_);
  }
  Graph Captured(const std::string& name) {
    Result<Graph> graph = Capture(name);
    if (graph) return *graph;
    ADD_FAILURE() << Messages();
    return {};
  }
  std::string Messages() {
    std::string out;
    for (const diag::Diagnostic& diagnostic : sink_.TakeDiagnostics()) {
      out += (out.empty() ? "" : "\n") + Describe(diagnostic);
    }
    return out;
  }
  std::string ErrorOf(const std::string& name) {
    EXPECT_FALSE(Capture(name).ok());
    return Messages();
  }
  // A new build: nothing is remembered.
  void Restart() {
    capturer_.reset();
    modules_.reset();
  }

  ManualClock clock_;
  MemoryDisk disk_{clock_};
  Limits limits_;
  Search search_{"/p", {{"/p/inc", {}}, {"/p/lib", {}}}, {}};
  std::optional<ModuleCache> modules_;
  std::optional<Capturer> capturer_;
  diag::Sink sink_;
};

TEST_F(CaptureTest, IncluderFirstThenRootsInOrder) {
  Add("s/a.frag", "#include \"x.h\"\n#include <x.h>\n#include \"y.h\"\n#include \"../s/z.h\"\n");
  Add("s/x.h", "// s");
  Add("inc/x.h", "// inc");
  Add("lib/y.h", "// lib");
  Add("s/z.h", "#include \"x.h\"\n");
  const Graph graph = Captured("s/a.frag");
  EXPECT_EQ(Ids(graph), "s/a.frag s/x.h inc/x.h lib/y.h s/z.h");
  EXPECT_EQ(Imports(graph),
            "s/a.frag:../s/z.h=s/z.h s/a.frag:x.h=s/x.h s/a.frag<x.h=inc/x.h s/a.frag:y.h=lib/y.h s/z.h:x.h=s/x.h");
  EXPECT_EQ(Join(graph.absent), "inc/y.h s/y.h");
  EXPECT_EQ(graph.entry, "s/a.frag");
}

// Bug seed 46, and the "a previously missing include that now appears".
TEST_F(CaptureTest, MissingIncludesAreNoErrorAndWhereTheyCouldAppearIsKnown) {
  Add("a.frag", "#if 0\n#include \"later.h\"\n#endif\n");
  Graph graph = Captured("a.frag");
  EXPECT_EQ(Imports(graph), "a.frag:later.h=");
  EXPECT_EQ(Join(graph.absent), "inc/later.h later.h lib/later.h");
  for (const std::string& id : graph.absent) {
    MemoryDisk other(clock_);
    other.Add("/p/a.frag", "#if 0\n#include \"later.h\"\n#endif\n");
    other.Add(capturer_->PathOf(id), "");
    ModuleCache modules(other);
    Capturer capturer(modules, search_);
    EXPECT_EQ(Imports(*capturer.Capture("/p/a.frag", sink_)), "a.frag:later.h=" + id);
  }
}

// Bug seed 45.
TEST_F(CaptureTest, AnEditTwoLevelsDownChangesADigestOfTheGraph) {
  Add("a.frag", "#include \"b.h\"\n");
  Add("b.h", "#include \"c.h\"\n");
  Add("c.h", "float c = 1.0;\n");
  const Digest before = Captured("a.frag").modules[2]->digest;
  Restart();
  Add("c.h", "float c = 2.0;\n");
  const Graph after = Captured("a.frag");
  EXPECT_EQ(Ids(after), "a.frag b.h c.h");
  EXPECT_NE(after.modules[2]->digest, before);
}

// Bug seed 42: no freeze; what an unguarded cycle is, only the compiler can say.
TEST_F(CaptureTest, CyclesAreGraphs) {
  Add("a.h", "#include \"b.h\"\n");
  Add("b.h", "#include \"a.h\"\n#include \"b.h\"\n");
  const Graph graph = Captured("a.h");
  EXPECT_EQ(Ids(graph), "a.h b.h");
  EXPECT_EQ(Imports(graph), "a.h:b.h=b.h b.h:a.h=a.h b.h:b.h=b.h");
}

TEST_F(CaptureTest, EachFileIsReadOnceForAllProgramsAndSearches) {
  for (int i = 0; i < 50; ++i) Add("s" + std::to_string(i) + ".frag", "#include <common.h>\n#include \"none.h\"\n");
  Add("inc/common.h", "#include \"deep.h\"\n");
  Add("inc/deep.h", "");
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Captured("s" + std::to_string(i) + ".frag").modules.size(), 3u);
  Capturer other(*modules_, Search{"/p", {{"/p/inc", {}}}, {}});
  ASSERT_TRUE(other.Capture("/p/s0.frag", sink_));
  EXPECT_EQ(disk_.Count("read"), 52u);
}

// Bug seed 1: the text begins with what the author sees first.
TEST_F(CaptureTest, AByteOrderMarkIsNoText) {
  Add("a.frag", "\xEF\xBB\xBF#version 450\n#include \"b.h\"\n");
  Add("b.h", "");
  const Graph graph = Captured("a.frag");
  EXPECT_EQ(graph.modules[0]->text, "#version 450\n#include \"b.h\"\n");
  EXPECT_EQ(graph.modules[0]->digest, Sha256Of(graph.modules[0]->text));
  EXPECT_EQ(graph.modules[0]->file_digest, Sha256Of(disk_.Bytes("/p/a.frag")));
  EXPECT_EQ(Imports(graph), "a.frag:b.h=b.h");
}

// Bug seed 4.
TEST_F(CaptureTest, WhatIsNoTextIsAnErrorAtItsByte) {
  Add("a.frag", "#include \"b.h\"\n");
  Add("b.h", "void f();\n// \xC3\x28\n");
  EXPECT_EQ(ErrorOf("a.frag"), "b.h:2:4: source-not-utf8: sources are UTF-8: invalid UTF-8 at byte 13");
  Add("n.frag", std::string_view("a\0b", 3));
  EXPECT_EQ(ErrorOf("n.frag"), "n.frag:1:2: source-has-nul: sources are text: a NUL byte at byte 1");
}

// Bug seed 52.
TEST_F(CaptureTest, FoldersAndUnreadableFilesAreCleanErrors) {
  Add("a.frag", "int x;\n#include \"dir\"\n#include \"secret.h\"\n");
  Add("dir/x", "");
  Add("secret.h", "");
  disk_.SetFault([](std::string_view operation, const std::string& path) {
    return operation == "read" && path == "/p/secret.h" ? EACCES : 0;
  });
  EXPECT_EQ(ErrorOf("a.frag"),
            "a.frag:2:10: source-is-folder: 'dir' cannot be read: it is a folder\n"
            "a.frag:3:10: source-unreadable: 'secret.h' cannot be read: Permission denied");
  EXPECT_EQ(ErrorOf("none.frag"), "none.frag: source-not-found: 'none.frag' cannot be read: there is no such file");
  EXPECT_EQ(ErrorOf("dir"), "dir: source-is-folder: 'dir' cannot be read: it is a folder");
}

TEST_F(CaptureTest, AFolderBeforeAFileInTheSearchIsPassedOver) {
  Add("a.frag", "#include \"x\"\n");
  Add("x/file", "");
  Add("inc/x", "");
  EXPECT_EQ(Imports(Captured("a.frag")), "a.frag:x=inc/x");
}

TEST_F(CaptureTest, NothingOutsideTheRootsIsLookedAt) {
  disk_.Add("/etc/passwd", "root");
  disk_.Add("/secret.h", "x");
  Add("a.frag",
      "#include \"../secret.h\"\n#include \"../../../../etc/passwd\"\n#include \"/etc/passwd\"\n#include "
      "</secret.h>\n");
  disk_.SetFault([](std::string_view, const std::string& path) {
    EXPECT_FALSE(path.starts_with("/etc") || path == "/secret.h") << path;
    return 0;
  });
  const Graph graph = Captured("a.frag");
  EXPECT_EQ(Ids(graph), "a.frag");
  for (const Import& import : graph.imports) EXPECT_EQ(import.to, "");
  EXPECT_EQ(capturer_->Explain("a.frag", "../secret.h", false).hint,
            "the name leads out of the project; add the folder to \"include\"");
  EXPECT_EQ(Capture("../secret.h").ok(), false);
  EXPECT_EQ(Messages(), ": source-outside: '../secret.h' lies outside the project and its include folders");
}

TEST_F(CaptureTest, LinksThatLeadOutAreRefusedAndOthersFollowed) {
  disk_.Add("/etc/passwd", "root");
  Add("real/x.h", "// x");
  ASSERT_TRUE(disk_.MakeLink("/etc/passwd", "/p/out.h"));
  ASSERT_TRUE(disk_.MakeLink("/etc", "/p/etc"));
  ASSERT_TRUE(disk_.MakeLink("real", "/p/alias"));
  ASSERT_TRUE(disk_.MakeLink("nowhere", "/p/broken.h"));
  Add("a.frag", "#include \"out.h\"\n#include \"etc/passwd\"\n");
  Add("b.frag", "#include \"alias/x.h\"\n#include \"broken.h\"\n");
  const std::string tail = "' is reached by a link that leads out of the project and its include folders";
  EXPECT_EQ(ErrorOf("a.frag"),
            "a.frag:1:10: include-link: 'out.h" + tail + "\na.frag:2:10: include-link: 'etc/passwd" + tail);
  EXPECT_EQ(ErrorOf("etc/passwd"), "etc/passwd: source-link: 'etc/passwd" + tail);
  EXPECT_EQ(disk_.Count("read"), 1u);  // a.frag alone
  EXPECT_EQ(Ids(Captured("b.frag")), "b.frag alias/x.h");
}

TEST_F(CaptureTest, AProjectThatIsReachedByALinkIsAProject) {
  disk_.Add("/data/p/a.frag", "#include \"b.h\"\n");
  disk_.Add("/data/p/b.h", "");
  ASSERT_TRUE(disk_.MakeLink("/data/p", "/home"));
  ModuleCache modules(disk_);
  Capturer capturer(modules, Search{"/home", {}, {}});
  EXPECT_EQ(Ids(*capturer.Capture("/home/a.frag", sink_)), "a.frag b.h");
}

TEST_F(CaptureTest, RootsOutsideTheProjectHaveTheirIds) {
  disk_.Add("/sdk/noise.h", "");
  disk_.Add("/shared/light.h", "#include \"../sdk/noise.h\"\n");
  search_.includes = {{"/sdk", "@sdk"}, {"/shared", {}}};
  Add("a.frag", "#include <noise.h>\n#include <light.h>\n");
  const Graph graph = Captured("a.frag");
  EXPECT_EQ(Ids(graph), "a.frag @sdk/noise.h ../shared/light.h");
  EXPECT_EQ(capturer_->PathOf("@sdk/noise.h"), "/sdk/noise.h");
  EXPECT_EQ(capturer_->PathOf("../shared/light.h"), "/shared/light.h");
  EXPECT_EQ(search_.Name(), "@sdk:../shared");
  EXPECT_EQ(
      Imports(graph),
      "../shared/light.h:../sdk/noise.h=@sdk/noise.h a.frag<light.h=../shared/light.h a.frag<noise.h=@sdk/noise.h");
}

TEST_F(CaptureTest, BoundsOfAModuleAGraphAndAChain) {
  limits_ = {.module_bytes = 100, .graph_bytes = 250, .modules = 6, .chain = 4};
  Add("long.frag", std::string(101, ' '));
  EXPECT_EQ(ErrorOf("long.frag"),
            "long.frag: module-too-large: 'long.frag' cannot be a module: it is longer than 100 bytes");
  Add("big.frag", "#include \"b1\"\n#include \"b2\"\n#include \"b3\"\n");
  for (const char* name : {"b1", "b2", "b3"}) Add(name, std::string(90, ' '));
  EXPECT_EQ(ErrorOf("big.frag"), "big.frag:3:10: graph-too-large: with 'b3' this source graph has more than 250 bytes");
  std::string many;
  for (int i = 0; i < 6; ++i) {
    many += "#include \"m" + std::to_string(i) + "\"\n";
    Add("m" + std::to_string(i), "");
  }
  Add("many.frag", many);
  EXPECT_EQ(ErrorOf("many.frag"),
            "many.frag:6:10: graph-too-many-modules: with 'm5' this source graph has more than 6 modules");
  for (int i = 0; i < 5; ++i) Add("c" + std::to_string(i), "#include \"c" + std::to_string(i + 1) + "\"\n");
  Add("c5", "");
  EXPECT_EQ(ErrorOf("c0"),
            "c3:1:10: include-chain-too-long: 'c4' would be module 5 along one chain of includes; the limit is 4");
  EXPECT_EQ(Ids(Captured("c2")), "c2 c3 c4 c5");
}

TEST_F(CaptureTest, AVeryLongChainNeedsNoStack) {
  limits_ = {.module_bytes = 1000, .graph_bytes = 1 << 30, .modules = 1 << 20, .chain = 1 << 20};
  for (int i = 0; i < 20'000; ++i) Add("c" + std::to_string(i), "#include \"c" + std::to_string(i + 1) + "\"\n");
  EXPECT_EQ(Captured("c0").modules.size(), 20'000u);
}

TEST_F(CaptureTest, ResolveAddsWhatACompilerAsksFor) {
  Add("a.frag", "#define F \"dyn.h\"\n#include F\n");
  Add("dyn.h", "#include \"deep.h\"\n");
  Add("deep.h", "");
  Graph graph = Captured("a.frag");
  EXPECT_TRUE(graph.has_computed);
  EXPECT_EQ(Ids(graph), "a.frag");
  Result<Import> import = capturer_->Resolve(graph, "a.frag", "dyn.h", false, sink_);
  ASSERT_TRUE(import);
  EXPECT_EQ(import->to, "dyn.h");
  EXPECT_EQ(Ids(graph), "a.frag dyn.h deep.h");
  EXPECT_EQ(Imports(graph), "a.frag:dyn.h=dyn.h dyn.h:deep.h=deep.h");
  Result<Import> none = capturer_->Resolve(graph, "deep.h", "none.h", true, sink_);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->to, "");
  EXPECT_EQ(Join(graph.absent), "inc/none.h lib/none.h");
  const std::string before = Imports(graph);
  ASSERT_TRUE(capturer_->Resolve(graph, "deep.h", "none.h", true, sink_));
  EXPECT_EQ(Imports(graph), before);
  EXPECT_EQ(Ids(Captured("a.frag")), "a.frag");  // another program asks for itself
}

TEST_F(CaptureTest, ResolveOfABadFileLeavesTheGraph) {
  Add("a.frag", "#include F\n");
  Add("bad.h", "\xFF");
  Graph graph = Captured("a.frag");
  EXPECT_FALSE(capturer_->Resolve(graph, "a.frag", "bad.h", false, sink_));
  EXPECT_EQ(Messages(), "bad.h:1:1: source-not-utf8: sources are UTF-8: invalid UTF-8 at byte 0");
  EXPECT_EQ(Imports(graph), "");
}

TEST_F(CaptureTest, ExplainFindsCaseAndTypingMistakes) {
  Add("a.frag", "#include \"sub/noise.glsl\"\n");
  Add("sub/Noise.glsl", "");
  Add("sub/lighting.glsl", "");
  Captured("a.frag");
  const Capturer::Explanation why = capturer_->Explain("a.frag", "sub/noise.glsl", false);
  EXPECT_EQ(Join(why.looked_at), "sub/noise.glsl inc/sub/noise.glsl lib/sub/noise.glsl");
  EXPECT_EQ(why.hint, "the file is named 'Noise.glsl': letter case counts");
  EXPECT_EQ(capturer_->Explain("a.frag", "sub/lihgting.glsl", false).hint, "did you mean 'sub/lighting.glsl'?");
  EXPECT_EQ(capturer_->Explain("a.frag", "zzz", false).hint, "");
  EXPECT_EQ(capturer_->Explain("a.frag", std::string(300, 'x'), false).hint,
            "no file can have this name: a name of 300 bytes; 255 is the limit");
}

TEST_F(CaptureTest, ADiskThatIgnoresCaseWarns) {
  disk_.SetCaseInsensitive(true);
  Add("a.frag", "#include \"noise.glsl\"\n");
  Add("Noise.glsl", "");
  EXPECT_EQ(Imports(Captured("a.frag")), "a.frag:noise.glsl=noise.glsl");
  EXPECT_EQ(
      Messages(),
      "a.frag:1:10: include-case: the file is named 'Noise.glsl': where letter case counts, 'noise.glsl' is not found");
}

TEST_F(CaptureTest, AbsoluteNamesAreThoseOfTheRootsAndTheProject) {
  Add("s/a.frag", "#include \"/x.h\"\n#include </s/y.h>\n#include \"//x.h\"\n");
  Add("s/x.h", "");
  Add("lib/x.h", "");
  Add("s/y.h", "");
  const Graph graph = Captured("s/a.frag");
  EXPECT_EQ(Imports(graph), "s/a.frag://x.h=lib/x.h s/a.frag</s/y.h=s/y.h s/a.frag:/x.h=lib/x.h");
  EXPECT_EQ(Join(graph.absent), "inc/s/y.h inc/x.h lib/s/y.h");
}

TEST_F(CaptureTest, ASourceOutsideMayBeAllowedWithItsFolder) {
  disk_.Add("/shared/fx/a.frag", "#include \"b.h\"\n#include \"../c.h\"\n");
  disk_.Add("/shared/fx/b.h", "");
  disk_.Add("/shared/c.h", "");
  search_.also_allowed = {"/shared/fx"};
  const Graph graph = Captured("../shared/fx/a.frag");
  EXPECT_EQ(Ids(graph), "../shared/fx/a.frag ../shared/fx/b.h");
}

// Bug seed 43: names are bytes, whatever they hold.
TEST_F(CaptureTest, OddNamesAreNames) {
  const std::string name = "a b#$:%\xCE\xA9.h";
  Add("a.frag", "#include \"" + name + "\"\n#include \"sub\\win.h\"\n#include \"" + std::string(300, 'x') + "\"\n");
  Add(name, "");
  Add("sub/win.h", "");
  EXPECT_EQ(Ids(Captured("a.frag")), "a.frag " + name + " sub/win.h");
}

}  // namespace
}  // namespace kiln::graph
