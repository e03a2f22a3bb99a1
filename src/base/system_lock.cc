// SPDX-License-Identifier: Apache-2.0
#include "base/system_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/clock.h"
#include "base/posix.h"

namespace kiln::posix {

namespace {

class SystemLock final : public LockGuard {
 public:
  explicit SystemLock(int fd) : fd_(fd) {}
  ~SystemLock() override { ::close(fd_); }

 private:
  int fd_;
};

}  // namespace

Outcome<FileLock> LockFile(const std::string& path, LockMode mode, const LockWait& wait) {
  const int operation = (mode == LockMode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  const int64_t deadline = SystemClock().MonotonicNs() + wait.timeout_ns;
  int64_t pause = kNsPerMs;
  bool has_told = false;
  while (true) {
    int fd = Retry([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
    if (fd < 0 && (errno == EROFS || errno == EACCES)) {  // an existing file can be locked without the right to write
      const int code = errno;
      fd = Retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
      if (fd < 0) return Error("lock", path, code);
    }
    Descriptor file(fd);
    if (file.get() < 0) return Error("lock", path);
    if (Retry([&] { return ::flock(file.get(), operation); }) == 0) {
      // Whoever held it may have removed the file: then the lock is on a file nobody else will open.
      struct stat held, named;
      if (::fstat(file.get(), &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
          held.st_dev == named.st_dev) {
        return FileLock(std::make_unique<SystemLock>(file.Release()));
      }
      continue;
    }
    if (errno != EWOULDBLOCK) return Error("lock", path);
    if (SystemClock().MonotonicNs() >= deadline) return OsError{"lock", path, EWOULDBLOCK, "another process holds it"};
    if (!has_told && wait.on_wait) wait.on_wait();
    has_told = true;
    SystemClock().SleepNs(pause);
    pause = std::min(pause * 2, 50 * kNsPerMs);
  }
}

}  // namespace kiln::posix
