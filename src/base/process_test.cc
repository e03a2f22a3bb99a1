// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace kiln {
namespace {

using std::chrono::seconds;

TEST(Process, CollectsWhatAProgramPrintsAndHowItEnds) {
  const RunOutput run = RunAndCollect("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"}, seconds(20));
  EXPECT_EQ(run.error, 0);
  EXPECT_EQ(run.out, "out\n");
  EXPECT_EQ(run.err, "err\n");
  EXPECT_FALSE(run.status.ok());
  EXPECT_EQ(run.status.Describe(), "exit code 3");
}

TEST(Process, NamesTheSignal) {
  const RunOutput run = RunAndCollect("/bin/sh", {"-c", "kill -9 $$"}, seconds(20));
  EXPECT_EQ(run.status.Describe(), "signal 9 (Killed)");
}

TEST(Process, ReportsAMissingProgram) { EXPECT_EQ(RunAndCollect("/nowhere/at/all", {}, seconds(20)).error, ENOENT); }

TEST(Process, StopsAtTheDeadlineAndAtTheLimit) {
  EXPECT_EQ(RunAndCollect("/bin/sh", {"-c", "sleep 600"}, std::chrono::milliseconds(50)).error, ETIMEDOUT);
  EXPECT_EQ(RunAndCollect("/bin/sh", {"-c", "yes"}, seconds(20), 10'000).error, EFBIG);
}

TEST(Process, AChildHoldsNoDescriptorButItsOwnThree) {
  Pipe held;
  ASSERT_EQ(MakePipe(held), 0);
  const RunOutput run = RunAndCollect(
      "/bin/sh", {"-c", "[ -e /proc/self/fd/$0 ] && echo leaked || echo closed", std::to_string(held.write.get())},
      seconds(20));
  EXPECT_EQ(run.out, "closed\n");
}

TEST(Process, EnvironmentIsAddedToOrReplaced) {
  setenv("KILN_PROCESS_TEST", "old", 1);
  for (const bool clear : {false, true}) {
    Pipe out;
    ASSERT_EQ(MakePipe(out), 0);
    SpawnOptions options;
    options.executable = "/bin/sh";
    options.arguments = {"-c", "echo \"$KILN_PROCESS_TEST,$KILN_PROCESS_NEW\""};
    options.environment = {"KILN_PROCESS_NEW=new"};
    options.clear_environment = clear;
    options.stdout_fd = out.write.get();
    Child child;
    ASSERT_EQ(Child::Spawn(options, child), 0);
    out.write.Close();
    EXPECT_TRUE(child.Wait().ok());
    char text[64];
    const ssize_t got = read(out.read.get(), text, sizeof text);
    EXPECT_EQ(std::string(text, static_cast<size_t>(got)), clear ? ",new\n" : "old,new\n");
  }
}

TEST(Process, AChildDiesWithItsOwner) {
  pid_t pid;
  {
    SpawnOptions options;
    options.executable = "/bin/sleep";
    options.arguments = {"600"};
    Child child;
    ASSERT_EQ(Child::Spawn(options, child), 0);
    pid = child.pid();
    ASSERT_EQ(kill(pid, 0), 0);
  }
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(Process, KnowsItsOwnExecutable) { EXPECT_NE(SelfExecutable().find("kiln_base_test"), std::string::npos); }

}  // namespace
}  // namespace kiln
