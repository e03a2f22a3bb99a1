// SPDX-License-Identifier: Apache-2.0
// One run of the tool: the options all commands share, where diagnostics and text go, and the interrupt flag.
// Text for people goes to standard output, diagnostics to standard error; with --diagnostics=json or sarif the
// diagnostics are the output, and text for people moves to standard error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/options.h"
#include "diag/render.h"
#include "diag/sink.h"

namespace kiln::build {
struct BuildOptions;
enum class Exit : uint8_t;
}  // namespace kiln::build

namespace kiln::cli {

struct CommonOptions {
  std::string folder;
  std::string config;
  std::string cache_folder;
  std::string toolchain;
  diag::Format format = diag::Format::kGcc;
  diag::ColorMode color = diag::ColorMode::kAuto;
  std::optional<uint64_t> jobs;
  bool is_quiet = false;
  bool is_verbose = false;
  bool wants_help = false;

  void AddTo(OptionTable& table);
};

class Session {
 public:
  CommonOptions common;
  diag::Sink sink;

  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The command's product: always standard output, whole or the run fails.
  void Out(std::string_view text);
  /// Text for people about what was done; nothing with --quiet.
  void Say(std::string_view text);
  /// As Say, with --verbose only.
  void SayMore(std::string_view text) {
    if (common.is_verbose) Say(text);
  }

  /// Standard output holds the command's product (a shader, JSON): diagnostics of any form go to standard error.
  void TakeOutput() { is_output_taken_ = true; }
  /// The progress line may be drawn: standard error is a terminal that can, and nobody asked for silence.
  bool CanDrawProgress() const;

  /// Prints what the sink has collected since the last call; SARIF waits for Finish.
  void PrintDiagnostics();
  /// Prints what is left, writes the buffered output and says with what the process ends: `exit`, unless it claims
  /// success where an error was reported or output was lost.
  Exit Finish(Exit exit);

  /// What build, check, verify, explain, capture and replay share.
  build::BuildOptions MakeBuildOptions() const;

 private:
  void Flush();
  bool DiagnosticsToOutput() const {
    return !is_output_taken_ && (common.format == diag::Format::kJson || common.format == diag::Format::kSarif);
  }
  diag::RenderOptions RenderOptionsFor(int fd) const;

  std::string out_;
  int out_error_ = 0;  // errno of the first write that failed
  bool is_output_taken_ = false;
  size_t printed_ = 0;
};

Exit ExitOf(build::Exit exit);

/// Prints an error of usage and says where help is.
Exit UsageError(Session& session, std::string_view command, std::string_view message, std::string_view hint);

/// Sets the handlers. The first SIGINT or SIGTERM only raises the flag if `is_graceful`; without it, and at the second,
/// the process ends at once after its jobserver tokens are given back. SIGPIPE is ignored: a closed pipe is an error of
/// the write.
void InstallSignalHandlers(bool is_graceful);
/// The signal that asked to stop; 0 for none.
int InterruptSignal();

/// Writes all of `text`; 0 or errno.
int WriteAll(int fd, std::string_view text);

}  // namespace kiln::cli
