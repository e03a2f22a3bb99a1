// SPDX-License-Identifier: Apache-2.0
#include "build/publish.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>

#include "base/memory_disk.h"
#include "base/paths.h"

namespace kiln::build {
namespace {

constexpr std::string_view kOut = "/p/build/out";
using Files = std::map<std::string, std::string>;

class PublishTest : public testing::Test {
 protected:
  /// The plan that leads from what is there to `files`; `ours` are paths of the old generation.
  PublishPlan PlanOf(const Files& files, const std::vector<std::string>& ours, std::string record = "record") {
    PublishPlan plan;
    plan.output_folder = kOut;
    plan.record_name = "record.json";
    plan.record = std::move(record);
    for (const auto& [path, bytes] : files) {
      plan.files.push_back({path, Sha256Of(bytes), bytes.size(), [bytes = bytes] { return std::optional(bytes); }});
      const std::string absolute = path::Join(kOut, path);
      if (disk_.Has(absolute) && disk_.Bytes(absolute) == bytes) plan.unchanged.insert(path);
    }
    for (const std::string& path : ours) {
      if (!files.contains(path)) plan.removed.insert(path);
    }
    return plan;
  }
  Files Published() {
    Files files;
    for (const std::string& path : disk_.AllFiles()) {
      if (path::IsInside(path, kOut)) files[path::Relative(kOut, path)] = disk_.Bytes(path);
    }
    return files;
  }
  bool HasLeftovers() {
    return disk_.StatLink(StagingFolderOf(std::string(kOut)))->exists() ||
           disk_.StatLink(OldFolderOf(std::string(kOut)))->exists();
  }

  ManualClock clock_;
  MemoryDisk disk_{clock_};
};

TEST_F(PublishTest, FirstGeneration) {
  ASSERT_TRUE(disk_.MakeFolders("/p/build").ok());
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a/x.spv", "1"}, {"b.spv", "2"}}, {})).ok());
  EXPECT_EQ(Published(), (Files{{"a/x.spv", "1"}, {"b.spv", "2"}, {"record.json", "record"}}));
  EXPECT_FALSE(HasLeftovers());
}

TEST_F(PublishTest, NothingButAFolderIsReplaced) {
  disk_.Add(std::string(kOut), "notes of the user");
  EXPECT_FALSE(Publish(disk_, PlanOf({{"a", "1"}}, {})).ok());
  EXPECT_EQ(disk_.Bytes(std::string(kOut)), "notes of the user");
  ASSERT_TRUE(disk_.Remove(std::string(kOut)).ok());
  ASSERT_TRUE(disk_.MakeFolders("/p/elsewhere").ok());
  ASSERT_TRUE(disk_.MakeLink("/p/elsewhere", std::string(kOut)).ok());
  EXPECT_FALSE(Publish(disk_, PlanOf({{"a", "1"}}, {})).ok());
  EXPECT_EQ(disk_.StatLink(std::string(kOut))->kind, FileKind::kLink);
  EXPECT_FALSE(HasLeftovers());
}

TEST_F(PublishTest, UnchangedFilesKeepTheirTimeAndFile) {
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a", "1"}, {"b", "2"}}, {})).ok());
  const FileStat before = *disk_.Stat("/p/build/out/a");
  clock_.Advance(kNsPerSecond);
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a", "1"}, {"b", "3"}}, {"a", "b"})).ok());
  const FileStat after = *disk_.Stat("/p/build/out/a");
  EXPECT_EQ(after.mtime_ns, before.mtime_ns);
  EXPECT_EQ(after.inode, before.inode);
  EXPECT_EQ(Published().at("b"), "3");
}

TEST_F(PublishTest, VanishedRowsGoAndForeignFilesStay) {
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a/1", "1"}, {"a/2", "2"}, {"gone/x", "x"}}, {})).ok());
  disk_.Add("/p/build/out/a/notes.txt", "mine");
  disk_.Add("/p/build/out/mine/deep/y", "also");
  ASSERT_TRUE(disk_.MakeFolders("/p/build/out/empty").ok());
  ASSERT_TRUE(disk_.MakeLink("a/1", "/p/build/out/link").ok());
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a/1", "1"}}, {"a/1", "a/2", "gone/x"})).ok());
  EXPECT_TRUE(disk_.Has("/p/build/out/a/notes.txt"));
  EXPECT_EQ(disk_.Bytes("/p/build/out/mine/deep/y"), "also");
  EXPECT_EQ(*disk_.ReadLink("/p/build/out/link"), "a/1");
  EXPECT_TRUE(disk_.Stat("/p/build/out/empty")->exists());
  EXPECT_FALSE(disk_.Stat("/p/build/out/a/2")->exists());
  EXPECT_FALSE(disk_.Stat("/p/build/out/gone")->exists());
}

TEST_F(PublishTest, WithoutExchangeItMovesInSteps) {
  disk_.SetExchangeSupported(false);
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a", "1"}}, {})).ok());
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a", "2"}}, {"a"})).ok());
  EXPECT_EQ(Published().at("a"), "2");
  EXPECT_FALSE(HasLeftovers());
}

TEST_F(PublishTest, AFullOrReadOnlyDiskLeavesTheOldOneWhole) {
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a", "1"}}, {})).ok());
  const Files old = Published();
  disk_.SetFree(3);
  EXPECT_FALSE(Publish(disk_, PlanOf({{"a", "2"}, {"b", std::string(100, 'b')}}, {"a"})).ok());
  EXPECT_EQ(Published(), old);
  EXPECT_FALSE(HasLeftovers());
  disk_.SetFree(1 << 20);
  disk_.SetReadOnly(true);
  EXPECT_FALSE(Publish(disk_, PlanOf({{"a", "2"}}, {"a"})).ok());
  EXPECT_EQ(Published(), old);
}

TEST_F(PublishTest, BytesThatAreGoneLeaveTheOldOneWhole) {
  ASSERT_TRUE(Publish(disk_, PlanOf({{"a", "1"}}, {})).ok());
  PublishPlan plan = PlanOf({{"a", "2"}}, {"a"});
  plan.files[0].bytes = [] { return std::optional<std::string>(); };
  EXPECT_FALSE(Publish(disk_, plan).ok());
  EXPECT_EQ(Published().at("a"), "1");
}

/// Stopped after every number of operations, with and without exchange: the old one or the new one, whole, after
/// Recover; and the next build arrives.
TEST_F(PublishTest, KilledAtEveryStep) {
  for (const bool can_exchange : {true, false}) {
    for (int limit = 0; limit < 60; ++limit) {
      MemoryDisk disk(clock_);
      disk.SetExchangeSupported(can_exchange);
      const Files first = {{"a/1", "1"}, {"a/2", "2"}, {"b", "b"}};
      const Files second = {{"a/1", "1"}, {"b", "new"}, {"c/d", "d"}};
      const auto plan_of = [&](const Files& files, const std::string& record) {
        PublishPlan plan;
        plan.output_folder = kOut;
        plan.record_name = "record.json";
        plan.record = record;
        for (const auto& [path, bytes] : files) {
          plan.files.push_back({path, Sha256Of(bytes), bytes.size(), [bytes = bytes] { return std::optional(bytes); }});
        }
        return plan;
      };
      const auto published = [&] {
        Files files;
        for (const std::string& path : disk.AllFiles()) {
          if (path::IsInside(path, kOut)) files[path::Relative(kOut, path)] = disk.Bytes(path);
        }
        return files;
      };
      ASSERT_TRUE(Publish(disk, plan_of(first, "first")).ok());
      PublishPlan plan = plan_of(second, "second");
      plan.unchanged = {"a/1"};
      plan.removed = {"a/2"};
      int count = 0;
      // Everything fails from here on, as nothing happens any more once a process is dead.
      disk.SetFault([&](std::string_view, const std::string&) { return count++ >= limit ? EIO : 0; });
      const bool done = Publish(disk, plan).ok();
      disk.SetFault(nullptr);
      ASSERT_TRUE(Recover(disk, std::string(kOut)).ok());
      Files expected_first = first, expected_second = second;
      expected_first["record.json"] = "first";
      expected_second["record.json"] = "second";
      const Files now = published();
      EXPECT_TRUE(now == expected_first || now == expected_second) << "limit " << limit;
      EXPECT_TRUE(!done || now == expected_second);
      EXPECT_FALSE(disk.StatLink(StagingFolderOf(std::string(kOut)))->exists());
      EXPECT_FALSE(disk.StatLink(OldFolderOf(std::string(kOut)))->exists());
    }
  }
}

TEST_F(PublishTest, TheLockIsHeldOnceAndLeavesNothing) {
  std::optional<OutputLock> first;
  {
    auto taken = OutputLock::Take(disk_, std::string(kOut), nullptr, nullptr);
    ASSERT_TRUE(taken.ok());
    first.emplace(std::move(*taken));
  }
  int waits = 0;
  const auto second = OutputLock::Take(
      disk_, std::string(kOut), [&] { ++waits; }, [&] { return waits > 0; });
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, EINTR);
  EXPECT_EQ(waits, 1);
  first.reset();
  EXPECT_FALSE(disk_.Has(LockFileOf(std::string(kOut))));
  EXPECT_TRUE(OutputLock::Take(disk_, std::string(kOut), nullptr, nullptr).ok());
}

}  // namespace
}  // namespace kiln::build
