// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <random>
#include <thread>

#include "base/memory_disk.h"
#include "base/paths.h"

namespace kiln::store {
namespace {

constexpr int64_t kHourNs = 3600 * kNsPerSecond;

Digest KeyOf(int number) { return Sha256Of("key " + std::to_string(number)); }

Entry EntryOf(const std::vector<std::string>& outputs, std::string note = {}) {
  Entry entry;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Output output;
    output.name = "o" + std::to_string(i);
    output.bytes = outputs[i];
    entry.outputs.push_back(std::move(output));
  }
  entry.note = std::move(note);
  return entry;
}

std::string PathOf(std::string_view kind, const Digest& digest) {
  const std::string hex = digest.Hex();
  return "/c/v1/" + std::string(kind) + "/" + hex.substr(0, 2) + "/" + hex;
}

class StoreTest : public testing::Test {
 protected:
  Store Open() {
    return Store(disk_, clock_, "/c", {.max_bytes = 1 << 20, .inline_limit = 100, .max_blob_bytes = 1 << 20});
  }
  // What a fresh process reads.
  std::string Read(int key) {
    Store store(disk_, clock_, "/c", {.inline_limit = 100});
    const std::optional<Entry> entry = store.Find(KeyOf(key));
    if (!entry) return "miss";
    std::string out;
    for (const Output& output : entry->outputs) out += *output.bytes + "|";
    return out;
  }
  ManualClock clock_;
  MemoryDisk disk_{clock_};
  const std::string big_ = std::string(5000, 'b');
};

TEST_F(StoreTest, KeepsAndFinds) {
  Store store = Open();
  EXPECT_FALSE(store.Find(KeyOf(1)));
  Entry entry = EntryOf({"small", big_, ""}, "note");
  entry.exit_code = 3;
  entry.diagnostics.emplace_back().message = "careful";
  store.Keep(KeyOf(1), entry);
  const std::optional<Entry> found = store.Find(KeyOf(1));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->note, "note");
  EXPECT_EQ(found->exit_code, 3);
  EXPECT_EQ(found->diagnostics, entry.diagnostics);
  ASSERT_EQ(found->outputs.size(), 3u);
  EXPECT_EQ(found->outputs[1].bytes, big_);
  EXPECT_EQ(found->outputs[1].digest, Sha256Of(big_));
  EXPECT_EQ(found->outputs[2].bytes, "");
  EXPECT_FALSE(store.Find(KeyOf(2)));
  EXPECT_EQ(store.counters().hits, 1u);
  EXPECT_EQ(store.counters().misses, 2u);
  const std::optional<Entry> head = store.Find(KeyOf(1), Load::kInline);
  EXPECT_EQ(head->outputs[0].bytes, "small");
  EXPECT_FALSE(head->outputs[1].bytes);
}

TEST_F(StoreTest, LayoutAndTag) {
  Store store = Open();
  const Digest digest = store.KeepBlob("abc");
  EXPECT_EQ(disk_.Bytes(PathOf("cas", digest)), "abc");
  store.Keep(KeyOf(1), EntryOf({"x"}));
  EXPECT_TRUE(disk_.Has(PathOf("ac", KeyOf(1))));
  EXPECT_EQ(disk_.Bytes("/c/CACHEDIR.TAG").substr(0, 43), "Signature: 8a477f597d28d172789f06886806bc55");
  EXPECT_EQ(disk_.Bytes("/c/CACHEDIR.TAG")[43], '\n');
}

TEST_F(StoreTest, TheEmptyBlobIsAlwaysThere) {
  Store store = Open();
  EXPECT_TRUE(store.HasBlob(kEmptyDigest));
  EXPECT_EQ(store.FindBlob(kEmptyDigest), "");
  EXPECT_EQ(store.KeepBlob(""), kEmptyDigest);
  EXPECT_TRUE(disk_.AllFiles().empty());
}

TEST_F(StoreTest, DamageIsAMissAndIsReplaced) {
  for (const bool in_blob : {false, true}) {
    Open().Keep(KeyOf(1), EntryOf({"small", big_}));
    const std::string path = in_blob ? PathOf("cas", Sha256Of(big_)) : PathOf("ac", KeyOf(1));
    disk_.Damage(path, [](std::string& bytes) { bytes[bytes.size() / 2] ^= 1; });
    Store store = Open();
    EXPECT_FALSE(store.Find(KeyOf(1)));
    EXPECT_EQ(store.counters().damaged, 1u);
    EXPECT_FALSE(disk_.Has(path));
    store.Keep(KeyOf(1), EntryOf({"small", big_}));
    EXPECT_EQ(Read(1), "small|" + big_ + "|");
    EXPECT_FALSE(store.Problem());
  }
}

// Over a thousand flipped bits, truncations, extensions and swapped files: the right bytes or a miss.
TEST_F(StoreTest, CorruptionNeverGivesWrongBytes) {
  std::mt19937 random(5);
  const std::vector<std::string> outputs[] = {{"first", big_}, {"second", big_ + "!"}, {"third"}};
  const auto expected = [&](int key) {
    std::string out;
    for (const std::string& output : outputs[key]) out += output + "|";
    return out;
  };
  size_t misses = 0;
  for (int round = 0; round < 1500; ++round) {
    Store store = Open();
    for (int key = 0; key < 3; ++key) store.Keep(KeyOf(key), EntryOf(outputs[key]));
    std::vector<std::string> files = disk_.AllFiles();
    std::erase(files, "/c/CACHEDIR.TAG");
    const std::string& victim = files[random() % files.size()];
    const std::string other = disk_.Bytes(files[random() % files.size()]);
    disk_.Damage(victim, [&](std::string& bytes) {
      switch (random() % 4) {
        case 0:
          bytes.resize(random() % (bytes.size() + 1));
          break;
        case 1:
          bytes += static_cast<char>(random());
          break;
        case 2:
          bytes = other;
          break;
        default:
          bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
      }
    });
    for (int key = 0; key < 3; ++key) {
      const std::string read = Read(key);
      misses += read == "miss";
      ASSERT_TRUE(read == expected(key) || read == "miss") << round << " " << victim;
    }
  }
  EXPECT_GT(misses, 1000u);
}

TEST_F(StoreTest, AnEntryUnderAnotherNameIsNone) {
  Open().Keep(KeyOf(1), EntryOf({"x"}));
  disk_.Add(PathOf("ac", KeyOf(2)), disk_.Bytes(PathOf("ac", KeyOf(1))));
  EXPECT_EQ(Read(2), "miss");
  EXPECT_EQ(Read(1), "x|");
}

TEST_F(StoreTest, AReadOnlyCacheHitsMissesAndSaysSoOnce) {
  Open().Keep(KeyOf(1), EntryOf({"x"}));
  clock_.Advance(2 * kHourNs);
  disk_.SetReadOnly(true);
  Store store = Open();
  EXPECT_TRUE(store.Find(KeyOf(1)));
  EXPECT_FALSE(store.Problem());
  store.Keep(KeyOf(2), EntryOf({"y"}));
  EXPECT_FALSE(store.Find(KeyOf(2)));
  ASSERT_TRUE(store.Problem());
  EXPECT_EQ(store.Problem()->code, EROFS);
  const uint64_t tries = disk_.Count("open");
  for (int i = 0; i < 50; ++i) store.Keep(KeyOf(i), EntryOf({"y"}));
  EXPECT_EQ(disk_.Count("open"), tries);  // it does not try again and again
}

TEST_F(StoreTest, AFullDiskLosesNothingThatWasThere) {
  Open().Keep(KeyOf(1), EntryOf({"x", big_}));
  disk_.SetFree(2000);
  Store store = Open();
  store.Keep(KeyOf(2), EntryOf({"y", big_ + "!"}));
  EXPECT_TRUE(store.Problem()->IsNoRoom());
  EXPECT_EQ(Read(1), "x|" + big_ + "|");
  EXPECT_EQ(Read(2), "miss");
}

TEST_F(StoreTest, AFileInPlaceOfTheFolderIsNoCache) {
  disk_.Add("/c", "a file");
  Store store = Open();
  store.Keep(KeyOf(1), EntryOf({"x"}));
  EXPECT_FALSE(store.Find(KeyOf(1)));
  EXPECT_TRUE(store.Problem());
  Store none(disk_, clock_, "");
  none.Keep(KeyOf(1), EntryOf({"x"}));
  EXPECT_FALSE(none.Find(KeyOf(1)));
  EXPECT_FALSE(none.Problem());
  EXPECT_EQ(none.Measure().total_bytes(), 0u);
}

// A crash before each single operation of a Keep: the old state or the new one, and the next process repairs it.
TEST_F(StoreTest, ACrashAtAnyStepLeavesAMissOrTheWhole) {
  for (int steps = 0;; ++steps) {
    MemoryDisk disk(clock_);
    int left = steps;
    bool crashed = false;
    disk.SetFault([&](std::string_view, const std::string&) {
      crashed = crashed || left-- == 0;
      return crashed ? MemoryDisk::kCrash : 0;
    });
    Store(disk, clock_, "/c", {.inline_limit = 100}).Keep(KeyOf(1), EntryOf({"small", big_}));
    disk.Revive();
    Store store(disk, clock_, "/c", {.inline_limit = 100});
    const std::optional<Entry> found = store.Find(KeyOf(1));
    EXPECT_EQ(found.has_value(), !crashed) << steps;
    if (found) {
      EXPECT_EQ(found->outputs[1].bytes, big_);
    }
    EXPECT_EQ(store.counters().damaged, 0u);
    store.Keep(KeyOf(1), EntryOf({"small", big_}));
    EXPECT_TRUE(store.Find(KeyOf(1))) << steps;
    if (!crashed) {
      EXPECT_GT(steps, 8);
      break;
    }
  }
}

TEST_F(StoreTest, PruneRemovesTheLongestUnused) {
  Store store = Open();
  for (int key = 0; key < 10; ++key) {
    store.Keep(KeyOf(key), EntryOf({std::string(90, static_cast<char>('a' + key))}));
    clock_.Advance(kHourNs);
  }
  ASSERT_TRUE(store.Find(KeyOf(0)));  // used again: the youngest now
  const Stats stats = store.Measure();
  EXPECT_EQ(stats.action_entries, 10u);
  EXPECT_EQ(stats.blobs, 0u);
  const PruneResult pruned = store.Prune(stats.total_bytes() / 2);
  EXPECT_EQ(pruned.removed_files, 5u);
  EXPECT_EQ(pruned.kept_files, 5u);
  EXPECT_EQ(pruned.removed_bytes + pruned.kept_bytes, stats.total_bytes());
  for (int key = 0; key < 10; ++key) EXPECT_EQ(Read(key) != "miss", key == 0 || key >= 6) << key;
}

TEST_F(StoreTest, UseIsNotedAtMostOnceAnHour) {
  Store store = Open();
  store.Keep(KeyOf(1), EntryOf({"x"}));
  clock_.Advance(kHourNs / 2);
  ASSERT_TRUE(store.Find(KeyOf(1)));
  EXPECT_EQ(disk_.Count("settime"), 0u);
  clock_.Advance(kHourNs);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(store.Find(KeyOf(1)));
  EXPECT_EQ(disk_.Count("settime"), 1u);
}

TEST_F(StoreTest, PruningTakesOldTemporariesAndLeavesYoungOnes) {
  Store store = Open();
  store.Keep(KeyOf(1), EntryOf({"x"}));
  const std::string folder(path::Parent(PathOf("ac", KeyOf(1))));
  disk_.Add(folder + "/.kiln-tmp-old", "half");
  clock_.Advance(25 * kHourNs);
  disk_.Add(folder + "/.kiln-tmp-new", "half");
  EXPECT_EQ(store.Measure().action_entries, 1u);
  EXPECT_EQ(store.Prune(UINT64_MAX).removed_files, 1u);
  EXPECT_FALSE(disk_.Has(folder + "/.kiln-tmp-old"));
  EXPECT_TRUE(disk_.Has(folder + "/.kiln-tmp-new"));
  EXPECT_EQ(Read(1), "x|");
}

TEST_F(StoreTest, WhatAKilledClearLeftIsPruned) {
  Store store = Open();
  store.Keep(KeyOf(1), EntryOf({"x"}));
  disk_.Add("/c/.kiln-tmp-5/v1/ac/ab/old", "x");
  clock_.Advance(25 * kHourNs);
  disk_.Add("/c/.kiln-tmp-6/v1/ac/ab/young", "x");
  store.Prune(UINT64_MAX);
  EXPECT_FALSE(disk_.Has("/c/.kiln-tmp-5"));
  EXPECT_TRUE(disk_.Has("/c/.kiln-tmp-6/v1/ac/ab/young"));
}

TEST_F(StoreTest, PruneIfDueWorksOnceAnHourAndOnlyAfterWriting) {
  Store store = Open();
  EXPECT_FALSE(store.PruneIfDue());
  for (int key = 0; key < 400; ++key)
    store.Keep(KeyOf(key), EntryOf({std::string(4000, static_cast<char>(key)) + std::to_string(key)}));
  const std::optional<PruneResult> pruned = store.PruneIfDue();
  ASSERT_TRUE(pruned);
  EXPECT_GT(pruned->removed_files, 0u);
  EXPECT_LE(store.Measure().total_bytes(), uint64_t{1} << 20);
  EXPECT_FALSE(store.PruneIfDue());
  clock_.Advance(2 * kHourNs);
  EXPECT_TRUE(store.PruneIfDue());
}

TEST_F(StoreTest, ClearLeavesAWorkingCache) {
  Store store = Open();
  store.Keep(KeyOf(1), EntryOf({"x", big_}));
  ASSERT_TRUE(store.Clear());
  EXPECT_EQ(disk_.AllFiles(), (std::vector<std::string>{"/c/CACHEDIR.TAG"}));
  store.Keep(KeyOf(1), EntryOf({"x", big_}));
  EXPECT_EQ(Read(1), "x|" + big_ + "|");
}

TEST_F(StoreTest, PruneSaysWhatRefused) {
  Store store = Open();
  store.Keep(KeyOf(1), EntryOf({"x"}));
  store.Keep(KeyOf(2), EntryOf({"y"}));
  disk_.SetFault([](std::string_view operation, const std::string&) { return operation == "remove" ? EACCES : 0; });
  EXPECT_FALSE(store.Prune(UINT64_MAX).refusal);
  const PruneResult pruned = store.Prune(1);
  ASSERT_TRUE(pruned.refusal);
  EXPECT_EQ(pruned.refusal->code, EACCES);
  EXPECT_EQ(pruned.kept_files, 2u);
}

TEST_F(StoreTest, ClearLeavesFoldersThatAreNoCache) {
  disk_.Add("/c/v1/thesis", "x");
  Store store = Open();
  EXPECT_FALSE(store.Clear());
  EXPECT_TRUE(disk_.Has("/c/v1/thesis"));
}

// What a Clear of another process between the calls looks like: the folder that was just made is gone.
TEST_F(StoreTest, KeepGoesOnWhereFoldersVanish) {
  Store store = Open();
  int vanished = 0;
  disk_.SetFault([&](std::string_view operation, const std::string& path) {
    const bool vanishes = (operation == "open" || operation == "mkdir") && path.find("/ac/") != std::string::npos;
    return vanishes && vanished++ < 3 ? ENOENT : 0;
  });
  store.Keep(KeyOf(1), EntryOf({"x"}));
  EXPECT_FALSE(store.Problem());
  EXPECT_EQ(Read(1), "x|");
}

TEST_F(StoreTest, ThreadsShareAStore) {
  Store store = Open();
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&store, this] {
      for (int key = 0; key < 100; ++key) {
        store.Keep(KeyOf(key), EntryOf({std::to_string(key), big_}));
        const std::optional<Entry> entry = store.Find(KeyOf(key));
        ASSERT_TRUE(entry);
        ASSERT_EQ(entry->outputs[0].bytes, std::to_string(key));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.counters().hits, 400u);
}

}  // namespace
}  // namespace kiln::store
