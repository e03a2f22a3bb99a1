// SPDX-License-Identifier: Apache-2.0
#include "build/check_files.h"

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "base/clock.h"
#include "build/diagnostic_names.h"
#include "build/translate_run.h"
#include "build/translate_tools.h"

namespace kiln::build {
namespace {

class FilesCheck {
 public:
  FilesCheck(const std::vector<TranslateOptions>& rows, unsigned jobs, Progress& progress, diag::Sink& sink)
      : options_(rows),
        jobs_(jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency())),
        progress_(progress),
        sink_(sink),
        rows_(rows.size()) {}

  CheckReport Run() {
    const int64_t begin = SystemClock().MonotonicNs();
    report_.exit = MakeAll();
    report_.seconds = static_cast<double>(SystemClock().MonotonicNs() - begin) / static_cast<double>(kNsPerSecond);
    return std::move(report_);
  }

 private:
  struct Row {
    diag::Sink sink;
    std::unique_ptr<TranslateRun> run;  // null where it ended
    Exit exit = Exit::kOk;
  };

  Exit MakeAll() {
    bool needs_toolchain = false;
    size_t planned = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      Row& row = rows_[i];
      row.run = std::make_unique<TranslateRun>(options_[i], row.sink);
      if (row.run->Prepare()) {
        ++planned;
        needs_toolchain = needs_toolchain || row.run->NeedsToolchain();
      } else {
        row.exit = row.run->TakeReport().exit;
        row.run.reset();
      }
    }
    progress_.OnPlan(planned);
    if (planned == 0) return Conclude();
    const auto tools = TranslateTools::Open(options_.front(), needs_toolchain, jobs_, sink_);
    if (!tools) {
      (void)Conclude();  // what is wrong with the others is said all the same
      report_.files = report_.failed = 0;
      return Exit::kToolMissing;
    }
    report_.toolchain = (*tools)->toolchain_name();
    if (!RunAll(**tools)) return Exit::kInterrupted;
    return Conclude();
  }

  /// False where it was interrupted.
  bool RunAll(TranslateTools& tools) {
    Executor& executor = tools.executor();
    size_t next = 0;
    while (next < rows_.size() || executor.load() != 0) {
      if (progress_.IsInterrupted()) {
        executor.Cancel();
        for (Row& row : rows_) row.run.reset();  // before what they refer to
        return false;
      }
      for (; next < rows_.size() && executor.has_room(); ++next) {
        if (rows_[next].run != nullptr) StartRow(next, tools);
      }
      if (executor.load() != 0) executor.Wait(50);
    }
    for (Row& row : rows_) {
      if (row.run == nullptr) continue;
      row.exit = row.run->Finish().exit;
      row.run.reset();
    }
    return true;
  }

  void StartRow(size_t number, TranslateTools& tools) {
    const std::string& input = options_[number].input;
    MakerOptions maker;
    maker.on_start = [this, &input](size_t) { progress_.OnStart(input); };
    TranslateRun& run = *rows_[number].run;
    maker.on_done = [this, &input, &run](size_t) { progress_.OnDone(input, false, run.IsMade()); };
    run.Start(tools, std::move(maker));
  }

  Exit Conclude() {
    Exit exit = Exit::kOk;
    std::set<std::string> seen;
    std::set<std::string> files;
    std::set<std::string> failed;
    for (size_t i = 0; i < rows_.size(); ++i) {
      for (diag::Diagnostic& each : rows_[i].sink.TakeDiagnostics()) {
        if (seen.insert(MessageKey(each)).second) sink_.Append(std::move(each));
      }
      files.insert(options_[i].input);
      if (rows_[i].exit != Exit::kOk) failed.insert(options_[i].input);
      exit = std::max(exit, rows_[i].exit);
    }
    report_.files = files.size();
    report_.failed = failed.size();
    return exit;
  }

  const std::vector<TranslateOptions>& options_;
  const unsigned jobs_;
  Progress& progress_;
  diag::Sink& sink_;
  CheckReport report_;
  std::vector<Row> rows_;
};

}  // namespace

CheckReport CheckFiles(const std::vector<TranslateOptions>& rows, unsigned jobs, Progress& progress, diag::Sink& sink) {
  return FilesCheck(rows, jobs, progress, sink).Run();
}

}  // namespace kiln::build
