// SPDX-License-Identifier: Apache-2.0
// One real cache folder, many real processes that keep, find, prune, clear and die in it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "base/paths.h"
#include "store/store.h"

namespace kiln::store {
namespace {

class StoreProcesses : public testing::Test {
 protected:
  void SetUp() override { folder_ = *SystemDisk().MakeTemporaryFolder(TemporaryFolder(), "kiln-store-test-"); }
  void TearDown() override { EXPECT_TRUE(SystemDisk().RemoveTree(folder_)); }

  // What key number `n` stands for; half inline, half in the content store, shared between keys.
  static std::string BytesOf(unsigned n) {
    return std::string(n % 2 == 0 ? 50 : 40'000, static_cast<char>('a' + n % 7)) + std::to_string(n % 5);
  }
  static Digest KeyOf(unsigned n) { return Sha256Of("key " + std::to_string(n)); }

  static void Keep(Store& store, unsigned n) {
    Entry entry;
    Output& output = entry.outputs.emplace_back();
    output.name = "o";
    output.bytes = BytesOf(n);
    store.Keep(KeyOf(n), entry);
  }
  // Whether there is an entry; exits the process where its bytes are wrong.
  static bool Find(Store& store, unsigned n) {
    const std::optional<Entry> entry = store.Find(KeyOf(n));
    if (entry && (entry->outputs.size() != 1 || entry->outputs[0].bytes != BytesOf(n))) ::_exit(9);
    return entry.has_value();
  }

  template <typename Body>
  static pid_t Fork(Body body) {
    const pid_t child = ::fork();
    if (child == 0) {
      body();
      ::_exit(0);
    }
    return child;
  }
  static int Wait(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  std::string folder_;
};

TEST_F(StoreProcesses, EightAtOnceReadRightBytesOrMiss) {
  std::vector<pid_t> children;
  for (unsigned process = 0; process < 8; ++process) {
    children.push_back(Fork([&] {
      Store store(SystemDisk(), SystemClock(), folder_);
      std::mt19937 random(process);
      for (int round = 0; round < 400; ++round) {
        const auto n = static_cast<unsigned>(random() % 60);
        if (!Find(store, n)) Keep(store, n);
        if (process == 0 && round % 50 == 49) store.Prune(300'000);
        if (process == 1 && round % 150 == 149 && !store.Clear()) ::_exit(8);
      }
      if (store.counters().damaged != 0) ::_exit(7);
      if (const auto problem = store.Problem()) {
        std::fprintf(stderr, "process %u: %s\n", process, problem->Message().c_str());
        ::_exit(6);
      }
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(Wait(child), 0);
}

TEST_F(StoreProcesses, KilledWritersLeaveNoWrongEntry) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const pid_t writer = Fork([&] {
      Store store(SystemDisk(), SystemClock(), folder_);
      for (unsigned n = 0;; ++n) Keep(store, n % 60);
    });
    ::usleep(static_cast<useconds_t>(random() % 4000));
    ::kill(writer, SIGKILL);
    Wait(writer);
    const pid_t reader = Fork([&] {
      Store store(SystemDisk(), SystemClock(), folder_);
      for (unsigned n = 0; n < 60; ++n) Find(store, n);
      if (store.counters().damaged != 0) ::_exit(7);
    });
    EXPECT_EQ(Wait(reader), 0);
  }
  Store store(SystemDisk(), SystemClock(), folder_);
  for (unsigned n = 0; n < 60; ++n) Keep(store, n);
  for (unsigned n = 0; n < 60; ++n) EXPECT_TRUE(Find(store, n));
}

TEST_F(StoreProcesses, DamageOnARealDiskIsAMiss) {
  Disk& disk = SystemDisk();
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    Store store(disk, SystemClock(), folder_);
    const auto n = static_cast<unsigned>(random() % 4);
    Keep(store, n);
    const std::string hex = (n % 2 == 1 && round % 3 == 0 ? Sha256Of(BytesOf(n)) : KeyOf(n)).Hex();
    const std::string path =
        folder_ + (n % 2 == 1 && round % 3 == 0 ? "/v1/cas/" : "/v1/ac/") + hex.substr(0, 2) + "/" + hex;
    std::string bytes = *disk.ReadFile(path, 1 << 20);
    if (round % 2 == 0) {
      bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    } else {
      bytes.resize(random() % bytes.size());
    }
    ASSERT_TRUE(disk.Remove(path));  // some file systems flush a file that replaces another
    ASSERT_TRUE(disk.WriteFile(path, bytes));
    ASSERT_FALSE(Find(store, n)) << round;
  }
}

}  // namespace
}  // namespace kiln::store
