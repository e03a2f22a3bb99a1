// SPDX-License-Identifier: Apache-2.0
// The real and the virtual disk must behave alike, so most tests run on both.
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "base/clock.h"
#include "base/memory_disk.h"
#include "base/paths.h"

namespace kiln {
namespace {

constexpr uint64_t kNoLimit = uint64_t{1} << 30;

class BothDisks : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (is_real()) {
      root_ = *SystemDisk().RealPath(*SystemDisk().MakeTemporaryFolder(TemporaryFolder(), "kiln-files-test-"));
    } else {
      root_ = "/root";
      ASSERT_TRUE(memory_.MakeFolders(root_));
    }
  }
  void TearDown() override {
    if (is_real()) {
      EXPECT_TRUE(SystemDisk().RemoveTree(root_));
    }
  }
  bool is_real() const { return GetParam(); }
  Disk& disk() { return is_real() ? SystemDisk() : static_cast<Disk&>(memory_); }
  std::string At(std::string_view name) const { return path::Join(root_, name); }
  void Put(std::string_view name, std::string_view bytes) {
    ASSERT_TRUE(disk().MakeFolders(std::string(path::Parent(At(name)))));
    ASSERT_TRUE(disk().WriteFile(At(name), bytes));
  }
  std::string Get(std::string_view name) {
    Outcome<std::string> bytes = disk().ReadFile(At(name), kNoLimit);
    return bytes ? *bytes : "<" + bytes.error().Message() + ">";
  }

  ManualClock clock_;
  MemoryDisk memory_{clock_};
  std::string root_;
};

INSTANTIATE_TEST_SUITE_P(Disks, BothDisks, testing::Bool(),
                         [](const auto& test) { return test.param ? "Real" : "Memory"; });

TEST_P(BothDisks, WritesAndReadsBack) {
  std::string all(70'000, '\0');
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i * 31);
  Put("a/b", all);
  EXPECT_TRUE(Get("a/b") == all);
  Put("a/b", "");
  EXPECT_EQ(Get("a/b"), "");
  FileStat stat;
  ASSERT_TRUE(disk().ReadFile(At("a/b"), 0, stat));
  EXPECT_EQ(stat, *disk().Stat(At("a/b")));
  EXPECT_EQ(*disk().List(At("a")), (std::vector<FolderEntry>{{"b", FileKind::kRegular}}));  // no temporary is left
}

TEST_P(BothDisks, ReadsAreBoundedAndOfRegularFilesOnly) {
  Put("f", "12345");
  EXPECT_TRUE(disk().ReadFile(At("f"), 5));
  Outcome<std::string> longer = disk().ReadFile(At("f"), 4);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, EFBIG);
  EXPECT_EQ(longer.error().detail, "it is longer than 4 bytes");
  EXPECT_EQ(disk().ReadFile(root_, 5).error().code, EISDIR);
  EXPECT_TRUE(disk().ReadFile(At("none"), 5).error().IsAbsent());
}

TEST_P(BothDisks, StatTellsKinds) {
  Put("d/f", "123");
  ASSERT_TRUE(disk().MakeLink("f", At("d/l")));
  ASSERT_TRUE(disk().MakeLink("nowhere", At("d/broken")));
  EXPECT_EQ(disk().Stat(At("d"))->kind, FileKind::kFolder);
  EXPECT_EQ(disk().Stat(At("d/f"))->size, 3u);
  EXPECT_EQ(*disk().Stat(At("d/l")), *disk().Stat(At("d/f")));
  EXPECT_EQ(disk().StatLink(At("d/l"))->kind, FileKind::kLink);
  EXPECT_EQ(disk().Stat(At("d/broken"))->kind, FileKind::kAbsent);
  EXPECT_EQ(disk().StatLink(At("d/broken"))->kind, FileKind::kLink);
  EXPECT_EQ(disk().Stat(At("d/f/x"))->kind, FileKind::kAbsent);
  EXPECT_EQ(*disk().ReadLink(At("d/l")), "f");
  EXPECT_EQ(*disk().RealPath(At("d/l")), At("d/f"));
}

TEST_P(BothDisks, StatManyAgreesWithStat) {
  std::vector<std::string> names;
  for (int folder = 0; folder < 60; ++folder) {
    for (int file = 0; file < 100; ++file)
      names.push_back(At("s" + std::to_string(folder) + "/" + std::to_string(file)));
  }
  for (size_t i = 0; i < names.size(); i += 7) Put(names[i], std::string(i % 50, 'x'));
  const std::vector<std::string_view> paths(names.begin(), names.end());
  for (const unsigned threads : {1u, 3u}) {
    std::vector<FileStat> stats(paths.size());
    disk().StatMany(paths, stats, threads);
    for (size_t i = 0; i < names.size(); ++i) ASSERT_EQ(stats[i], *disk().Stat(names[i])) << names[i];
  }
  const std::string bad = At(std::string(300, 'x'));
  const std::string_view one[] = {bad};
  FileStat stat[1];
  disk().StatMany(one, stat, 1);
  EXPECT_EQ(stat[0].kind, FileKind::kUnreadable);
}

TEST_P(BothDisks, FoldersListRemoveRename) {
  Put("t/b", "b");
  Put("t/a/x", "x");
  Put("t/\xCE\xA9\n", "omega");
  EXPECT_EQ(*disk().List(At("t")),
            (std::vector<FolderEntry>{
                {"a", FileKind::kFolder}, {"b", FileKind::kRegular}, {"\xCE\xA9\n", FileKind::kRegular}}));
  EXPECT_FALSE(disk().Remove(At("t/a")));  // not empty
  ASSERT_TRUE(disk().Rename(At("t/b"), At("t/a/x")));
  EXPECT_EQ(Get("t/a/x"), "b");
  EXPECT_FALSE(disk().Stat(At("t/b"))->exists());
  EXPECT_FALSE(disk().Rename(At("none"), At("t/b")));
  EXPECT_FALSE(disk().MakeFolders(At("t/a/x")));  // a file is there
  EXPECT_FALSE(disk().MakeFolders(At("t/a/x/y")));
  ASSERT_TRUE(disk().MakeLink(At("t"), At("t/loop")));
  ASSERT_TRUE(disk().RemoveTree(At("t")));
  EXPECT_FALSE(disk().StatLink(At("t"))->exists());
  EXPECT_TRUE(disk().RemoveTree(At("t")));
  EXPECT_TRUE(disk().Remove(At("t")));
}

TEST_P(BothDisks, RemoveTreeLeavesWhatLinksPointTo) {
  Put("keep/f", "kept");
  Put("tree/g", "g");
  ASSERT_TRUE(disk().MakeLink(At("keep"), At("tree/link")));
  ASSERT_TRUE(disk().RemoveTree(At("tree")));
  EXPECT_EQ(Get("keep/f"), "kept");
}

TEST_P(BothDisks, ExchangeSwapsFolders) {
  Put("old/f", "old");
  Put("new/f", "new");
  Outcome<Done> swapped = disk().Exchange(At("old"), At("new"));
  if (!swapped && swapped.error().code == ENOTSUP) GTEST_SKIP() << "this file system cannot exchange";
  ASSERT_TRUE(swapped);
  EXPECT_EQ(Get("old/f"), "new");
  EXPECT_EQ(Get("new/f"), "old");
  EXPECT_FALSE(disk().Exchange(At("old"), At("none")));
  EXPECT_EQ(Get("old/f"), "new");
}

TEST_P(BothDisks, HardLinksShareBytesUntilReplaced) {
  Put("a", "1");
  ASSERT_TRUE(disk().HardLink(At("a"), At("b")));
  EXPECT_EQ(disk().Stat(At("a"))->inode, disk().Stat(At("b"))->inode);
  EXPECT_EQ(disk().HardLink(At("a"), At("b")).error().code, EEXIST);
  Put("a", "2");
  EXPECT_EQ(Get("b"), "1");
}

TEST_P(BothDisks, NamesAreBytes) {
  for (const std::string& name :
       {std::string("line\nbreak"), std::string("\xFF\xFE"), std::string("-rf $(x) #'\""), std::string(255, 'n')}) {
    Put(name, name);
    EXPECT_EQ(Get(name), name);
  }
  Outcome<Done> long_name = disk().WriteFile(At(std::string(300, 'x')), "");
  ASSERT_FALSE(long_name);
  EXPECT_EQ(long_name.error().code, ENAMETOOLONG);
}

TEST_P(BothDisks, SetTimeAndAppend) {
  Put("f", "a");
  const int64_t time = 1'234'567'890'123'456'789;
  ASSERT_TRUE(disk().SetTime(At("f"), time));
  EXPECT_EQ(disk().Stat(At("f"))->mtime_ns, time);
  ASSERT_TRUE(disk().AppendFile(At("f"), "bc"));
  ASSERT_TRUE(disk().AppendFile(At("g"), "x"));
  EXPECT_EQ(Get("f"), "abc");
  EXPECT_EQ(Get("g"), "x");
}

TEST_P(BothDisks, LocksExcludeAndSayThatTheyWait) {
  const std::string name = At("lock");
  Outcome<FileLock> first = disk().Lock(name, LockMode::kExclusive);
  ASSERT_TRUE(first);
  int told = 0;
  Outcome<FileLock> second = disk().Lock(name, LockMode::kShared, {30 * kNsPerMs, [&] { ++told; }});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EWOULDBLOCK);
  EXPECT_EQ(told, 1);
  first->reset();
  Outcome<FileLock> third = disk().Lock(name, LockMode::kShared);
  ASSERT_TRUE(third);
  EXPECT_TRUE(disk().Lock(name, LockMode::kShared));
  EXPECT_FALSE(disk().Lock(name, LockMode::kExclusive));
}

TEST_P(BothDisks, TemporaryFoldersDiffer) {
  Outcome<std::string> a = disk().MakeTemporaryFolder(root_, "t-");
  Outcome<std::string> b = disk().MakeTemporaryFolder(root_, "t-");
  ASSERT_TRUE(a);
  ASSERT_TRUE(b);
  EXPECT_NE(*a, *b);
  EXPECT_TRUE(path::FileName(*a).starts_with("t-"));
}

TEST_P(BothDisks, FirstLinkIn) {
  Put("p/real/f", "");
  ASSERT_TRUE(disk().MakeLink("real", At("p/link")));
  EXPECT_EQ(FirstLinkIn(disk(), At("p/link/f"), At("p")), At("p/link"));
  EXPECT_EQ(FirstLinkIn(disk(), At("p/real/f"), At("p")), std::nullopt);
  EXPECT_EQ(FirstLinkIn(disk(), At("p/none/f"), At("p")), std::nullopt);
}

TEST_P(BothDisks, EqualBytesAreNotRewritten) {
  EXPECT_EQ(*WriteIfDifferent(disk(), At("f"), "x"), true);
  const uint64_t inode = disk().Stat(At("f"))->inode;
  EXPECT_EQ(*WriteIfDifferent(disk(), At("f"), "x"), false);
  EXPECT_EQ(disk().Stat(At("f"))->inode, inode);
  EXPECT_EQ(*WriteIfDifferent(disk(), At("f"), "y"), true);
  EXPECT_EQ(Get("f"), "y");
}

TEST(RealDisk, PipesAndDevicesAreNoSourcesAndDoNotHang) {
  Disk& disk = SystemDisk();
  const std::string folder = *disk.MakeTemporaryFolder(TemporaryFolder(), "kiln-files-test-");
  const std::string pipe = path::Join(folder, "pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(disk.ReadFile(pipe, 10).error().detail, "it is not a regular file");
  EXPECT_EQ(disk.ReadFile("/dev/zero", 10).error().detail, "it is not a regular file");
  EXPECT_EQ(disk.Stat(pipe)->kind, FileKind::kOther);
  EXPECT_TRUE(disk.RemoveTree(folder));
}

TEST_P(BothDisks, WhatAUserNamesIsWrittenBehindItsLink) {
  Put("real", "old");
  ASSERT_TRUE(disk().MakeLink("real", At("link")));
  ASSERT_TRUE(WriteNamed(disk(), At("link"), "new"));
  EXPECT_EQ(disk().StatLink(At("link"))->kind, FileKind::kLink);
  EXPECT_EQ(Get("real"), "new");
  EXPECT_EQ(*WriteIfDifferent(disk(), At("link"), "newer"), true);
  EXPECT_EQ(Get("real"), "newer");
  EXPECT_TRUE(IsSameFile(disk(), At("link"), At("real")));
  EXPECT_FALSE(IsSameFile(disk(), At("link"), At("absent")));
  ASSERT_TRUE(WriteNamed(disk(), At("plain"), "new"));
  EXPECT_EQ(Get("plain"), "new");
}

TEST(RealDisk, PipesTakeTheBytesAndStay) {
  Disk& disk = SystemDisk();
  const std::string folder = *disk.MakeTemporaryFolder(TemporaryFolder(), "kiln-files-test-");
  const std::string pipe = path::Join(folder, "pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(WriteNamed(disk, pipe, "x"));
  EXPECT_EQ(*WriteIfDifferent(disk, pipe, "y"), true);
  char bytes[4] = {};
  EXPECT_EQ(::read(reader, bytes, sizeof bytes), 2);
  EXPECT_EQ(std::string(bytes), "xy");
  ::close(reader);
  EXPECT_EQ(disk.Stat(pipe)->kind, FileKind::kOther);
  EXPECT_TRUE(disk.RemoveTree(folder));
}

TEST(RealDisk, OpenDescriptorsTakeTheBytesAndTheirFileStays) {
  Disk& disk = SystemDisk();
  const std::string folder = *disk.MakeTemporaryFolder(TemporaryFolder(), "kiln-files-test-");
  const std::string file = path::Join(folder, "file");
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(descriptor, 0);
  const uint64_t inode = disk.Stat(file)->inode;
  EXPECT_TRUE(WriteNamed(disk, "/dev/fd/" + std::to_string(descriptor), "x"));
  EXPECT_TRUE(WriteNamed(disk, "/proc/self/fd/" + std::to_string(descriptor), "y"));
  ::close(descriptor);
  EXPECT_FALSE(WriteNamed(disk, "/dev/fd/" + std::to_string(descriptor), "z"));
  EXPECT_EQ(disk.Stat(file)->inode, inode);
  EXPECT_EQ(*disk.ReadFile(file, 10), "xy");
  EXPECT_TRUE(disk.RemoveTree(folder));
}

// Made by one and removed by another, between any two calls: it is there or it is not, and never "a file".
TEST(RealDisk, FoldersMayVanishWhileTheyAreMade) {
  const std::string root = *SystemDisk().MakeTemporaryFolder(TemporaryFolder(), "kiln-files-test-");
  const std::string folder = path::Join(root, "folder");
  std::atomic<bool> is_over = false;
  std::thread remover([&] {
    while (!is_over) ::rmdir(folder.c_str());
  });
  std::thread maker([&] {
    while (!is_over) ::mkdir(folder.c_str(), 0777);
  });
  for (int i = 0; i < 20000; ++i) {
    const Outcome<Done> made = SystemDisk().MakeFolders(folder);
    EXPECT_TRUE(made || made.error().IsAbsent()) << made.error().Message();
    if (testing::Test::HasFailure()) break;
  }
  is_over = true;
  remover.join();
  maker.join();
  EXPECT_TRUE(SystemDisk().RemoveTree(root));
}

TEST(RealDisk, NulInAPathNeverNamesAnotherFile) {
  EXPECT_FALSE(SystemDisk().Stat(std::string("/tmp\0x", 6)));
  EXPECT_FALSE(SystemDisk().ReadFile(std::string("/etc/passwd\0x", 13), kNoLimit));
}

TEST(RealDisk, ALockWhoseFileWasRemovedIsTakenOnTheNewFile) {
  Disk& disk = SystemDisk();
  const std::string folder = *disk.MakeTemporaryFolder(TemporaryFolder(), "kiln-files-test-");
  const std::string name = path::Join(folder, "lock");
  Outcome<FileLock> first = disk.Lock(name, LockMode::kExclusive);
  ASSERT_TRUE(first);
  std::thread waiter([&] {
    Outcome<FileLock> second = disk.Lock(name, LockMode::kExclusive, {10 * kNsPerSecond, {}});
    ASSERT_TRUE(second);
    EXPECT_FALSE(disk.Lock(name, LockMode::kExclusive));  // held under the name that others use
  });
  ASSERT_TRUE(disk.Remove(name));
  first->reset();
  waiter.join();
  EXPECT_TRUE(disk.RemoveTree(folder));
}

TEST(MemoryDisk, FaultsLeaveTheOldFileAndNoTemporary) {
  ManualClock clock;
  MemoryDisk disk(clock);
  disk.Add("/d/f", "old");
  for (const std::string_view step : {"open", "write", "rename", "sync"}) {
    disk.SetFault([&](std::string_view operation, const std::string&) { return operation == step ? EIO : 0; });
    EXPECT_FALSE(disk.WriteFile("/d/f", "new", Durability::kFile)) << step;
    disk.SetFault(nullptr);
    EXPECT_EQ(disk.Bytes("/d/f"), "old");
    EXPECT_EQ(disk.AllFiles(), (std::vector<std::string>{"/d/f"}));
  }
  disk.SetFree(2);
  Outcome<Done> full = disk.WriteFile("/d/f", "new");
  ASSERT_FALSE(full);
  EXPECT_TRUE(full.error().IsNoRoom());
  EXPECT_EQ(disk.Bytes("/d/f"), "old");
  disk.SetReadOnly(true);
  EXPECT_EQ(disk.Remove("/d/f").error().code, EROFS);
  EXPECT_TRUE(disk.ReadFile("/d/f", 10));
}

TEST(MemoryDisk, ACrashLeavesTheTemporaryAndTheOldFile) {
  ManualClock clock;
  MemoryDisk disk(clock);
  disk.Add("/d/f", "old");
  disk.SetFault(
      [](std::string_view operation, const std::string&) { return operation == "rename" ? MemoryDisk::kCrash : 0; });
  EXPECT_FALSE(disk.WriteFile("/d/f", "new"));
  EXPECT_FALSE(disk.ReadFile("/d/f", 10));
  disk.Revive();
  EXPECT_EQ(disk.Bytes("/d/f"), "old");
  EXPECT_EQ(disk.AllFiles().size(), 2u);
}

TEST(MemoryDisk, CaseInsensitive) {
  ManualClock clock;
  MemoryDisk disk(clock);
  disk.Add("/d/File", "x");
  EXPECT_FALSE(disk.Stat("/d/file")->exists());
  disk.SetCaseInsensitive(true);
  EXPECT_TRUE(disk.Stat("/D/file")->exists());
  EXPECT_EQ(*disk.RealPath("/D/file"), "/d/File");
}

TEST(OsError, MessagesArePrintable) {
  const OsError error = {"open", "a\nb\x1B[31m\xFF", ENOENT, {}};
  EXPECT_EQ(error.Message(), "cannot open 'a\\x0Ab\\x1B[31m\\xFF': No such file or directory");
  EXPECT_EQ(Printable("\xCE\xA9 \xE2\x80\xAE"), "\xCE\xA9 \\xE2\\x80\\xAE");
}

}  // namespace
}  // namespace kiln
