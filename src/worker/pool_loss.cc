// SPDX-License-Identifier: Apache-2.0
#include "worker/pool_loss.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "base/outcome.h"

namespace kiln::worker {
namespace {

/// "120 s", "200 ms".
std::string InWords(std::chrono::milliseconds time) {
  const bool is_whole = time.count() % 1000 == 0;
  return std::to_string(is_whole ? time.count() / 1000 : time.count()) + (is_whole ? " s" : " ms");
}

std::string LastLines(const std::string& tail) {
  size_t end = tail.size();
  while (end > 0 && (tail[end - 1] == '\n' || tail[end - 1] == ' ')) --end;
  size_t begin = end;
  for (int lines = 0; begin > 0; --begin) {
    if (tail[begin - 1] == '\n' && ++lines == 3) break;
  }
  return end == 0 ? "" : Printable(std::string_view(tail).substr(begin, end - begin));
}

}  // namespace

ActionResult Failure(ExitKind exit, std::string code, std::string message) {
  ActionResult result;
  result.exit = exit;
  diag::Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  result.diagnostics.push_back(std::move(diagnostic));
  return result;
}

ActionResult FailureOf(const LostWorker& lost, const ToolchainSet& set, const std::string& operation,
                       const PoolOptions& options) {
  const std::string who = "the compiler worker '" + set.name() + "'";
  const std::string on = " on '" + operation + "'";
  ActionResult result;
  switch (lost.loss) {
    case Loss::kDied: {
      const std::string how = lost.was_running ? "closed its connection" : "died with " + lost.status.Describe();
      result = Failure(ExitKind::kCrashed, lost.said_hello ? "worker-crashed" : "worker-unavailable",
                       who + " " + how + (lost.said_hello ? on + ", twice" : " at its start, twice"));
      break;
    }
    case Loss::kGarbage:
      result = Failure(ExitKind::kCrashed, lost.said_hello ? "worker-crashed" : "worker-unavailable",
                       lost.said_hello ? who + " answered with garbage" + on + ", twice"
                                       : who + " (" + Printable(lost.executable) +
                                             ") is not the one that was found: it was replaced");
      break;
    case Loss::kSilent:
      result = Failure(ExitKind::kCrashed, "worker-unavailable", who + " did not start in time, twice");
      break;
    case Loss::kDeadline:
      result =
          Failure(ExitKind::kDeadline, "worker-deadline", who + " was killed after " + InWords(options.deadline) + on);
      break;
    case Loss::kMemory:
      result = Failure(ExitKind::kMemory, "worker-memory",
                       who + " passed the memory limit of " + std::to_string(options.memory_limit >> 20) + " MiB" + on);
      break;
  }
  if (const std::string last_words = LastLines(lost.error_tail); !last_words.empty())
    result.diagnostics[0].notes.push_back({{}, "it printed: " + last_words});
  return result;
}

}  // namespace kiln::worker
