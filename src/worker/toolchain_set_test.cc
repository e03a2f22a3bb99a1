// SPDX-License-Identifier: Apache-2.0
#include "worker/toolchain_set.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/files.h"
#include "base/process.h"

namespace kiln::worker {
namespace {

std::string FaultWorker() {
  const std::string self = SelfExecutable();
  return self.substr(0, self.rfind('/')) + "/test-workers/kiln-worker-fault";
}

class Discovering : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = *SystemDisk().MakeTemporaryFolder(TemporaryFolder(), "kiln-sets-");
    ASSERT_TRUE(SystemDisk().MakeFolders(folder_ + "/bin").ok());
  }
  void TearDown() override { (void)SystemDisk().RemoveTree(folder_).ok(); }

  // A worker that answers with a text of ours and counts how often it was asked.
  void Script(const std::string& name, const Identity& identity, const std::string& tail = "") {
    const std::string path = folder_ + "/bin/" + name;
    const std::string text =
        "#!/bin/sh\necho x >> " + folder_ + "/asked\ncat <<'E'\n" + identity.ToText() + "E\n" + tail + "\n";
    ASSERT_TRUE(SystemDisk().WriteFile(path, text, Durability::kNone, true).ok());
  }
  size_t Asked() {
    const auto text = SystemDisk().ReadFile(folder_ + "/asked", 1 << 20);
    return text ? text->size() / 2 : 0;
  }
  Discovery Find() {
    DiscoveryOptions options;
    options.folders = {folder_ + "/bin", folder_ + "/none"};
    options.cache_folder = folder_ + "/cache";
    return Discover(options);
  }
  static Identity Make(const std::string& set, const std::string& glslang) {
    return {set, "3", {{"glslang", glslang}, {"spirv-cross", "1"}}, {"compile", "translate"}};
  }

  std::string folder_;
};

TEST_F(Discovering, TheNewestComesFirstAndIsTheDefault) {
  Script("kiln-worker-debian", Make("debian", "12.0.0-2"));
  Script("kiln-worker-old", Make("old", "9.3"));
  Script("kiln-worker-current", Make("current", "16.6.0"));
  const Discovery found = Find();
  ASSERT_EQ(found.sets.size(), 3u);
  EXPECT_EQ(found.Default()->name(), "current");
  EXPECT_EQ(found.sets[1].name(), "debian");
  EXPECT_EQ(found.sets[2].name(), "old");
  EXPECT_EQ(found.Find("debian")->identity, Make("debian", "12.0.0-2"));
  EXPECT_EQ(found.Find("nobody"), nullptr);
}

TEST_F(Discovering, AWorkerIsAskedOnceUntilItChanges) {
  Script("kiln-worker-a", Make("a", "1"));
  EXPECT_EQ(Find().sets.size(), 1u);
  EXPECT_EQ(Find().sets.size(), 1u);
  EXPECT_EQ(Asked(), 1u);
  Script("kiln-worker-a", Make("a", "2"));
  EXPECT_EQ(Find().sets.at(0).identity.toolchains[0].version, "2");
  EXPECT_EQ(Asked(), 2u);
}

TEST_F(Discovering, ADamagedCacheIsAskedAgain) {
  Script("kiln-worker-a", Make("a", "1"));
  Find();
  const std::string cache = folder_ + "/cache/toolchains";
  const auto entries = SystemDisk().List(cache);
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 1u);
  const std::string file = cache + "/" + entries->at(0).name;
  std::string text = *SystemDisk().ReadFile(file, 1 << 20);
  text[text.find("glslang 1") + 8] = '7';
  ASSERT_TRUE(SystemDisk().WriteFile(file, text).ok());
  EXPECT_EQ(Find().sets.at(0).identity.toolchains[0].version, "1");
  EXPECT_EQ(Asked(), 2u);
}

TEST_F(Discovering, WhatCannotBeUsedIsNamedWithItsReason) {
  Script("kiln-worker-fails", Make("fails", "1"), "echo no library >&2; exit 127");
  ASSERT_TRUE(SystemDisk().WriteFile(folder_ + "/bin/kiln-worker-plain", "x").ok());
  ASSERT_TRUE(SystemDisk()
                  .WriteFile(folder_ + "/bin/kiln-worker-chatty", "#!/bin/sh\necho hello\n", Durability::kNone, true)
                  .ok());
  ASSERT_TRUE(SystemDisk().WriteFile(folder_ + "/bin/kiln-worker-a.d", "not a worker").ok());
  ASSERT_TRUE(SystemDisk().WriteFile(folder_ + "/bin/other", "not a worker").ok());
  ASSERT_TRUE(SystemDisk().MakeLink(folder_ + "/nowhere", folder_ + "/bin/kiln-worker-link").ok());
  const Discovery found = Find();
  EXPECT_TRUE(found.sets.empty());
  EXPECT_EQ(found.Default(), nullptr);
  ASSERT_EQ(found.unusable.size(), 4u);
  EXPECT_NE(found.unusable[1].reason.find("exit code 127"), std::string::npos) << found.unusable[1].reason;
  EXPECT_NE(found.unusable[1].reason.find("no library"), std::string::npos);
}

TEST_F(Discovering, AWorkerThatHangsIsWaitedForOnce) {
  Script("kiln-worker-hangs", Make("hangs", "1"), "exec sleep 1000");
  DiscoveryOptions options;
  options.folders = {folder_ + "/bin"};
  options.cache_folder = folder_ + "/cache";
  options.answer_deadline = std::chrono::milliseconds(300);
  const auto expect_silent = [&](size_t asked) {
    const Discovery found = Discover(options);
    EXPECT_TRUE(found.sets.empty());
    ASSERT_EQ(found.unusable.size(), 1u);
    EXPECT_TRUE(found.unusable[0].is_silent);
    EXPECT_NE(found.unusable[0].reason.find("did not say who it is"), std::string::npos) << found.unusable[0].reason;
    EXPECT_EQ(Asked(), asked);
  };
  expect_silent(1);
  options.answer_deadline = std::chrono::hours(1);  // a second question would never end
  expect_silent(1);
  options.never_ask = true;
  expect_silent(1);
  options.never_ask = false;
  options.answer_deadline = std::chrono::milliseconds(300);
  options.ask_silent_again = true;
  expect_silent(2);
  options.ask_silent_again = false;
  options.answer_deadline = std::chrono::hours(1);
  Script("kiln-worker-hangs", Make("hangs", "1"));  // repaired: another file
  EXPECT_EQ(Discover(options).sets.size(), 1u);
}

TEST_F(Discovering, ANamedExecutableComesBeforeTheFolders) {
  Script("kiln-worker-a", Make("a", "1"));
  ASSERT_TRUE(SystemDisk().MakeFolders(folder_ + "/mine").ok());
  ASSERT_TRUE(SystemDisk().Rename(folder_ + "/bin/kiln-worker-a", folder_ + "/mine/compiler").ok());
  Script("kiln-worker-a", Make("a", "2"));
  DiscoveryOptions options;
  options.folders = {folder_ + "/bin"};
  options.executables = {folder_ + "/mine/compiler"};
  const Discovery found = Discover(options);
  ASSERT_EQ(found.sets.size(), 1u);
  EXPECT_EQ(found.sets[0].identity.toolchains[0].version, "1");
  EXPECT_EQ(found.unusable.size(), 1u);
}

TEST_F(Discovering, ARealWorkerTellsWhoItIs) {
  DiscoveryOptions options;
  options.executables = {FaultWorker()};
  options.folders = {folder_};
  const Discovery found = Discover(options);
  ASSERT_EQ(found.sets.size(), 1u) << (found.unusable.empty() ? "" : found.unusable[0].reason);
  EXPECT_EQ(found.sets[0].identity.Describe(), "fault 1.0");
  EXPECT_EQ(found.sets[0].digest.size(), 64u);
}

TEST(Identity, TheDigestHoldsVersionsAndRevisionButNotTheSetsName) {
  const Identity base{"a", "1", {{"glslang", "1"}}, {"compile"}};
  Identity other = base;
  other.set = "b";
  EXPECT_EQ(base.Digest(), other.Digest());
  other.adapter_revision = "2";
  EXPECT_NE(base.Digest(), other.Digest());
  other = base;
  other.toolchains[0].version = "1.0";
  EXPECT_NE(base.Digest(), other.Digest());
}

TEST(Identity, TextIsReadBackAndDamageIsNot) {
  const Identity identity{"a", "7", {{"glslang", "1 beta"}, {"z", "2"}}, {"compile", "validate"}};
  Identity back;
  ASSERT_TRUE(Identity::Parse(identity.ToText(), back));
  EXPECT_EQ(back, identity);
  const std::string text = identity.ToText();
  for (const std::string& bad : {std::string(), text.substr(0, text.size() - 1), "x" + text, text + "surprise 1\n",
                                 text + "adapter \n", std::string("kiln-worker-identity 1\nset a\n")}) {
    EXPECT_FALSE(Identity::Parse(bad, back)) << bad;
  }
}

TEST(Versions, AreOrderedAsPeopleDo) {
  const char* const ascending[] = {"", "1", "1.2", "1.2.1", "1.10", "9.9", "12.0.0-2", "12.0.0-10", "16.6.0"};
  for (size_t i = 0; i < std::size(ascending); ++i) {
    for (size_t j = 0; j < std::size(ascending); ++j) {
      const int order = CompareVersions(ascending[i], ascending[j]);
      EXPECT_EQ(order < 0, i < j) << ascending[i] << " " << ascending[j];
      EXPECT_EQ(order > 0, i > j) << ascending[i] << " " << ascending[j];
    }
  }
  EXPECT_EQ(CompareVersions("1.02", "1.2"), 0);
}

}  // namespace
}  // namespace kiln::worker
