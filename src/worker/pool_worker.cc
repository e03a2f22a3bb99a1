// SPDX-License-Identifier: Apache-2.0
#include "worker/pool_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <utility>

namespace kiln::worker {
namespace {

// What is kept of a worker's standard error, for the message if it dies.
constexpr size_t kErrorTail = 2048;

}  // namespace

int Worker::Start(const ToolchainSet& set, uint64_t memory_limit) {
  executable = set.executable;
  Pipe in, out, errors;
  int error = 0;
  if ((error = MakePipe(in)) != 0 || (error = MakePipe(out)) != 0 || (error = MakePipe(errors)) != 0) return error;
  SpawnOptions spawn;
  spawn.executable = set.executable;
  spawn.arguments = {"--serve", "--memory-limit=" + std::to_string(memory_limit)};
  // Numbers print and parse the same everywhere, whatever the user's locale.
  // Huge pages halve the page faults of the first symbol table.
  spawn.environment = {"LC_ALL=C", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"};
  spawn.stdin_fd = in.read.get();
  spawn.stdout_fd = out.write.get();
  spawn.stderr_fd = errors.write.get();
  if ((error = Child::Spawn(spawn, child)) != 0) return error;
  to = std::move(in.write);
  from = std::move(out.read);
  err = std::move(errors.read);
  for (const Fd* fd : {&to, &from, &err}) SetNonBlocking(fd->get());
  return 0;
}

void Worker::WriteJob() {
  while (written < job->frame.size()) {
    const ssize_t wrote = write(to.get(), job->frame.data() + written, job->frame.size() - written);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    written += static_cast<size_t>(wrote);
  }
}

void Worker::ReadErrors() {
  char buffer[4096];
  ssize_t got;
  while ((got = read(err.get(), buffer, sizeof buffer)) > 0) {
    error_tail.append(buffer, static_cast<size_t>(got));
    if (error_tail.size() > kErrorTail) {
      error_tail.erase(0, error_tail.size() - kErrorTail);
    }
  }
  if (got == 0) err.Close();  // poll ignores it from now on
}

uint64_t Worker::ResidentBytes() const {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", static_cast<int>(child.pid()));
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[128] = {};
  const ssize_t got = read(fd, text, sizeof text - 1);
  close(fd);
  unsigned long long total = 0, resident = 0;
  if (got <= 0 || sscanf(text, "%llu %llu", &total, &resident) != 2) return 0;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace kiln::worker
