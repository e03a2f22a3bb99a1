// SPDX-License-Identifier: Apache-2.0
// What the POSIX files of base share: errors out of errno, calls that a signal interrupted, descriptors that close
// themselves. Nothing outside base includes this file.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/outcome.h"

namespace kiln::posix {

inline OsError Error(const char* operation, const std::string& path, int code = errno) {
  return {operation, path, code, {}};
}

template <typename Call>
auto Retry(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result == -1 && errno == EINTR);
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace kiln::posix
