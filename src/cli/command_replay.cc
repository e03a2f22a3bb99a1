// SPDX-License-Identifier: Apache-2.0
#include "build/engine.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

class ReplayCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("SNAPSHOT", &snapshot_, 1, 1, "a file that 'kiln capture' wrote");
    selection_.AddTo(table);
    table.Text("-o,--output", &output_, "DIR", "publish here, in place of the captured manifest's folder");
    table.Flag("--no-cache", &no_cache_, "neither read nor write stored results");
  }
  Exit Run(Session& session) override {
    build::BuildOptions options = session.MakeBuildOptions();
    selection_.Apply(options);
    options.snapshot = snapshot_.front();
    options.output_folder = output_;
    options.no_cache = no_cache_;
    return RunBuild(session, options);
  }

 private:
  std::vector<std::string> snapshot_;
  Selection selection_;
  std::string output_;
  bool no_cache_ = false;
};

}  // namespace

extern const CommandInfo kReplayCommand{
    "replay", "build from a snapshot, without the sources",
    "The bytes are those that the captured sources give, on any machine with the same toolchain set.\n\n"
    "  kiln replay s.json -o out\n",
    [] { return std::unique_ptr<Command>(new ReplayCommand); }};

}  // namespace kiln::cli
