// SPDX-License-Identifier: Apache-2.0
#include "store/stat_cache.h"

#include <gtest/gtest.h>

#include <random>

#include "base/memory_disk.h"

namespace kiln::store {
namespace {

constexpr uint64_t kNoLimit = 1 << 30;

class StatCacheTest : public testing::Test {
 protected:
  StatCacheTest() : clock_(1'700'000'000'123'456'789) {}

  std::vector<FileDigest> Digests(StatCache& cache, std::vector<std::string> names) {
    const std::vector<std::string_view> paths(names.begin(), names.end());
    return cache.DigestMany(disk_, clock_, paths, kNoLimit);
  }
  bool Reads(StatCache& cache, const std::string& name) {
    const FileDigest answer = Digests(cache, {name})[0];
    EXPECT_EQ(answer.digest, Sha256Of(disk_.Bytes(name)));
    return answer.was_read;
  }

  ManualClock clock_;
  MemoryDisk disk_{clock_};
};

TEST_F(StatCacheTest, ReadsOnceAndThenOnlyStats) {
  disk_.Add("/a", "a");
  clock_.Advance(10 * kNsPerSecond);
  StatCache cache;
  EXPECT_TRUE(Reads(cache, "/a"));
  EXPECT_FALSE(Reads(cache, "/a"));
  ASSERT_TRUE(cache.Save(disk_, "/stat"));
  StatCache loaded = StatCache::Load(disk_, "/stat");
  EXPECT_EQ(loaded.size(), 1u);
  disk_.ResetCounts();
  EXPECT_FALSE(Reads(loaded, "/a"));
  EXPECT_EQ(disk_.Count("read"), 0u);
  EXPECT_FALSE(loaded.is_changed());
}

TEST_F(StatCacheTest, AnyDifferenceOfTheStatIsRead) {
  disk_.Add("/a", "a");
  clock_.Advance(10 * kNsPerSecond);
  StatCache cache;
  Reads(cache, "/a");
  const FileStat stat = *disk_.Stat("/a");
  ASSERT_NE(cache.Find("/a", stat), nullptr);
  for (int field = 0; field < 5; ++field) {
    FileStat other = stat;
    (field == 0 ? other.size : field == 1 ? other.inode : field == 2 ? other.device : other.size) += field < 3;
    if (field == 3) ++other.mtime_ns;
    if (field == 4) ++other.ctime_ns;
    EXPECT_EQ(cache.Find("/a", other), nullptr) << field;
  }
  EXPECT_EQ(cache.Find("/b", stat), nullptr);
  disk_.Add("/a", "b");  // same size, as an editor that writes a new file
  EXPECT_TRUE(Reads(cache, "/a"));
}

// A file that is written again within the tick in which it was read has the same stat and other bytes.
TEST_F(StatCacheTest, RacyEntriesAreNotTrusted) {
  disk_.Add("/a", "old");
  StatCache cache;
  EXPECT_TRUE(Reads(cache, "/a"));
  disk_.Damage("/a", [](std::string& bytes) { bytes = "new"; });
  EXPECT_TRUE(Reads(cache, "/a"));
  clock_.Advance(kFineRestNs);
  EXPECT_TRUE(Reads(cache, "/a"));   // read once more at rest
  EXPECT_FALSE(Reads(cache, "/a"));  // and now known
}

TEST_F(StatCacheTest, WholeSecondsNeedLongerRest) {
  FileStat fine, coarse;
  fine.mtime_ns = fine.ctime_ns = 1'000'000'000'123'456'789;
  coarse.mtime_ns = coarse.ctime_ns = 1'000'000'000'000'000'000;
  EXPECT_FALSE(WasAtRest(fine, fine.mtime_ns + kFineRestNs - 1));
  EXPECT_TRUE(WasAtRest(fine, fine.mtime_ns + kFineRestNs));
  EXPECT_FALSE(WasAtRest(coarse, coarse.mtime_ns + kCoarseRestNs - 1));
  EXPECT_TRUE(WasAtRest(coarse, coarse.mtime_ns + kCoarseRestNs));
  FileStat touched = fine;  // old by its time, but that was set just now
  touched.mtime_ns -= 3600 * kNsPerSecond;
  EXPECT_FALSE(WasAtRest(touched, fine.ctime_ns + 1));
  EXPECT_FALSE(WasAtRest(fine, fine.mtime_ns - kNsPerSecond));  // from the future
}

TEST_F(StatCacheTest, AbsentFoldersAndUnreadable) {
  disk_.Add("/d/f", "x");
  disk_.Add("/g", "g");
  disk_.SetFault(
      [](std::string_view operation, const std::string& path) { return operation == "read" && path == "/g" ? 13 : 0; });
  StatCache cache;
  const std::vector<FileDigest> answers = Digests(cache, {"/none", "/d", "/g", "/d/f"});
  EXPECT_EQ(answers[0].stat.kind, FileKind::kAbsent);
  EXPECT_FALSE(answers[0].has_digest || answers[0].error);
  EXPECT_EQ(answers[1].stat.kind, FileKind::kFolder);
  EXPECT_FALSE(answers[1].has_digest);
  ASSERT_TRUE(answers[2].error);
  EXPECT_EQ(answers[2].error->code, 13);
  EXPECT_TRUE(answers[3].has_digest);
}

TEST_F(StatCacheTest, ManyEntriesSurviveSaveAndLoad) {
  StatCache cache;
  FileStat stat;
  stat.kind = FileKind::kRegular;
  stat.mtime_ns = stat.ctime_ns = 1;
  for (int i = 0; i < 5000; ++i) {
    stat.inode = static_cast<uint64_t>(i);
    cache.Record("/p/" + std::to_string(i), stat, Sha256Of(std::to_string(i)), clock_.WallNs());
  }
  for (int i = 0; i < 5000; i += 2) cache.Forget("/p/" + std::to_string(i));
  EXPECT_EQ(cache.size(), 2500u);
  ASSERT_TRUE(cache.Save(disk_, "/stat"));
  StatCache loaded = StatCache::Load(disk_, "/stat");
  EXPECT_EQ(loaded.size(), 2500u);
  for (int i = 0; i < 5000; ++i) {
    stat.inode = static_cast<uint64_t>(i);
    const Digest* found = loaded.Find("/p/" + std::to_string(i), stat);
    ASSERT_EQ(found != nullptr, i % 2 == 1) << i;
    if (found != nullptr) {
      ASSERT_EQ(*found, Sha256Of(std::to_string(i)));
    }
  }
}

TEST_F(StatCacheTest, WhatWasNotSeenGoesFirstWhereThereAreTooMany) {
  StatCache cache;
  FileStat stat;
  stat.kind = FileKind::kRegular;
  for (int i = 0; i < 10; ++i) cache.Record(std::to_string(i), stat, kEmptyDigest, clock_.WallNs());
  ASSERT_TRUE(cache.Save(disk_, "/stat"));
  StatCache loaded = StatCache::Load(disk_, "/stat");
  for (int i = 5; i < 8; ++i) ASSERT_NE(loaded.Find(std::to_string(i), stat), nullptr);
  loaded.Record("new", stat, kEmptyDigest, clock_.WallNs());
  ASSERT_TRUE(loaded.Save(disk_, "/stat", 6));
  StatCache again = StatCache::Load(disk_, "/stat");
  EXPECT_EQ(again.size(), 4u);
  EXPECT_NE(again.Find("new", stat), nullptr);
  EXPECT_NE(again.Find("5", stat), nullptr);
  EXPECT_EQ(again.Find("0", stat), nullptr);
}

TEST_F(StatCacheTest, ADamagedFileIsAnEmptyCache) {
  StatCache cache;
  FileStat stat;
  stat.kind = FileKind::kRegular;
  for (int i = 0; i < 20; ++i) cache.Record(std::to_string(i), stat, kEmptyDigest, clock_.WallNs());
  ASSERT_TRUE(cache.Save(disk_, "/stat"));
  const std::string good = disk_.Bytes("/stat");
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    disk_.Damage("/stat", [&](std::string& bytes) {
      bytes = good;
      if (round % 3 == 0) {
        bytes.resize(random() % bytes.size());
      } else {
        bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
      }
    });
    ASSERT_EQ(StatCache::Load(disk_, "/stat").size(), 0u) << round;
  }
  EXPECT_EQ(StatCache::Load(disk_, "/none").size(), 0u);
}

}  // namespace
}  // namespace kiln::store
