// SPDX-License-Identifier: Apache-2.0
// A worker for tests: speaks the protocol and misbehaves in every way the pool must survive. Its operations are the
// faults. KILN_FAULT_START=wrong|silent|exit makes it fail before its first word.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "worker/confine.h"
#include "worker/encode.h"
#include "worker/serve.h"

namespace kiln::worker {
namespace {

std::string Option(const Action& action, std::string_view name) {
  for (const auto& [key, value] : action.options) {
    if (key == name) return value;
  }
  return "";
}

// The pipe to the pool, which the session keeps for itself: the only write-only pipe above the standard three.
int PipeToPool() {
  for (int fd = 3; fd < 64; ++fd) {
    const int flags = fcntl(fd, F_GETFL);
    struct stat stat = {};
    if (flags >= 0 && (flags & O_ACCMODE) == O_WRONLY && fstat(fd, &stat) == 0 && S_ISFIFO(stat.st_mode)) return fd;
  }
  abort();
}

void Say(std::string_view bytes) {
  if (write(PipeToPool(), bytes.data(), bytes.size()) < 0) abort();
}

ActionResult Run(const Action& action) {
  static int served = 0;
  const bool is_warm = served++ > 0;
  const std::string& fault = action.operation;
  ActionResult result;
  if (fault == "echo") {
    result.outputs = action.inputs;
    result.consulted = action.imports;
    result.outputs.push_back({"pid", std::to_string(getpid())});
  } else if (fault == "crash" || (fault == "crash-if-warm" && is_warm)) {
    fprintf(stderr, "about to touch what is not there\n");
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  } else if (fault == "abort") {
    abort();
  } else if (fault == "exit") {
    _exit(atoi(Option(action, "code").c_str()));
  } else if (fault == "hang") {
    for (;;) pause();
  } else if (fault == "sleep") {
    usleep(static_cast<useconds_t>(atoi(Option(action, "ms").c_str())) * 1000);
  } else if (fault == "garbage") {
    Say("Segmentation fault? No: a compiler that prints to the wrong place.\n");
    for (;;) pause();
  } else if (fault == "undecodable") {
    Say(MakeFrame(FrameKind::kResult, "\xff\xff\xff\xff\xff\xff\xff\xff\xff"));
    for (;;) pause();
  } else if (fault == "partial") {
    Say(MakeFrame(FrameKind::kResult, EncodeResult(result)).substr(0, 12));
    _exit(0);
  } else if (fault == "huge") {
    std::string frame = MakeFrame(FrameKind::kResult, "");
    memset(frame.data() + 5, 0xff, 4);
    Say(frame);
    for (;;) pause();
  } else if (fault == "twice") {
    Say(MakeFrame(FrameKind::kResult, EncodeResult(result)));  // and the session says it again
  } else if (fault == "print") {
    printf("to standard output\n");
    fflush(stdout);
    fprintf(stderr, "to standard error\n");
  } else if (fault == "eat") {
    // Touched, so that both the address space and the resident size grow.
    static std::vector<std::unique_ptr<char[]>> eaten;
    for (;;) {
      eaten.push_back(std::make_unique<char[]>(size_t{4} << 20));
      memset(eaten.back().get(), 1, size_t{4} << 20);
    }
  } else if (fault == "swell") {
    // Ends well, but leaves the worker large.
    const size_t bytes = static_cast<size_t>(atoll(Option(action, "bytes").c_str()));
    static std::vector<std::unique_ptr<char[]>> kept;
    kept.push_back(std::make_unique<char[]>(bytes));
    memset(kept.back().get(), 1, bytes);
    result.outputs.push_back({"pid", std::to_string(getpid())});
  } else if (fault == "recurse") {
    // 64 MiB of stack, which the main thread would not have.
    struct Deep {
      static size_t Down(size_t levels) {
        volatile char frame[1024];
        frame[0] = static_cast<char>(levels);
        return levels == 0 ? 0 : Down(levels - 1) + static_cast<size_t>(frame[0] & 1);
      }
    };
    result.outputs.push_back({"sum", std::to_string(Deep::Down(60'000))});
  } else if (fault == "open") {
    const int fd = open(Option(action, "path").c_str(), O_RDONLY);
    result.outputs.push_back({"open", fd >= 0 ? "opened" : strerrorname_np(errno)});
  } else if (fault == "throw") {
    throw std::runtime_error("a compiler threw this");
  } else if (fault == "large") {
    result.outputs.push_back({"text", std::string(static_cast<size_t>(atoll(Option(action, "bytes").c_str())), 'x')});
  }
  return result;
}

}  // namespace
}  // namespace kiln::worker

int main(int argc, char** argv) {
  using namespace kiln::worker;
  const Identity identity{"fault", "1", {{"fault", "1.0"}}, {"echo"}};
  const char* start = getenv("KILN_FAULT_START");
  const std::string how = start == nullptr || argc < 2 || argv[1] != std::string("--serve") ? "" : start;
  if (how == "exit") {
    fprintf(stderr, "cannot find libsomething.so\n");
    return 127;
  }
  if (how == "silent") {
    for (;;) pause();
  }
  if (how == "wrong") {
    return WorkerMain(argc, argv, {"fault", "2", {{"fault", "2.0"}}, {"echo"}}, Run);
  }
  return WorkerMain(argc, argv, identity, Run);
}
