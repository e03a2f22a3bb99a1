// SPDX-License-Identifier: Apache-2.0
#include "worker/jobserver.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <string>

#include "worker/pool.h"

namespace kiln::worker {
namespace {

// What is held stands in static storage, so that a signal handler can give it back.
constexpr int kMaxTokens = 4096;
char g_tokens[kMaxTokens];
std::atomic<int> g_held{0};
std::atomic<int> g_write_fd{-1};

void WriteToken(int fd, char token) {
  while (write(fd, &token, 1) < 0 && errno == EINTR) {
  }
}

bool ParseFd(std::string_view& text, int& fd) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), fd);
  if (end.ec != std::errc() || fd < 0) return false;
  text.remove_prefix(static_cast<size_t>(end.ptr - text.data()));
  return true;
}

// An open file of its own for a descriptor that other processes share: O_NONBLOCK would change it for all of them.
Fd Reopen(int fd, int flags) {
  if (fcntl(fd, F_GETFD) < 0) return Fd();
  fcntl(fd, F_SETFD, FD_CLOEXEC);  // workers have no business with it
  return Fd(open(("/proc/self/fd/" + std::to_string(fd)).c_str(), flags | O_CLOEXEC));
}

}  // namespace

std::unique_ptr<Jobserver> Jobserver::Connect(std::string_view makeflags) {
  // The last one counts: make adds to what it inherited.
  std::string_view auth;
  for (const std::string_view flag : {"--jobserver-auth=", "--jobserver-fds="}) {
    if (const size_t at = makeflags.rfind(flag); at != std::string_view::npos && auth.empty()) {
      auth = makeflags.substr(at + flag.size());
      auth = auth.substr(0, auth.find(' '));
    }
  }
  if (auth.empty()) return nullptr;
  Fd read, write;
  if (auth.starts_with("fifo:")) {
    const std::string path(auth.substr(5));
    read = Fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    write = Fd(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  } else {
    int read_fd = -1, write_fd = -1;
    if (!ParseFd(auth, read_fd) || !auth.starts_with(",")) return nullptr;
    auth.remove_prefix(1);
    if (!ParseFd(auth, write_fd) || !auth.empty()) return nullptr;
    read = Reopen(read_fd, O_RDONLY | O_NONBLOCK);
    write = Reopen(write_fd, O_WRONLY);
  }
  if (!read.is_open() || !write.is_open()) return nullptr;
  return std::unique_ptr<Jobserver>(new Jobserver(std::move(read), std::move(write)));
}

Jobserver::Jobserver(Fd read, Fd write) : read_(std::move(read)), write_(std::move(write)) {
  g_write_fd.store(write_.get());
}

Jobserver::~Jobserver() {
  while (held() > 0) GiveBack();
  g_write_fd.store(-1);
}

bool Jobserver::TryTake() {
  if (is_broken_ || held() == kMaxTokens) return false;
  char token;
  ssize_t got;
  do got = read(read_.get(), &token, 1);
  while (got < 0 && errno == EINTR);
  if (got == 1) {
    const int at = g_held.load();
    g_tokens[at] = token;
    g_held.store(at + 1);
    return true;
  }
  if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) is_broken_ = true;
  return false;
}

void Jobserver::GiveBack() {
  const int at = g_held.load() - 1;
  if (at < 0) return;
  g_held.store(at);
  WriteToken(write_.get(), g_tokens[at]);
}

int Jobserver::held() const { return g_held.load(); }

void ReturnJobserverTokensInSignalHandler() {
  const int fd = g_write_fd.load();
  if (fd < 0) return;
  for (int at = g_held.exchange(0); at > 0; --at) WriteToken(fd, g_tokens[at - 1]);
}

}  // namespace kiln::worker
