// SPDX-License-Identifier: Apache-2.0
#include "graph/snapshot.h"

#include <gtest/gtest.h>

#include <random>

#include "base/clock.h"
#include "base/memory_disk.h"

namespace kiln::graph {
namespace {

class SnapshotTest : public testing::Test {
 protected:
  void SetUp() override {
    disk_.Add("/p/a.frag", "#version 450\r\n#include \"b.h\"\n#include \"none.h\"\n#include F\n");
    disk_.Add("/p/b.h", "#include <c.h>\n// \xCE\xA9 \x01 \\ \"\n");
    disk_.Add("/p/inc/c.h", "#include \"../b.h\"\n");
    disk_.Add("/p/dyn.h", "#include \"b.h\"\n");
    disk_.Add("/p/z.comp", "void main() {}\n");
    graph_ = *capturer_.Capture("/p/a.frag", sink_);
    other_ = *capturer_.Capture("/p/z.comp", sink_);
  }

  std::string Write() {
    SnapshotWriter writer;
    writer.Add(other_, "glsl", "inc");
    writer.Add(graph_, "glsl", "inc");
    writer.Attach("kiln.json", "{\"programs\": []}");
    return writer.Finish();
  }
  std::string ErrorOf(const std::string& json) {
    diag::Sink sink;
    EXPECT_FALSE(Snapshot::Read("s.json", json, sink).ok());
    if (sink.diagnostics().size() != 1) return std::to_string(sink.diagnostics().size()) + " diagnostics";
    return sink.diagnostics()[0].code + ": " + sink.diagnostics()[0].message;
  }
  static std::string Replaced(std::string text, std::string_view from, std::string_view to) {
    const size_t at = text.find(from);
    if (at == std::string::npos) {
      ADD_FAILURE() << from;
      return text;
    }
    return text.replace(at, from.size(), to);
  }

  ManualClock clock_;
  MemoryDisk disk_{clock_};
  ModuleCache modules_{disk_};
  Capturer capturer_{modules_, Search{"/p", {{"/p/inc", {}}}, {}}};
  diag::Sink sink_;
  Graph graph_, other_;
};

TEST_F(SnapshotTest, GivesTheSameGraphsWithoutTheDisk) {
  const std::string json = Write();
  Result<Snapshot> snapshot = Snapshot::Read("s.json", json, sink_);
  ASSERT_TRUE(snapshot);
  Result<Graph> graph = snapshot->GraphOf("a.frag", "inc", sink_);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->entry, graph_.entry);
  EXPECT_EQ(graph->imports, graph_.imports);
  EXPECT_TRUE(graph->has_computed);
  ASSERT_EQ(graph->modules.size(), graph_.modules.size());
  for (size_t i = 0; i < graph->modules.size(); ++i) {
    EXPECT_EQ(graph->modules[i]->id, graph_.modules[i]->id);
    EXPECT_EQ(graph->modules[i]->text, graph_.modules[i]->text);
    EXPECT_EQ(graph->modules[i]->digest, graph_.modules[i]->digest);
  }
  EXPECT_EQ(*snapshot->Attachment("kiln.json"), "{\"programs\": []}");
  EXPECT_EQ(snapshot->Attachment("other"), nullptr);
  ASSERT_EQ(snapshot->entries().size(), 2u);
  EXPECT_EQ(snapshot->entries()[1].id, "z.comp");
}

TEST_F(SnapshotTest, EqualGraphsGiveEqualBytesInAnyOrder) {
  SnapshotWriter writer;
  writer.Attach("kiln.json", "{\"programs\": []}");
  writer.Add(graph_, "glsl", "inc");
  writer.Add(other_, "glsl", "inc");
  writer.Add(graph_, "glsl", "inc");
  EXPECT_EQ(writer.Finish(), Write());
}

TEST_F(SnapshotTest, AnswersACompilerAsCaptureDid) {
  ASSERT_TRUE(capturer_.Resolve(graph_, "a.frag", "dyn.h", false, sink_));
  Result<Snapshot> snapshot = Snapshot::Read("s.json", Write(), sink_);
  ASSERT_TRUE(snapshot);
  Graph graph = *snapshot->GraphOf("a.frag", "inc", sink_);
  EXPECT_EQ(graph.modules.size(), 3u);
  ASSERT_TRUE(snapshot->Resolve(graph, "inc", "a.frag", "dyn.h", false, sink_));
  EXPECT_EQ(graph.imports, graph_.imports);
  EXPECT_EQ(graph.modules.size(), 4u);
  EXPECT_FALSE(snapshot->Resolve(graph, "inc", "a.frag", "never-asked.h", false, sink_));
  EXPECT_EQ(sink_.diagnostics().back().code, "snapshot-incomplete");
  EXPECT_FALSE(snapshot->GraphOf("a.frag", "other", sink_));
  EXPECT_FALSE(snapshot->GraphOf("b.h", "inc", sink_));
}

TEST_F(SnapshotTest, TamperingIsNamed) {
  const std::string json = Write();
  EXPECT_EQ(ErrorOf(Replaced(json, "void main() {}", "void main() { }")),
            "snapshot-tampered: the module 'z.comp' is not what was captured: its digest differs");
  EXPECT_EQ(ErrorOf(Replaced(json, "\\\"programs\\\": []", "\\\"programs\\\": [1]")),
            "snapshot-tampered: the attachment 'kiln.json' is not what was captured: its digest differs");
  EXPECT_EQ(ErrorOf(Replaced(json, "        \"inc/c.h\"\n", "        \"z.comp\"\n")),
            "snapshot-tampered: the imports of the search 'inc' are not what was captured: their digest differs");
  EXPECT_EQ(ErrorOf(Replaced(json, "\"language\": \"glsl\"", "\"language\": \"hlsl\"")),
            "snapshot-tampered: the entries are not what was captured: their digest differs");
  EXPECT_EQ(ErrorOf(Replaced(json, "\"id\": \"z.comp\",\n      \"sha256\"", "\"id\": \"y.comp\",\n      \"sha256\"")),
            "snapshot-tampered: the entry 'z.comp' has no module");
  EXPECT_EQ(ErrorOf(Replaced(json, "\"schema\": 1", "\"schema\": 2")),
            "snapshot-schema: this Kiln reads snapshots of schema 1 only");
  EXPECT_EQ(ErrorOf(Replaced(json, "\"schema\": 1", "\"schema\": 1, \"x\": 0")),
            "snapshot-malformed: a snapshot has no key 'x' here");
  EXPECT_EQ(ErrorOf("{}"), "snapshot-malformed: this file is no snapshot of Kiln");
  EXPECT_EQ(ErrorOf("[]"), "snapshot-malformed: this file is no snapshot of Kiln");
  EXPECT_EQ(ErrorOf(""), "snapshot-malformed: expected a value, found the end of the file");
}

TEST_F(SnapshotTest, BoundsHoldForWhatIsRead) {
  diag::Sink sink;
  EXPECT_FALSE(Snapshot::Read("s.json", Write(), sink, {.module_bytes = 20}));
  EXPECT_EQ(sink.diagnostics()[0].code, "snapshot-malformed");
  Result<Snapshot> snapshot = Snapshot::Read("s.json", Write(), sink, {.modules = 2});
  ASSERT_TRUE(snapshot);
  EXPECT_FALSE(snapshot->GraphOf("a.frag", "inc", sink));
  EXPECT_EQ(sink.diagnostics().back().code, "snapshot-too-large");
  EXPECT_TRUE(snapshot->GraphOf("z.comp", "inc", sink));
  Result<Snapshot> shallow = Snapshot::Read("s.json", Write(), sink, {.chain = 2});
  EXPECT_FALSE(shallow->GraphOf("a.frag", "inc", sink));
}

// Whatever one byte becomes: refused, or the same graphs.
TEST_F(SnapshotTest, DamagedBytesNeverGiveOtherGraphs) {
  const std::string json = Write();
  std::mt19937 random(11);
  size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = json;
    const size_t at = random() % json.size();
    if (round % 10 == 0) {
      damaged.resize(at);
    } else {
      damaged[at] = static_cast<char>(random());
    }
    diag::Sink sink;
    Result<Snapshot> snapshot = Snapshot::Read("s.json", damaged, sink);
    if (!snapshot) {
      ++refused;
      ASSERT_TRUE(sink.has_errors());
      continue;
    }
    Result<Graph> graph = snapshot->GraphOf("a.frag", "inc", sink);
    ASSERT_TRUE(graph);
    ASSERT_EQ(graph->imports, graph_.imports);
    ASSERT_EQ(snapshot->FindModule("b.h")->text, graph_.modules[1]->text);
  }
  EXPECT_GT(refused, 2000u);
}

}  // namespace
}  // namespace kiln::graph
