// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/completions.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

class CompletionsCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("bash|zsh|fish|powershell", &shell_, 1, 1, "the shell", Complete::kWord);
  }
  Exit Run(Session& session) override {
    const std::string script = CompletionScript(shell_.front());
    if (!script.empty()) {
      session.Out(script);
      return Exit::kFine;
    }
    const std::string near = NearestWord(shell_.front(), {"bash", "zsh", "fish", "powershell"});
    return UsageError(session, "completions", "'" + shell_.front() + "' is none of bash, zsh, fish, powershell",
                      near.empty() ? "" : "did you mean '" + near + "'?");
  }

 private:
  std::vector<std::string> shell_;
};

}  // namespace

extern const CommandInfo kCompletionsCommand{"completions", "print a completion script for a shell",
                                             "  source <(kiln completions bash)\n",
                                             [] { return std::unique_ptr<Command>(new CompletionsCommand); }};

}  // namespace kiln::cli
