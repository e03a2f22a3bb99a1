// SPDX-License-Identifier: Apache-2.0
#include "build/engine.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

class CheckCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override { selection_.AddTo(table); }
  Exit Run(Session& session) override {
    build::BuildOptions options = session.MakeBuildOptions();
    selection_.Apply(options);
    options.is_check = true;
    return RunBuild(session, options);
  }

 private:
  Selection selection_;
};

}  // namespace

extern const CommandInfo kCheckCommand{"check", "compile and validate everything; publish nothing",
                                       "  kiln check --diagnostics=sarif > shaders.sarif     for a review tool\n",
                                       [] { return std::unique_ptr<Command>(new CheckCommand); }};

}  // namespace kiln::cli
