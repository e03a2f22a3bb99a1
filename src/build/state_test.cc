// SPDX-License-Identifier: Apache-2.0
#include "build/state.h"

#include <gtest/gtest.h>

#include "base/memory_disk.h"
#include "build/build_state.h"

namespace kiln::build {
namespace {

class StateTest : public testing::Test {
 protected:
  StateTest() {
    disk_.Add("/p/a.vert", "a");
    disk_.Add("/p/out/a.spv", "o");
    for (const auto& [path, role] :
         {std::pair("/p/a.vert", StateRole::kInput), std::pair("/p/out/a.spv", StateRole::kOutput)}) {
      state_.entries.push_back({path, role, *disk_.Stat(path), Sha256Of(path)});
    }
    state_.entries.push_back({"/p/x.glsl", StateRole::kProbe, {}, {}});
    state_.output_folder = "/p/out";
    state_.toolchain = "t";
    state_.artifacts = 1;
    state_.units = 1;
    diag::Diagnostic warning;
    warning.severity = diag::Severity::kWarning;
    warning.code = "w";
    warning.message = "m";
    state_.warnings = {warning};
  }
  ManualClock clock_;
  MemoryDisk disk_{clock_};
  State state_;
  const Digest identity_ = Sha256Of("identity");
};

TEST_F(StateTest, ReadsBackWhatWasSaved) {
  ASSERT_TRUE(SaveState(disk_, "/c/state/x", identity_, state_).ok());
  const auto back = LoadState(disk_, "/c/state/x", identity_);
  ASSERT_TRUE(back);
  ASSERT_EQ(back->entries.size(), 3u);
  EXPECT_EQ(back->entries[1].path, "/p/out/a.spv");
  EXPECT_EQ(back->entries[1].stat, state_.entries[1].stat);
  EXPECT_EQ(back->entries[1].digest, state_.entries[1].digest);
  EXPECT_EQ(back->warnings, state_.warnings);
  EXPECT_EQ(back->output_folder, "/p/out");
  EXPECT_TRUE(IsUnchanged(disk_, *back, 1));
}

TEST_F(StateTest, AnotherIdentityOrAnyDamageIsNoState) {
  ASSERT_TRUE(SaveState(disk_, "/c/s", identity_, state_).ok());
  EXPECT_FALSE(LoadState(disk_, "/c/s", Sha256Of("other")));
  const std::string bytes = disk_.Bytes("/c/s");
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    disk_.Add("/c/d", damaged);
    EXPECT_FALSE(LoadState(disk_, "/c/d", identity_)) << i;
    disk_.Add("/c/d", bytes.substr(0, i));
    EXPECT_FALSE(LoadState(disk_, "/c/d", identity_)) << i;
  }
}

TEST_F(StateTest, EveryChangeIsSeen) {
  EXPECT_TRUE(IsUnchanged(disk_, state_, 1));
  disk_.Add("/p/x.glsl", "appeared");
  EXPECT_FALSE(IsUnchanged(disk_, state_, 1));
  ASSERT_TRUE(disk_.Remove("/p/x.glsl").ok());
  EXPECT_TRUE(IsUnchanged(disk_, state_, 1));
  ASSERT_TRUE(disk_.Remove("/p/out/a.spv").ok());
  EXPECT_FALSE(IsUnchanged(disk_, state_, 1));
}

TEST_F(StateTest, AnIncludeRootMustStayAFolder) {
  disk_.Add("/p/inc/a.glsl", "a");
  state_.entries.push_back({"/p/inc", StateRole::kIncludeRoot, *disk_.Stat("/p/inc"), {}});
  EXPECT_TRUE(IsUnchanged(disk_, state_, 1));
  disk_.Add("/p/inc/b.glsl", "b");
  EXPECT_TRUE(IsUnchanged(disk_, state_, 1)) << "what it holds is told by the places that were looked at";
  ASSERT_TRUE(disk_.RemoveTree("/p/inc").ok());
  EXPECT_FALSE(IsUnchanged(disk_, state_, 1));
  disk_.Add("/p/inc", "a file now");
  EXPECT_FALSE(IsUnchanged(disk_, state_, 1));
}

TEST_F(StateTest, ATouchedInputIsSeen) {
  ASSERT_TRUE(disk_.SetTime("/p/a.vert", state_.entries[0].stat.mtime_ns + 5).ok());
  EXPECT_FALSE(IsUnchanged(disk_, state_, 1));
}

TEST(StateIdentityOf, AnotherKilnBelievesNoStateOfThisOne) {
  const ManifestPlace place{"kiln.json", "/p/kiln.json"};
  EXPECT_EQ(StateIdentity(place, {}), StateIdentity(place, {}, EngineRevision()));
  EXPECT_NE(StateIdentity(place, {}, "another"), StateIdentity(place, {}));
}

TEST(StateRacy, AFileChangedJustNowCanChangeAgainUnseen) {
  FileStat stat;
  stat.kind = FileKind::kRegular;
  stat.mtime_ns = stat.ctime_ns = 1'000'000'123'456'789;
  EXPECT_TRUE(IsRacy(stat, stat.ctime_ns + kNsPerMs));
  EXPECT_FALSE(IsRacy(stat, stat.ctime_ns + 100 * kNsPerMs));
  // A clock of whole seconds.
  stat.mtime_ns = stat.ctime_ns = 1'000'000 * kNsPerSecond;
  EXPECT_TRUE(IsRacy(stat, stat.ctime_ns + kNsPerSecond));
  EXPECT_FALSE(IsRacy(stat, stat.ctime_ns + 3 * kNsPerSecond));
  // A time in the future proves nothing.
  EXPECT_TRUE(IsRacy(stat, stat.ctime_ns - kNsPerSecond));
  EXPECT_FALSE(IsRacy(FileStat{}, 0));
}

}  // namespace
}  // namespace kiln::build
