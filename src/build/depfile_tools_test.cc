// SPDX-License-Identifier: Apache-2.0
// What make and Ninja read in a depfile is what was meant: with a hostile name in it, an output is up to date until the
// very file of that name changes. (Names with ' " & ? are left out: Ninja before 1.12 rebuilds for ever with them.)
#include <gtest/gtest.h>

#include <chrono>

#include "base/clock.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/process.h"
#include "build/depfile.h"

namespace kiln::build {
namespace {

class DepfileToolsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto folder = SystemDisk().MakeTemporaryFolder(TemporaryFolder(), "kiln-depfile-");
    ASSERT_TRUE(folder.ok());
    folder_ = *folder;
  }
  void TearDown() override { (void)SystemDisk().RemoveTree(folder_).ok(); }

  std::string Tool(const std::string& name) {
    for (const char* place : {"/usr/bin/", "/usr/local/bin/", "/bin/"}) {
      if (SystemDisk().Stat(place + name)->exists()) return place + name;
    }
    return {};
  }
  std::string At(const std::string& name) const { return path::Join(folder_, name); }
  void File(const std::string& name, std::string_view text, int64_t age_seconds) {
    ASSERT_TRUE(SystemDisk().MakeFolders(std::string(path::Parent(At(name)))).ok());
    ASSERT_TRUE(SystemDisk().WriteFile(At(name), text).ok());
    ASSERT_TRUE(SystemDisk().SetTime(At(name), SystemClock().WallNs() - age_seconds * kNsPerSecond).ok());
  }
  std::string Depfile(const std::string& output, const std::string& input) {
    diag::Sink sink;
    const auto text = MakeDepfile({output, "second"}, {input, "plain"}, {}, sink);
    EXPECT_TRUE(text.ok());
    return text ? *text : "";
  }

  std::string folder_;
};

TEST_P(DepfileToolsTest, Make) {
  const std::string make = Tool("make");
  if (make.empty()) GTEST_SKIP() << "no make here";
  const std::string input = GetParam();
  File(input, "x", 100);
  File("plain", "x", 100);
  File("out", "x", 50);
  File("second", "x", 50);
  File("Makefile", "out: ; @false\ninclude d\n", 200);
  File("d", Depfile("out", input), 200);
  const auto is_fresh = [&] {
    const RunOutput run = RunAndCollect(make, {"-r", "-q", "-C", folder_, "out"}, std::chrono::seconds(30));
    EXPECT_EQ(run.error, 0);
    EXPECT_LE(run.status.code, 1) << run.err;
    return run.status.ok();
  };
  EXPECT_TRUE(is_fresh());
  File(input, "y", 0);
  EXPECT_FALSE(is_fresh());
}

TEST_P(DepfileToolsTest, Ninja) {
  const std::string ninja = Tool("ninja");
  if (ninja.empty()) GTEST_SKIP() << "no ninja here";
  const std::string input = GetParam();
  File(input, "x", 100);
  File("plain", "x", 100);
  File("made", Depfile("out", input), 100);
  File("build.ninja", "rule r\n  command = cp made out.d && touch out\n  depfile = out.d\n  deps = gcc\nbuild out: r\n",
       100);
  const auto runs = [&] {
    const RunOutput run = RunAndCollect(ninja, {"-C", folder_}, std::chrono::seconds(30));
    EXPECT_EQ(run.error, 0);
    EXPECT_TRUE(run.status.ok()) << run.out << run.err;
    return run.out.find("no work to do") == std::string::npos;
  };
  EXPECT_TRUE(runs());
  EXPECT_FALSE(runs());
  File(input, "y", -2);
  EXPECT_TRUE(runs());
}

INSTANTIATE_TEST_SUITE_P(Names, DepfileToolsTest,
                         testing::Values("plain-name", "a b", "a  b c", "a#b", "a$b", "a$(x)b", "a%b",
                                         "sub dir/c:d.frag", "a\\b", "a\\ b", "~home", "\xC3\xA9\xE6\xBC\xA2",
                                         "a(c)[d]{e},f!", "a=b", "-x", "@y", "+z"));

}  // namespace
}  // namespace kiln::build
