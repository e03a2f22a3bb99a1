// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "diag/render.h"

namespace kiln::cli {

namespace {

constexpr std::chrono::milliseconds kInterval{80};

std::string Right(std::string_view text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + std::string(text);
}

size_t TerminalWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string Format(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  // The decimal point is ours whatever the locale (kiln never calls setlocale, but a library might).
  std::replace(text, text + sizeof text, ',', '.');
  return text;
}

std::string Table(const build::BuildReport& report) {
  size_t width = 6;
  for (const build::TargetSummary& target : report.targets) width = std::max(width, target.target.size());
  std::string out =
      "target" + std::string(width - 6, ' ') + "  artifacts  compiled  cached  written  failed        size\n";
  for (const build::TargetSummary& target : report.targets) {
    const std::string name = diag::Visible(target.target);
    out += name + std::string(width > name.size() ? width - name.size() : 0, ' ');
    out += "  " + Right(std::to_string(target.artifacts), 9) + "  " + Right(std::to_string(target.compiled), 8) + "  " +
           Right(std::to_string(target.cached), 6) + "  " + Right(std::to_string(target.written), 7) + "  " +
           Right(std::to_string(target.failed), 6) + "  " + Right(Size(target.bytes), 10) + "\n";
  }
  return out;
}

}  // namespace

std::string Count(size_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string Size(uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1024;
  for (const char* unit : {"KiB", "MiB", "GiB"}) {
    if (value < 1024 || unit[0] == 'G') return Format("%.1f ", value) + unit;
    value /= 1024;
  }
  return {};
}

std::string Duration(double seconds) {
  if (seconds < 0.01) return Format("%.1f ms", seconds * 1000);
  if (seconds < 1) return Format("%.0f ms", seconds * 1000);
  return Format("%.2f s", seconds);
}

std::string Summary(const build::BuildReport& report, bool is_check, bool is_verbose) {
  const std::string folder = diag::Visible(report.output_folder);
  // All of it may be known from stat data, or may have been looked up; either way nothing ran and nothing changed.
  const bool is_idle =
      report.exit == build::Exit::kOk && report.actions_run == 0 && report.written.empty() && report.removed.empty();
  if (report.is_up_to_date || (is_idle && !is_check)) {
    return "nothing to do: " + Count(report.artifacts, "artifact") + " in " + folder + " " +
           (report.artifacts == 1 ? "is" : "are") + " fresh (" + Duration(report.seconds) + ")\n";
  }
  std::string out;
  if (!report.targets.empty()) out += Table(report);
  if (is_verbose) {
    for (const std::string& path : report.written) out += "wrote " + diag::Visible(path) + "\n";
  }
  for (const std::string& path : report.removed) out += "removed " + diag::Visible(path) + "\n";
  size_t failed = 0;
  for (const build::TargetSummary& target : report.targets) failed += target.failed;
  if (report.exit == build::Exit::kOk) {
    out += Count(report.artifacts, "artifact");
    out += is_check ? " checked" : " in " + folder;
    if (!is_check) out += ", " + std::to_string(report.written.size()) + " written";
  } else if (report.exit == build::Exit::kDifference) {
    out += "not fresh: " + Count(report.written.size() + report.removed.size(), "file") + " in " + folder +
           " would change";
  } else if (report.exit == build::Exit::kInterrupted) {
    out += "interrupted; what was published before is untouched";
  } else {
    out += "failed: " + std::to_string(failed) + " of " + Count(report.artifacts, "artifact");
    if (report.is_published) {
      out += "; the outputs themselves were published";
    } else if (!is_check) {
      out += "; what was published before is untouched";
    }
  }
  out += " (" + Duration(report.seconds);
  if (is_verbose) {
    out += ", " + Count(report.actions_run, "action") + " run, " + std::to_string(report.actions_cached) +
           " from the cache, " + Count(report.workers_started, "worker") + " started";
  }
  // "current (glslang 16.6.0, ...)": the name, and the rest for whoever wants more.
  const std::string toolchain = is_verbose ? report.toolchain : report.toolchain.substr(0, report.toolchain.find(" ("));
  if (!toolchain.empty()) out += ", toolchain " + diag::Visible(toolchain);
  return out + ")\n";
}

ProgressLine::ProgressLine(Session& session)
    : session_(session), is_drawn_(session.CanDrawProgress()), start_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::OnPlan(size_t artifacts) {
  total_ = artifacts;
  start_ = std::chrono::steady_clock::now();
}

void ProgressLine::OnStart(std::string_view what) {
  if (!is_drawn_) return;
  running_.emplace_back(what);
  Draw(true);
}

void ProgressLine::OnDone(std::string_view what, bool was_cached, bool is_ok) {
  (void)was_cached;
  ++done_;
  if (!is_ok) ++failed_;
  if (!is_drawn_) return;
  const auto at = std::find(running_.begin(), running_.end(), what);
  if (at != running_.end()) running_.erase(at);
  Draw(true);
}

void ProgressLine::OnWait(std::string_view folder) {
  if (session_.common.is_quiet) return;
  Clear();
  WriteAll(STDERR_FILENO, "kiln: waiting for another build of " + diag::Visible(folder) + "\n");
}

void ProgressLine::Draw(bool is_due) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_due || (is_on_screen_ && now - last_ < kInterval)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line = "[" + std::to_string(done_) + "/" + std::to_string(total_) + "]";
  if (seconds > 0.5 && done_ > 0) line += Format(" %.0f/s", static_cast<double>(done_) / seconds);
  if (failed_ > 0) line += " " + std::to_string(failed_) + " failed";
  if (!running_.empty()) line += " " + diag::Visible(running_.front());
  if (running_.size() > 1) line += " +" + std::to_string(running_.size() - 1);
  // Cut at bytes, but not inside a character.
  size_t width = TerminalWidth() - 1;
  if (line.size() > width) {
    while (width > 0 && (static_cast<unsigned char>(line[width]) & 0xC0) == 0x80) --width;
    line.resize(width);
  }
  WriteAll(STDERR_FILENO, "\r" + line + "\033[K");
  is_on_screen_ = true;
}

void ProgressLine::Clear() {
  if (!is_on_screen_) return;
  WriteAll(STDERR_FILENO, "\r\033[K");
  is_on_screen_ = false;
}

Exit RunBuild(Session& session, const build::BuildOptions& options) {
  InstallSignalHandlers(true);
  ProgressLine progress(session);
  const build::BuildReport report = build::Build(options, progress, session.sink);
  progress.Clear();
  session.PrintDiagnostics();
  const bool is_begun =
      report.is_up_to_date || report.exit == build::Exit::kOk || !report.targets.empty() || !report.removed.empty();
  if (is_begun || report.exit == build::Exit::kInterrupted) {
    session.Say(Summary(report, options.is_check, session.common.is_verbose));
  }
  return ExitOf(report.exit);
}

}  // namespace kiln::cli
