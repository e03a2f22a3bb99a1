// SPDX-License-Identifier: Apache-2.0
#include "build/engine.h"
#include "cli/command.h"
#include "cli/selection.h"
#include "cli/session.h"
#include "diag/render.h"

namespace kiln::cli {

namespace {

class CaptureCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Text("-o,--output", &output_, "FILE", "the snapshot to write");
    selection_.AddTo(table);
  }
  Exit Run(Session& session) override {
    if (output_.empty()) return UsageError(session, "capture", "-o FILE is needed", "");
    if (output_ == "-") {
      return UsageError(session, "capture", "a snapshot is not written to standard output",
                        "name a file, as -o s.json");
    }
    build::BuildOptions options = session.MakeBuildOptions();
    selection_.Apply(options);
    const Exit exit = ExitOf(build::Capture(options, output_, session.sink));
    session.PrintDiagnostics();
    if (exit == Exit::kFine) session.Say("captured to " + diag::Visible(output_) + "\n");
    return exit;
  }

 private:
  std::string output_;
  Selection selection_;
};

}  // namespace

extern const CommandInfo kCaptureCommand{
    "capture", "write the sources, their includes and the manifest to one file",
    "The snapshot holds everything 'kiln replay' needs, and no path of this machine.\n\n  kiln capture -o s.json\n",
    [] { return std::unique_ptr<Command>(new CaptureCommand); }};

}  // namespace kiln::cli
