// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "build/engine.h"
#include "worker/pool.h"

namespace kiln::cli {

namespace {

volatile std::sig_atomic_t g_signal = 0;
volatile std::sig_atomic_t g_is_graceful = 0;

void OnSignal(int signal) {
  if (g_signal != 0 || !g_is_graceful) {
    worker::ReturnJobserverTokensInSignalHandler();
    _exit(128 + signal);
  }
  g_signal = signal;
}

}  // namespace

int WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return errno;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

void CommonOptions::AddTo(OptionTable& table) {
  table.Text("-C,--directory", &folder, "DIR", "work as if started in DIR");
  table
      .Text("--config", &config, "FILE", "the manifest, or the folder that holds it (default: kiln.json here or above)")
      .complete = Complete::kFile;
  table.Text("--cache-dir", &cache_folder, "DIR", "the cache, in place of $KILN_CACHE_DIR or the user's");
  table.Text("--toolchain", &toolchain, "NAME", "the toolchain set, in place of the manifest's or the newest found");
  table.Call("--diagnostics", "gcc|msvc|json|sarif", "the form of diagnostics (default: gcc)",
             [this](std::string_view word) {
               format = *diag::ParseFormat(word);
               return std::string();
             });
  table.Call("--color", "auto|always|never", "colour in diagnostics (default: auto)", [this](std::string_view word) {
    color = *diag::ParseColorMode(word);
    return std::string();
  });
  table.Number("-j,--jobs", &jobs, "N", "actions at once (default: as many as there are processors)");
  table.Flag("-q,--quiet", &is_quiet, "say nothing but diagnostics");
  table.Flag("-v,--verbose", &is_verbose, "say more");
  table.Flag("-h,--help", &wants_help, "print help");
}

void Session::Out(std::string_view text) {
  out_ += text;
  if (out_.size() >= 64 * 1024) Flush();
}

void Session::Say(std::string_view text) {
  if (common.is_quiet) return;
  if (is_output_taken_ || DiagnosticsToOutput()) {
    WriteAll(STDERR_FILENO, text);
  } else {
    Out(text);
  }
}

void Session::Flush() {
  const int error = WriteAll(STDOUT_FILENO, out_);
  if (out_error_ == 0) out_error_ = error;
  out_.clear();
}

bool Session::CanDrawProgress() const {
  if (common.is_quiet || DiagnosticsToOutput() || isatty(STDERR_FILENO) == 0) return false;
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) != "dumb";
}

diag::RenderOptions Session::RenderOptionsFor(int fd) const {
  const bool is_terminal = isatty(fd) != 0;
  diag::RenderOptions options;
  options.color = diag::WantsColor(common.color,
                                   {.no_color = std::getenv("NO_COLOR"),
                                    .clicolor_force = std::getenv("CLICOLOR_FORCE"),
                                    .clicolor = std::getenv("CLICOLOR"),
                                    .term = std::getenv("TERM")},
                                   is_terminal);
  winsize size{};
  if (is_terminal && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 50) options.width = size.ws_col - 9u;
  return options;
}

void Session::PrintDiagnostics() {
  if (common.format == diag::Format::kSarif) return;
  const std::vector<diag::Diagnostic>& all = sink.diagnostics();
  if (printed_ >= all.size()) return;
  const bool is_out = DiagnosticsToOutput();
  const diag::RenderOptions options = RenderOptionsFor(STDERR_FILENO);
  std::string text;
  for (; printed_ < all.size(); ++printed_) text += diag::Render(all[printed_], common.format, options);
  if (is_out) {
    Out(text);
  } else {
    Flush();  // what was said before stands before
    WriteAll(STDERR_FILENO, text);
  }
}

Exit Session::Finish(Exit exit) {
  if (exit == Exit::kFine && sink.has_errors()) exit = Exit::kSourceErrors;
  PrintDiagnostics();
  if (common.format == diag::Format::kSarif) {
    const std::string text = diag::RenderSarif(sink.diagnostics(), KILN_VERSION);
    if (DiagnosticsToOutput()) {
      Out(text);
    } else {
      WriteAll(STDERR_FILENO, text);
    }
  }
  Flush();
  if (out_error_ == 0) return exit;
  // Whoever closed the pipe has seen enough and wants no message.
  if (out_error_ != EPIPE) {
    diag::Sink last;
    last.Error("output-lost") << "cannot write to standard output: " << strerrordesc_np(out_error_);
    const diag::Format format = common.format == diag::Format::kSarif ? diag::Format::kJson : common.format;
    WriteAll(STDERR_FILENO, diag::Render(last.diagnostics().front(), format, RenderOptionsFor(STDERR_FILENO)));
  }
  return exit == Exit::kFine ? Exit::kEnvironment : exit;
}

build::BuildOptions Session::MakeBuildOptions() const {
  build::BuildOptions options;
  options.config = common.config;
  options.cache_folder = common.cache_folder;
  options.toolchain = common.toolchain;
  options.jobs = static_cast<unsigned>(std::min<uint64_t>(common.jobs.value_or(0), 4096));
  return options;
}

Exit ExitOf(build::Exit exit) {
  // 128 + signal, as a shell reports a program that the signal ended.
  if (exit == build::Exit::kInterrupted && InterruptSignal() != 0) return static_cast<Exit>(128 + InterruptSignal());
  return static_cast<Exit>(exit);
}

Exit UsageError(Session& session, std::string_view command, std::string_view message, std::string_view hint) {
  {
    auto error = session.sink.Error("usage");
    error << message;
    if (!hint.empty()) error.Hint(std::string(hint));
  }
  session.PrintDiagnostics();
  if (session.common.format == diag::Format::kGcc || session.common.format == diag::Format::kMsvc) {
    std::string more = "kiln";
    if (!command.empty()) more += " " + std::string(command);
    WriteAll(STDERR_FILENO, "Try '" + more + " --help'.\n");
  }
  return Exit::kUsage;
}

void InstallSignalHandlers(bool is_graceful) {
  g_is_graceful = is_graceful ? 1 : 0;
  struct sigaction action {};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup, background jobs
  }
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  // A reader that went away and a file at its size limit are errors of a write, with a message.
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaction(signal, &ignore, nullptr);
}

int InterruptSignal() { return g_signal; }

}  // namespace kiln::cli
