// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/help.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

class HelpCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("COMMAND", &command_, 0, 1, "the command to explain", Complete::kWord);
  }
  Exit Run(Session& session) override {
    if (command_.empty()) {
      session.Out(OverviewHelp());
      return Exit::kFine;
    }
    const CommandInfo* info = FindCommand(command_.front());
    if (info != nullptr) {
      session.Out(CommandHelp(*info));
      return Exit::kFine;
    }
    std::vector<std::string> names;
    for (const CommandInfo* command : Commands()) names.emplace_back(command->name);
    const std::string near = NearestWord(command_.front(), names);
    return UsageError(session, "help", "unknown command '" + command_.front() + "'",
                      near.empty() ? "" : "did you mean '" + near + "'?");
  }

 private:
  std::vector<std::string> command_;
};

}  // namespace

extern const CommandInfo kHelpCommand{"help", "print help, of all or of one command", "",
                                      [] { return std::unique_ptr<Command>(new HelpCommand); }};

}  // namespace kiln::cli
