// SPDX-License-Identifier: Apache-2.0
// Child processes: start, pipes, wait, kill. All descriptors made here are close-on-exec, so that one child never holds
// the end of another's pipe. Everything reports errno values; nothing here throws or blocks unless it says so.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// Owns a file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~Fd() { Close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close();

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};

/// 0 or an errno. Both ends are close-on-exec and blocking.
int MakePipe(Pipe& out);
void SetNonBlocking(int fd);

struct SpawnOptions {
  std::string executable;              // a path, not searched for
  std::vector<std::string> arguments;  // without argv[0]
  /// NAME=VALUE; replaces the environment if `clear_environment`, else is added to it.
  std::vector<std::string> environment;
  bool clear_environment = false;
  /// Descriptors to become the child's 0, 1 and 2; -1 is /dev/null.
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
};

/// How a child ended.
struct ExitStatus {
  bool signaled = false;
  int code = 0;  // exit code or signal number
  bool ok() const { return !signaled && code == 0; }
  /// "exit code 3", "signal 11 (Segmentation fault)"
  std::string Describe() const;
};

class Child {
 public:
  Child() = default;
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Child& operator=(Child&& other) noexcept {
    if (this != &other) {
      KillAndWait();
      pid_ = std::exchange(other.pid_, -1);
    }
    return *this;
  }
  /// A child that still runs is killed.
  ~Child() { KillAndWait(); }

  /// 0 or an errno (ENOENT, EACCES, ... of the executable too).
  static int Spawn(const SpawnOptions& options, Child& out);

  pid_t pid() const { return pid_; }
  bool is_running() const { return pid_ > 0; }
  /// SIGKILL; does not wait.
  void Kill();
  /// True when the child has ended: reaped, and `status` filled. Does not block.
  bool TryWait(ExitStatus& status);
  /// Blocks until the child ends.
  ExitStatus Wait();

 private:
  void KillAndWait();
  pid_t pid_ = -1;
};

struct RunOutput {
  int error = 0;  // errno of the start, or ETIMEDOUT, or EFBIG
  ExitStatus status;
  std::string out;
  std::string err;
};

/// Runs a program to its end with no input and collects what it prints (each at most `limit` bytes).
RunOutput RunAndCollect(const std::string& executable, std::vector<std::string> arguments,
                        std::chrono::milliseconds deadline, size_t limit = size_t{1} << 20);

/// Absolute path of the running executable; empty if the system does not say.
std::string SelfExecutable();

}  // namespace kiln
