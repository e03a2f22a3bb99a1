// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace kiln::conformance {
namespace {

double Now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The part of a child's state that its parent reads: the rows it still owns, the one it is at and since when.
struct Child {
  std::atomic<size_t> current;
  std::atomic<size_t> end;
  std::atomic<double> since;
};

struct Shared {
  std::atomic<size_t> next;
  Child children[64];
};

template <typename T>
T* MapShared(size_t count) {
  void* memory = mmap(nullptr, sizeof(T) * (count + 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  return static_cast<T*>(memory);
}

void RunChild(size_t count, Shared& shared, Child& self, Outcome* outcomes, const PoolOptions& options,
              const std::function<void(size_t, Outcome&)>& check) {
  // A dump of a core a row would fill a disk, and the message of an abort is not worth the noise.
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const rlimit memory{4ull << 30, 4ull << 30};
#if !defined(__SANITIZE_ADDRESS__)
  setrlimit(RLIMIT_AS, &memory);
#else
  (void)memory;
#endif
  if (getenv("KILN_CONFORMANCE_STDERR") == nullptr) {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, 2);
  }
  for (;;) {
    size_t at = self.current.load();
    if (at >= self.end.load()) {
      at = shared.next.fetch_add(options.chunk);
      if (at >= count) _exit(0);
      self.end.store(at + options.chunk < count ? at + options.chunk : count);
      self.current.store(at);
    }
    self.since.store(Now());
    outcomes[at].state = State::kRunning;
    check(at, outcomes[at]);
    self.current.store(at + 1);
  }
}

}  // namespace

std::vector<Outcome> RunPool(size_t count, const PoolOptions& options,
                             const std::function<void(size_t, Outcome&)>& check) {
  const unsigned jobs = options.jobs < 1 ? 1 : options.jobs > 64 ? 64 : options.jobs;
  auto* shared = new (MapShared<Shared>(1)) Shared{};
  auto* outcomes = MapShared<Outcome>(count);
  std::vector<pid_t> pids(jobs, 0);
  std::fflush(nullptr);
  const auto start = [&](unsigned i) {
    Child& child = shared->children[i];
    child.since.store(Now());
    const pid_t pid = fork();
    if (pid == 0) RunChild(count, *shared, child, outcomes, options, check);
    if (pid < 0) {
      std::perror("fork");
      std::exit(2);
    }
    pids[i] = pid;
  };
  for (unsigned i = 0; i < jobs; ++i) start(i);
  unsigned running = jobs;
  while (running > 0) {
    bool idle = true;
    for (unsigned i = 0; i < jobs; ++i) {
      if (pids[i] == 0) continue;
      Child& child = shared->children[i];
      int status = 0;
      if (waitpid(pids[i], &status, WNOHANG) == pids[i]) {
        idle = false;
        pids[i] = 0;
        --running;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        const size_t at = child.current.load();
        if (at < count && outcomes[at].state == State::kRunning) outcomes[at].state = State::kCrashed;
        child.current.store(at + 1);
        start(i);
        ++running;
      } else if (Now() - child.since.load() > options.deadline_seconds) {
        const size_t at = child.current.load();
        if (at < child.end.load()) outcomes[at].state = State::kHung;
        kill(pids[i], SIGKILL);
      }
    }
    if (idle) usleep(10'000);
  }
  std::vector<Outcome> result(outcomes, outcomes + count);
  munmap(outcomes, sizeof(Outcome) * (count + 1));
  return result;
}

}  // namespace kiln::conformance
