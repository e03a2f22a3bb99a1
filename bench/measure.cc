// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace kiln::bench {

namespace {

uint64_t PeakOf(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

void Sample(pid_t pid, Measured& measured) {
  const std::string own = std::to_string(pid);
  measured.own_peak_bytes = std::max(measured.own_peak_bytes, PeakOf(own));
  // Every thread lists the children it started.
  const std::string tasks = "/proc/" + own + "/task/";
  std::FILE* list = popen(("cat " + tasks + "*/children 2>/dev/null").c_str(), "r");
  if (list == nullptr) return;
  for (int child = 0; std::fscanf(list, "%d", &child) == 1;) {
    measured.child_peak_bytes = std::max(measured.child_peak_bytes, PeakOf(std::to_string(child)));
  }
  pclose(list);
}

}  // namespace

Measured RunOnce(const Command& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  std::vector<char*> argv;
  for (const std::string& argument : command.argv) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  Measured measured;
  const auto start = std::chrono::steady_clock::now();
  // vfork: a fork of this process would cost more than what some commands take.
  const pid_t pid = vfork();
  if (pid == 0) {
    if (!command.folder.empty() && chdir(command.folder.c_str()) != 0) _exit(126);
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    for (const std::string& entry : command.environment) putenv(const_cast<char*>(entry.c_str()));
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  char buffer[65536];
  for (;;) {
    pollfd fd{ends[0], POLLIN, 0};
    const int ready = poll(&fd, 1, command.samples_memory ? 20 : -1);
    if (command.samples_memory) Sample(pid, measured);
    if (ready <= 0) continue;
    const ssize_t count = read(ends[0], buffer, sizeof buffer);
    if (count <= 0) break;
    measured.out.append(buffer, static_cast<size_t>(count));
  }
  int status = 0;
  rusage usage{};
  wait4(pid, &status, 0, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  measured.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  close(ends[0]);
  measured.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return measured;
}

Measured RunMedian(const Command& command, int times) {
  std::vector<Measured> runs;
  for (int i = 0; i < times; ++i) {
    runs.push_back(RunOnce(command));
    if (runs.back().exit != 0) {
      std::fprintf(stderr, "bench: %s failed (%d):\n%s\n", command.argv[0].c_str(), runs.back().exit,
                   runs.back().out.c_str());
      std::exit(1);
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Measured& a, const Measured& b) { return a.seconds < b.seconds; });
  return runs[runs.size() / 2];
}

}  // namespace kiln::bench
