// SPDX-License-Identifier: Apache-2.0
#include "worker/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <exception>
#include <string_view>

#include "worker/confine.h"
#include "worker/encode.h"

#ifdef __linux__
#include <ucontext.h>
#endif

namespace kiln::worker {
namespace {

// Foreign parsers recurse with the nesting of their input. The pages are only used when touched.
constexpr size_t kStack = size_t{256} << 20;

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

ActionResult Refusal(ExitKind exit, const char* code, std::string message) {
  ActionResult result;
  result.exit = exit;
  diag::Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  result.diagnostics.push_back(std::move(diagnostic));
  return result;
}

struct Session {
  const Identity& identity;
  const Handler& handler;
  int in;
  int out;

  ActionResult Handle(const std::string& payload) const {
    Action action;
    if (!DecodeAction(payload, action)) return Refusal(ExitKind::kUnsupported, "bad-request", "unreadable action");
    try {
      return handler(action);
    } catch (const std::bad_alloc&) {
      _exit(kExitMemory);
    } catch (const std::exception& error) {
      return Refusal(ExitKind::kUnsupported, "toolchain-refused", error.what());
    }
  }

  bool Answer(const std::string& request) const {
    std::string payload = EncodeResult(Handle(request));
    if (payload.size() > kMaxFrame) {
      payload = EncodeResult(Refusal(ExitKind::kUnsupported, "output-too-large",
                                     "the result is larger than " + std::to_string(kMaxFrame) + " bytes"));
    }
    return WriteAll(out, MakeFrame(FrameKind::kResult, payload));
  }

  void Run() const {
    if (!WriteAll(out, MakeFrame(FrameKind::kHello, EncodeHello({kProtocolVersion, identity.Digest()})))) return;
    FrameReader reader;
    std::string buffer(64 * 1024, '\0');
    for (;;) {
      const ssize_t got = read(in, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return;
      reader.Append(buffer.data(), static_cast<size_t>(got));
      FrameKind kind;
      std::string payload;
      FrameReader::State state;
      while ((state = reader.Next(kind, payload)) == FrameReader::State::kFrame) {
        if (kind != FrameKind::kRequest || !Answer(payload)) return;
      }
      if (state == FrameReader::State::kBroken) return;
    }
  }
};

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)

// Another stack and no other thread: a process of one thread counts references and allocates without atomics.
ucontext_t own_context, large_context;
const Session* running = nullptr;

bool RunOnLargeStack(const Session& session) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  void* const stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, flags, -1, 0);
  // Whoever runs out of it meets a page that is not there, and dies of it.
  if (stack == MAP_FAILED || mprotect(stack, page, PROT_NONE) != 0 || getcontext(&large_context) != 0) return false;
  large_context.uc_stack.ss_sp = stack;
  large_context.uc_stack.ss_size = kStack;
  large_context.uc_link = &own_context;
  running = &session;
  makecontext(
      &large_context, [] { running->Run(); }, 0);
  const bool has_run = swapcontext(&own_context, &large_context) == 0;
  running = nullptr;
  return has_run;
}

#else

bool RunOnLargeStack(const Session& session) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_t thread;
  const auto run = [](void* data) -> void* {
    static_cast<const Session*>(data)->Run();
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, run, const_cast<Session*>(&session)) != 0) return false;
  return pthread_join(thread, nullptr) == 0;
}

#endif

int Serve(const Identity& identity, const Handler& handler, uint64_t memory_limit) {
  DieWithParent();
  // The terminal's interrupt goes to the tool, which ends its workers itself.
  for (const int ignored : {SIGINT, SIGQUIT, SIGHUP, SIGPIPE}) signal(ignored, SIG_IGN);
  const int in = fcntl(0, F_DUPFD_CLOEXEC, 3);
  const int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (in < 0 || out < 0 || null < 0) return 1;
  dup2(null, 0);
  dup2(2, 1);
  LimitMemory(memory_limit == 0 ? 0 : memory_limit + kStack);
  Confine();

  Session session{identity, handler, in, out};
  if (!RunOnLargeStack(session)) return 1;
  // Nothing is left to do, and tearing down compilers takes longer than all else.
  _exit(0);
}

}  // namespace

int WorkerMain(int argc, char** argv, const Identity& identity, const Handler& handler) {
  bool is_serving = false;
  uint64_t memory_limit = 0;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    constexpr std::string_view kLimit = "--memory-limit=";
    if (argument == "--identity") {
      const std::string text = identity.ToText();
      return WriteAll(1, text) ? 0 : 1;
    }
    if (argument == "--serve") {
      is_serving = true;
    } else if (argument.starts_with(kLimit)) {
      argument.remove_prefix(kLimit.size());
      std::from_chars(argument.data(), argument.data() + argument.size(), memory_limit);
    }
  }
  if (is_serving) return Serve(identity, handler, memory_limit);
  fprintf(stderr,
          "This is a worker of Kiln (set '%s': %s). The kiln tool starts it; it does nothing alone.\n"
          "  --identity   print what it holds\n",
          identity.set.c_str(), identity.Describe().c_str());
  return 2;
}

}  // namespace kiln::worker
