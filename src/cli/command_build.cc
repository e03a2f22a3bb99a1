// SPDX-License-Identifier: Apache-2.0
#include "build/engine.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

class BuildCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    selection_.AddTo(table);
    table.Text("-o,--output", &output_, "DIR", "publish here, in place of the manifest's folder");
    table.Flag("--locked", &is_locked_, "change nothing: exit 4 where a build would change what is published");
    table.Flag("--no-cache", &no_cache_, "neither read nor write stored results");
    table.Text("--depfile", &depfile_, "FILE", "write what the build depends on, for make and Ninja");
    table.List("--depfile-target,-MT", &depfile_targets_, "NAME",
               "what --depfile says depends, as a stamp (default: the outputs; may be repeated)");
    table.Flag("--phony-deps", &phony_, "add an empty rule for each dependency (as -MP)");
    table.Number("--deadline", &deadline_, "SECONDS", "the longest one action may take");
    table.Number("--memory", &memory_, "MIB", "the most memory one worker may take");
  }
  Exit Run(Session& session) override {
    build::BuildOptions options = session.MakeBuildOptions();
    selection_.Apply(options);
    options.output_folder = output_;
    options.is_locked = is_locked_;
    options.no_cache = no_cache_;
    options.depfile = depfile_;
    options.depfile_targets = depfile_targets_;
    options.depfile_options.has_phony_rules = phony_;
    options.deadline_seconds = static_cast<unsigned>(deadline_.value_or(0));
    options.memory_mib = static_cast<unsigned>(memory_.value_or(0));
    return RunBuild(session, options);
  }

 private:
  Selection selection_;
  std::string output_;
  bool is_locked_ = false;
  bool no_cache_ = false;
  std::string depfile_;
  std::vector<std::string> depfile_targets_;
  bool phony_ = false;
  std::optional<uint64_t> deadline_;
  std::optional<uint64_t> memory_;
};

}  // namespace

extern const CommandInfo kBuildCommand{
    "build", "compile what changed and publish it",
    "A build appears whole or not at all: when a source fails, what was published before stays as it is (exit 1).\n"
    "A file whose bytes would not change is not touched. Files whose row vanished are removed and named.\n\n"
    "  kiln build                          everything\n"
    "  kiln build --target spirv-1.5       one target; the others stay as published\n"
    "  kiln build --locked                 in CI: are the checked-in outputs what the sources give?\n",
    [] { return std::unique_ptr<Command>(new BuildCommand); }};

}  // namespace kiln::cli
