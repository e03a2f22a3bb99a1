// SPDX-License-Identifier: Apache-2.0
#include "worker/jobserver.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/files.h"
#include "worker/pool.h"

namespace kiln::worker {
namespace {

std::string Drain(int fd) {
  std::string tokens(64, '\0');
  const int flags = fcntl(fd, F_GETFL);
  fcntl(fd, F_SETFL, flags | O_NONBLOCK);
  const ssize_t got = read(fd, tokens.data(), tokens.size());
  fcntl(fd, F_SETFL, flags);
  tokens.resize(got < 0 ? 0 : static_cast<size_t>(got));
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

// A pipe with tokens, as make holds it.
struct Make {
  explicit Make(std::string_view tokens) {
    if (MakePipe(pipe) != 0 || write(pipe.write.get(), tokens.data(), tokens.size()) < 0) abort();
  }
  std::string Flags() const {
    return " -j --jobserver-auth=" + std::to_string(pipe.read.get()) + "," + std::to_string(pipe.write.get()) +
           " -- X=1";
  }
  Pipe pipe;
};

TEST(Jobserver, TakesWhatIsThereAndGivesTheSameBytesBack) {
  Make make("ab");
  {
    const auto client = Jobserver::Connect(make.Flags());
    ASSERT_NE(client, nullptr);
    EXPECT_TRUE(client->TryTake());
    EXPECT_TRUE(client->TryTake());
    EXPECT_FALSE(client->TryTake()) << "and does not block";
    EXPECT_EQ(client->held(), 2);
    client->GiveBack();
    EXPECT_EQ(Drain(make.pipe.read.get()), "b");
    EXPECT_EQ(client->held(), 1);
    EXPECT_FALSE(client->is_broken());
  }
  EXPECT_EQ(Drain(make.pipe.read.get()), "a") << "given back at the end";
  EXPECT_EQ(fcntl(make.pipe.read.get(), F_GETFL) & O_NONBLOCK, 0) << "the shared pipe stays as it was";
}

TEST(Jobserver, SpeaksThroughAFifo) {
  const std::string folder = *SystemDisk().MakeTemporaryFolder(TemporaryFolder(), "kiln-fifo-");
  const std::string path = folder + "/fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Fd make(open(path.c_str(), O_RDWR));
  ASSERT_EQ(write(make.get(), "xyz", 3), 3);
  {
    const auto client = Jobserver::Connect("w --jobserver-auth=1,2 --jobserver-auth=fifo:" + path);
    ASSERT_NE(client, nullptr);
    EXPECT_TRUE(client->TryTake());
    EXPECT_EQ(Drain(make.get()), "yz");
  }
  EXPECT_EQ(Drain(make.get()), "x");
  (void)SystemDisk().RemoveTree(folder).ok();
}

TEST(Jobserver, IsNoneWhereThereIsNone) {
  for (const char* flags :
       {"", "-k", "--jobserver-auth=", "--jobserver-auth=-2,-2", "--jobserver-auth=3", "--jobserver-auth=3,",
        "--jobserver-auth=900,901", "--jobserver-auth=fifo:/nowhere/fifo", "--jobserver-auth=x,y"}) {
    EXPECT_EQ(Jobserver::Connect(flags), nullptr) << flags;
  }
}

TEST(Jobserver, ATokenIsTakenForEveryActionBeyondTheFirstAndAllComeBack) {
  const std::string self = SelfExecutable();
  DiscoveryOptions where;
  where.folders = {self.substr(0, self.rfind('/')) + "/test-workers"};
  const Discovery found = Discover(where);
  ASSERT_NE(found.Find("fault"), nullptr);
  for (const std::string tokens : {"", "A", "ABCDEFG"}) {
    Make make(tokens);
    setenv("MAKEFLAGS", make.Flags().c_str(), 1);
    PoolOptions options;
    options.jobs = 4;
    {
      Pool pool(options);
      unsetenv("MAKEFLAGS");
      std::atomic<int> left{24}, ok{0};
      for (int i = 0; i < 24; ++i) {
        Action action;
        action.operation = i % 12 == 5 ? "crash" : "sleep";
        action.options = {{"ms", "15"}};
        pool.Submit(*found.Find("fault"), action, [&](const ActionResult& result) {
          ok += result.ok();
          --left;
        });
      }
      while (left > 0) usleep(500);
      EXPECT_EQ(ok, 22);
      // Workers that stay idle tell how many actions ran at once: the first and one a token.
      const size_t at_once = std::min(tokens.size() + 1, size_t{4});
      EXPECT_EQ(pool.stats().workers_started - pool.stats().workers_lost, at_once);
      std::string returned;
      for (int i = 0; i < 5000 && returned.size() < tokens.size(); ++i) {
        returned += Drain(make.pipe.read.get());
        usleep(1000);
      }
      std::sort(returned.begin(), returned.end());
      EXPECT_EQ(returned, tokens) << "while the pool is idle";
    }
  }
}

TEST(Jobserver, TokensComeBackFromASignalHandler) {
  Make make("pq");
  const pid_t child = fork();
  if (child == 0) {
    auto client = Jobserver::Connect(make.Flags());
    const bool took = client != nullptr && client->TryTake() && client->TryTake();
    signal(SIGINT, [](int) {
      ReturnJobserverTokensInSignalHandler();
      _exit(0);
    });
    if (took) raise(SIGINT);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Drain(make.pipe.read.get()), "pq");
}

}  // namespace
}  // namespace kiln::worker
