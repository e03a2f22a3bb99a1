// SPDX-License-Identifier: Apache-2.0
// The pool against a worker that misbehaves in every way (fault_worker_main.cc).
#include "worker/pool.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "base/files.h"
#include "base/process.h"

namespace kiln::worker {
namespace {

using std::chrono::milliseconds;

const ToolchainSet& FaultSet() {
  static const ToolchainSet set = [] {
    const std::string self = SelfExecutable();
    DiscoveryOptions options;
    options.folders = {self.substr(0, self.rfind('/')) + "/test-workers"};
    const Discovery found = Discover(options);
    return found.Find("fault") == nullptr ? ToolchainSet() : *found.Find("fault");
  }();
  return set;
}

PoolOptions Options(int jobs = 1) {
  PoolOptions options;
  options.jobs = jobs;
  options.use_jobserver = false;
  return options;
}

Action Fault(std::string operation, std::vector<std::pair<std::string, std::string>> options = {}) {
  Action action;
  action.operation = std::move(operation);
  action.options = std::move(options);
  return action;
}

std::string Output(const ActionResult& result, std::string_view name) {
  for (const Blob& output : result.outputs) {
    if (output.name == name) return output.bytes;
  }
  return "";
}

std::string CodeAndMessage(const ActionResult& result) {
  return result.diagnostics.empty() ? "" : result.diagnostics[0].code + ": " + result.diagnostics[0].message;
}

bool IsAlive(const std::string& pid) { return kill(static_cast<pid_t>(atoi(pid.c_str())), 0) == 0; }

TEST(Pool, AnswersWithWhatTheWorkerSaysAndKeepsItWarm) {
  std::string pid;
  {
    Pool pool(Options());
    Action action = Fault("echo");
    action.inputs = {{"a", std::string(3'000'000, 'a')}, {"b", ""}};
    action.imports = {{"a", "b", true, "b"}};
    const ActionResult first = pool.Run(FaultSet(), action);
    ASSERT_TRUE(first.ok()) << CodeAndMessage(first);
    EXPECT_EQ(first.outputs[0].bytes, action.inputs[0].bytes);
    EXPECT_EQ(first.consulted, action.imports);
    pid = Output(first, "pid");
    EXPECT_EQ(Output(pool.Run(FaultSet(), action), "pid"), pid);
    EXPECT_EQ(pool.stats().workers_started, 1u);
    EXPECT_EQ(pool.stats().actions, 2u);
    EXPECT_GT(pool.stats().peak_worker_bytes, 100'000u);
    EXPECT_TRUE(IsAlive(pid));
  }
  EXPECT_FALSE(IsAlive(pid));
}

struct Case {
  const char* operation;
  ExitKind exit;
  const char* says;
};

TEST(Pool, AFaultCostsItsOwnActionTwoWorkersAndNobodyElse) {
  const Case cases[] = {
      {"crash", ExitKind::kCrashed,
       "worker-crashed: the compiler worker 'fault' died with signal 11 (Segmentation fault) on 'crash', twice"},
      {"abort", ExitKind::kCrashed, "signal 6 (Aborted)"},
      {"exit", ExitKind::kCrashed, "exit code 0"},
      {"garbage", ExitKind::kCrashed,
       "worker-crashed: the compiler worker 'fault' answered with garbage on 'garbage', twice"},
      {"undecodable", ExitKind::kCrashed, "garbage"},
      {"partial", ExitKind::kCrashed, "exit code 0"},
      {"huge", ExitKind::kCrashed, "garbage"},
  };
  Pool pool(Options());
  size_t lost = 0;
  for (const Case& fault : cases) {
    const ActionResult result = pool.Run(FaultSet(), Fault(fault.operation, {{"code", "0"}}));
    EXPECT_EQ(result.exit, fault.exit) << fault.operation;
    EXPECT_NE(CodeAndMessage(result).find(fault.says), std::string::npos)
        << fault.operation << ": " << CodeAndMessage(result);
    EXPECT_TRUE(result.outputs.empty());
    lost += 2;
    EXPECT_EQ(pool.stats().workers_lost, lost) << fault.operation;
    EXPECT_TRUE(pool.Run(FaultSet(), Fault("echo")).ok()) << "after " << fault.operation;
  }
  EXPECT_EQ(pool.stats().retries, std::size(cases));
}

TEST(Pool, TheLastWordsOfADeadWorkerAreInTheNote) {
  Pool pool(Options());
  const ActionResult result = pool.Run(FaultSet(), Fault("crash"));
  ASSERT_EQ(result.diagnostics.size(), 1u);
  ASSERT_EQ(result.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].notes[0].message, "it printed: about to touch what is not there");
}

TEST(Pool, ACrashThatComesFromAWarmWorkerOnlyIsForgiven) {
  Pool pool(Options());
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("echo")).ok());
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("crash-if-warm")).ok());
  EXPECT_EQ(pool.stats().retries, 1u);
  EXPECT_EQ(pool.stats().workers_lost, 1u);
}

TEST(Pool, AHangIsKilledAtTheDeadlineWithoutASecondTry) {
  PoolOptions options = Options();
  options.deadline = milliseconds(200);
  Pool pool(options);
  const ActionResult result = pool.Run(FaultSet(), Fault("hang"));
  EXPECT_EQ(result.exit, ExitKind::kDeadline);
  EXPECT_EQ(CodeAndMessage(result), "worker-deadline: the compiler worker 'fault' was killed after 200 ms on 'hang'");
  EXPECT_EQ(pool.stats().retries, 0u);
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("echo")).ok());
}

TEST(Pool, MemoryPastTheLimitIsRefused) {
  PoolOptions options = Options();
  options.memory_limit = uint64_t{600} << 20;
  Pool pool(options);
  const ActionResult result = pool.Run(FaultSet(), Fault("eat"));
  EXPECT_EQ(result.exit, ExitKind::kMemory);
  EXPECT_EQ(CodeAndMessage(result),
            "worker-memory: the compiler worker 'fault' passed the memory limit of 600 MiB on 'eat'");
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("echo")).ok());
}

TEST(Pool, AWorkerThatGrewLargeIsReplaced) {
  PoolOptions options = Options();
  options.memory_limit = uint64_t{600} << 20;
  Pool pool(options);
  const ActionResult swollen = pool.Run(FaultSet(), Fault("swell", {{"bytes", "350000000"}}));
  ASSERT_TRUE(swollen.ok()) << CodeAndMessage(swollen);
  const ActionResult next = pool.Run(FaultSet(), Fault("echo"));
  ASSERT_TRUE(next.ok());
  EXPECT_NE(Output(next, "pid"), Output(swollen, "pid"));
  EXPECT_EQ(pool.stats().workers_lost, 0u);
}

TEST(Pool, AnAnswerTooManyCostsOnlyTheWorker) {
  Pool pool(Options());
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("twice")).ok());
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(pool.Run(FaultSet(), Fault("echo")).ok());
}

TEST(Pool, AWorkerHasNoFilesAndADeepStack) {
  Pool pool(Options());
  const ActionResult opened = pool.Run(FaultSet(), Fault("open", {{"path", "/etc/passwd"}}));
  EXPECT_EQ(Output(opened, "open"), "EACCES") << "needs a kernel with Landlock";
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("recurse")).ok());
}

TEST(Pool, WhatACompilerPrintsOrThrowsIsNoProtocol) {
  Pool pool(Options());
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("print")).ok());
  const ActionResult thrown = pool.Run(FaultSet(), Fault("throw"));
  EXPECT_EQ(thrown.exit, ExitKind::kUnsupported);
  EXPECT_EQ(CodeAndMessage(thrown), "toolchain-refused: a compiler threw this");
  EXPECT_EQ(pool.stats().workers_started, 1u);
}

TEST(Pool, LargeAnswersComeWholeAndTooLargeOnesAreAnError) {
  Pool pool(Options());
  EXPECT_EQ(Output(pool.Run(FaultSet(), Fault("large", {{"bytes", "20000000"}})), "text").size(), 20'000'000u);
  const ActionResult result = pool.Run(FaultSet(), Fault("large", {{"bytes", "134217729"}}));
  EXPECT_EQ(result.exit, ExitKind::kUnsupported);
  EXPECT_EQ(CodeAndMessage(result).substr(0, 17), "output-too-large:");
}

TEST(Pool, AWorkerThatCannotStartIsAnAnswerToo) {
  Pool pool(Options());
  ToolchainSet missing = FaultSet();
  missing.executable = "/nowhere/kiln-worker-x";
  const ActionResult absent = pool.Run(missing, Fault("echo"));
  EXPECT_EQ(absent.exit, ExitKind::kCrashed);
  EXPECT_EQ(CodeAndMessage(absent),
            "worker-unavailable: cannot start worker '/nowhere/kiln-worker-x': No such file or directory");

  setenv("KILN_FAULT_START", "exit", 1);
  const ActionResult exits = pool.Run(FaultSet(), Fault("echo"));
  EXPECT_EQ(CodeAndMessage(exits),
            "worker-unavailable: the compiler worker 'fault' died with exit code 127 at its start, twice");
  ASSERT_EQ(exits.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(exits.diagnostics[0].notes[0].message, "it printed: cannot find libsomething.so");

  setenv("KILN_FAULT_START", "wrong", 1);
  EXPECT_NE(CodeAndMessage(pool.Run(FaultSet(), Fault("echo"))).find("it was replaced"), std::string::npos);
  unsetenv("KILN_FAULT_START");
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("echo")).ok());
}

TEST(Pool, AWorkerThatNeverSaysHelloIsGivenUp) {
  PoolOptions options = Options();
  options.start_deadline = milliseconds(100);
  setenv("KILN_FAULT_START", "silent", 1);
  Pool pool(options);
  EXPECT_EQ(CodeAndMessage(pool.Run(FaultSet(), Fault("echo"))),
            "worker-unavailable: the compiler worker 'fault' did not start in time, twice");
  unsetenv("KILN_FAULT_START");
}

TEST(Pool, HundredsInFlightGoThroughAtMostJobsWorkersAndFaultsAmongThemHurtNobody) {
  Pool pool(Options(3));
  std::atomic<int> good{0}, crashed{0}, wrong{0};
  std::atomic<int> left{300};
  std::mutex mutex;
  std::set<std::string> pids;
  for (int i = 0; i < 300; ++i) {
    const bool is_bad = i % 50 == 7;
    Action action = Fault(is_bad ? (i % 100 == 7 ? "crash" : "garbage") : "echo");
    action.inputs = {{"n", std::to_string(i)}};
    pool.Submit(FaultSet(), action, [&, i, is_bad](ActionResult result) {
      if (is_bad && result.exit == ExitKind::kCrashed) {
        ++crashed;
      } else if (!is_bad && result.ok() && result.outputs[0].bytes == std::to_string(i)) {
        ++good;
        const std::lock_guard lock(mutex);
        pids.insert(Output(result, "pid"));
      } else {
        ++wrong;
      }
      --left;
    });
  }
  while (left > 0) usleep(1000);
  EXPECT_EQ(good, 294);
  EXPECT_EQ(crashed, 6);
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(pids.size(), 3u + 12u);
}

TEST(Pool, ActionsRunInTheOrderSubmitted) {
  Pool pool(Options(1));
  std::vector<int> order;
  std::atomic<int> left{50};
  for (int i = 0; i < 50; ++i) {
    pool.Submit(FaultSet(), Fault("echo"), [&, i](const ActionResult&) {
      order.push_back(i);
      --left;
    });
  }
  while (left > 0) usleep(1000);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Pool, CancelAnswersEverythingAndEndsTheWorkers) {
  Pool pool(Options(2));
  const std::string pid = Output(pool.Run(FaultSet(), Fault("echo")), "pid");
  std::atomic<int> cancelled{0}, left{20};
  for (int i = 0; i < 20; ++i) {
    pool.Submit(FaultSet(), Fault("hang"), [&](const ActionResult& result) {
      cancelled += result.exit == ExitKind::kCancelled && result.diagnostics.empty();
      --left;
    });
  }
  pool.Cancel();
  while (left > 0) usleep(1000);
  EXPECT_EQ(cancelled, 20);
  EXPECT_EQ(pool.Run(FaultSet(), Fault("echo")).exit, ExitKind::kCancelled);
  EXPECT_FALSE(IsAlive(pid));
}

TEST(Pool, ItsEndAnswersWhatIsStillRunning) {
  std::atomic<int> cancelled{0};
  {
    Pool pool(Options(2));
    for (int i = 0; i < 8; ++i) {
      pool.Submit(FaultSet(), Fault("hang"),
                  [&](const ActionResult& result) { cancelled += result.exit == ExitKind::kCancelled; });
    }
  }
  EXPECT_EQ(cancelled, 8);
}

TEST(Pool, WarmStartsWorkersBeforeThereIsWork) {
  Pool pool(Options(2));
  pool.Warm(FaultSet(), 5);
  while (pool.stats().workers_started < 2) usleep(1000);
  EXPECT_TRUE(pool.Run(FaultSet(), Fault("echo")).ok());
  EXPECT_EQ(pool.stats().workers_started, 2u);
}

TEST(Pool, TimeAsleepIsNotTheWorkersFault) {
  // A child process has a pool with a deadline of 3 s and a worker that needs 4.5 s, 4 s of which everybody sleeps.
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    PoolOptions options = Options();
    options.deadline = milliseconds(3000);
    Pool pool(options);
    if (!pool.Run(FaultSet(), Fault("echo")).ok()) _exit(2);
    _exit(pool.Run(FaultSet(), Fault("sleep", {{"ms", "4500"}})).ok() ? 0 : 1);
  }
  setpgid(child, child);
  usleep(500'000);
  kill(-child, SIGSTOP);
  usleep(4'000'000);
  kill(-child, SIGCONT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(Pool, WorkersDieWithTheToolHoweverItEnds) {
  Pipe pipe;
  ASSERT_EQ(MakePipe(pipe), 0);
  const pid_t child = fork();
  if (child == 0) {
    Pool* pool = new Pool(Options());
    const std::string pid = Output(pool->Run(FaultSet(), Fault("echo")), "pid");
    if (write(pipe.write.get(), pid.data(), pid.size()) < 0) _exit(1);
    for (;;) pause();
  }
  char text[32] = {};
  ASSERT_GT(read(pipe.read.get(), text, sizeof text - 1), 0);
  EXPECT_TRUE(IsAlive(text));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (int i = 0; i < 5000 && IsAlive(text); ++i) usleep(1000);
  EXPECT_FALSE(IsAlive(text));
}

}  // namespace
}  // namespace kiln::worker
