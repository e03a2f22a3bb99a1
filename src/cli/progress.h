// SPDX-License-Identifier: Apache-2.0
// The one line a terminal shows while a build runs, and the interrupt that stops it. In a pipe nothing is drawn.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "build/engine.h"
#include "cli/session.h"

namespace kiln::cli {

class ProgressLine final : public build::Progress {
 public:
  explicit ProgressLine(Session& session);
  ~ProgressLine() override;

  void OnPlan(size_t artifacts) override;
  void OnStart(std::string_view what) override;
  void OnDone(std::string_view what, bool was_cached, bool is_ok) override;
  void OnWait(std::string_view folder) override;
  bool IsInterrupted() override { return InterruptSignal() != 0; }

  /// Takes the line away; what is printed next starts on a clean one.
  void Clear();

 private:
  void Draw(bool is_due);

  Session& session_;
  const bool is_drawn_;
  bool is_on_screen_ = false;
  size_t total_ = 0;
  size_t done_ = 0;
  size_t failed_ = 0;
  std::vector<std::string> running_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

/// "1 artifact", "2 artifacts".
std::string Count(size_t number, std::string_view noun);
/// "812 B", "48.2 KiB".
std::string Size(uint64_t bytes);
/// "0.3 ms", "12 ms", "1.24 s".
std::string Duration(double seconds);

/// The table and the last line of `kiln build`, `check` and `replay`.
std::string Summary(const build::BuildReport& report, bool is_check, bool is_verbose);

/// Builds with a progress line; prints diagnostics and the summary.
Exit RunBuild(Session& session, const build::BuildOptions& options);

}  // namespace kiln::cli
