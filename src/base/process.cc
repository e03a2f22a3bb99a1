// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

extern char** environ;

namespace kiln {
namespace {

// A descriptor above 2, so that becoming a child's 0, 1 or 2 never overwrites one that is still to be copied.
int AboveStandard(int fd) {
  if (fd > 2) return fd;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  const int error = errno;
  close(fd);
  errno = error;
  return moved;
}

ExitStatus FromWaitStatus(int status) {
  if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
  return {false, WEXITSTATUS(status)};
}

}  // namespace

void Fd::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

int MakePipe(Pipe& out) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return errno;
  fds[0] = AboveStandard(fds[0]);
  int error = fds[0] < 0 ? errno : 0;
  fds[1] = AboveStandard(fds[1]);
  if (fds[1] < 0 && error == 0) error = errno;
  out.read = Fd(fds[0]);
  out.write = Fd(fds[1]);
  return error;
}

void SetNonBlocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

std::string ExitStatus::Describe() const {
  if (!signaled) return "exit code " + std::to_string(code);
  const char* text = sigdescr_np(code);
  return "signal " + std::to_string(code) + (text == nullptr ? "" : " (" + std::string(text) + ")");
}

int Child::Spawn(const SpawnOptions& options, Child& out) {
  std::vector<char*> argv;
  argv.push_back(const_cast<char*>(options.executable.c_str()));
  for (const std::string& argument : options.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  std::vector<char*> environment;
  for (const std::string& entry : options.environment) environment.push_back(const_cast<char*>(entry.c_str()));
  if (!options.clear_environment) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string_view name = std::string_view(*entry).substr(0, std::string_view(*entry).find('=') + 1);
      const bool is_replaced = std::any_of(options.environment.begin(), options.environment.end(),
                                           [&](const std::string& own) { return own.starts_with(name); });
      if (!is_replaced) environment.push_back(*entry);
    }
  }
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int fds[3] = {options.stdin_fd, options.stdout_fd, options.stderr_fd};
  for (int target = 0; target < 3; ++target) {
    if (fds[target] >= 0) {
      posix_spawn_file_actions_adddup2(&actions, fds[target], target);
    } else {
      posix_spawn_file_actions_addopen(&actions, target, "/dev/null", target == 0 ? O_RDONLY : O_WRONLY, 0);
    }
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, options.executable.c_str(), &actions, &attributes, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return error;
  out = Child();
  out.pid_ = pid;
  return 0;
}

void Child::Kill() {
  if (pid_ > 0) kill(pid_, SIGKILL);
}

bool Child::TryWait(ExitStatus& status) {
  if (pid_ <= 0) return true;
  int raw = 0;
  pid_t got;
  do got = waitpid(pid_, &raw, WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got == 0) return false;
  pid_ = -1;
  status = got < 0 ? ExitStatus{false, 127} : FromWaitStatus(raw);
  return true;
}

ExitStatus Child::Wait() {
  if (pid_ <= 0) return {false, 127};
  int raw = 0;
  pid_t got;
  do got = waitpid(pid_, &raw, 0);
  while (got < 0 && errno == EINTR);
  pid_ = -1;
  return got < 0 ? ExitStatus{false, 127} : FromWaitStatus(raw);
}

void Child::KillAndWait() {
  if (pid_ <= 0) return;
  Kill();
  Wait();
}

RunOutput RunAndCollect(const std::string& executable, std::vector<std::string> arguments,
                        std::chrono::milliseconds deadline, size_t limit) {
  RunOutput result;
  Pipe out, err;
  if ((result.error = MakePipe(out)) != 0 || (result.error = MakePipe(err)) != 0) return result;
  SpawnOptions options;
  options.executable = executable;
  options.arguments = std::move(arguments);
  options.stdout_fd = out.write.get();
  options.stderr_fd = err.write.get();
  Child child;
  if ((result.error = Child::Spawn(options, child)) != 0) return result;
  out.write.Close();
  err.write.Close();

  const auto end = std::chrono::steady_clock::now() + deadline;
  Fd* fds[2] = {&out.read, &err.read};
  std::string* texts[2] = {&result.out, &result.err};
  while (fds[0]->is_open() || fds[1]->is_open()) {
    pollfd polled[2] = {{fds[0]->get(), POLLIN, 0}, {fds[1]->get(), POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    const int ready = left <= 0 ? 0 : poll(polled, 2, static_cast<int>(std::min<int64_t>(left, 1'000'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      result.error = ETIMEDOUT;
      return result;  // the child dies with its owner
    }
    for (int i = 0; i < 2; ++i) {
      if (polled[i].revents == 0) continue;
      char buffer[16 * 1024];
      const ssize_t got = read(fds[i]->get(), buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        fds[i]->Close();
        continue;
      }
      if (texts[i]->size() + static_cast<size_t>(got) > limit) {
        result.error = EFBIG;
        return result;
      }
      texts[i]->append(buffer, static_cast<size_t>(got));
    }
  }
  // It has closed its ends; it may still be on its way out, or be a daemon that never leaves.
  while (!child.TryWait(result.status)) {
    if (std::chrono::steady_clock::now() >= end) {
      result.error = ETIMEDOUT;
      return result;
    }
    usleep(500);
  }
  return result;
}

std::string SelfExecutable() {
  std::string path(4096, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length < 0 || static_cast<size_t>(length) == path.size() ? 0 : static_cast<size_t>(length));
  return path;
}

}  // namespace kiln
