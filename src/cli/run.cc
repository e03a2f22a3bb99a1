// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

Exit UnknownCommand(Session& session, const std::string& name) {
  std::vector<std::string> names;
  for (const CommandInfo* command : Commands()) names.emplace_back(command->name);
  const std::string near = NearestWord(name, names);
  return UsageError(session, "", "unknown command '" + name + "'", near.empty() ? "" : "did you mean '" + near + "'?");
}

Exit Dispatch(Session& session, std::vector<std::string> arguments) {
  if (const std::string error = ExpandResponseFiles(arguments); !error.empty()) {
    return UsageError(session, "", error, "");
  }
  OptionTable leading;
  session.common.AddTo(leading);
  // `kiln --version --json` is `kiln version --json`.
  for (std::string& argument : arguments) {
    if (argument.empty() || argument[0] != '-') break;
    if (argument == "--version" || argument == "-V") argument = "version";
  }
  std::string hint;
  size_t taken = 0;
  if (const std::string error = leading.ParseLeading(arguments, &taken, &hint); !error.empty()) {
    return UsageError(session, "", error, hint);
  }
  arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(taken));
  if (session.common.wants_help) {
    arguments.insert(arguments.begin(), "help");
    session.common.wants_help = false;
  } else if (arguments.empty()) {
    return UsageError(session, "", "a command is needed", "'kiln help' lists them");
  }
  const CommandInfo* info = FindCommand(arguments.front());
  if (info == nullptr) return UnknownCommand(session, arguments.front());
  arguments.erase(arguments.begin());

  const std::unique_ptr<Command> command = info->make();
  OptionTable table;
  command->AddOptions(table);
  session.common.AddTo(table);
  command->Rewrite(arguments);
  const std::string error = table.Parse(arguments, &hint);
  if (session.common.wants_help) {
    session.Out(CommandHelp(*info));
    return Exit::kFine;
  }
  if (!error.empty()) return UsageError(session, info->name, error, hint);
  if (session.common.jobs == 0) return UsageError(session, info->name, "-j needs a number above 0", "");
  if (!session.common.folder.empty() && chdir(session.common.folder.c_str()) != 0) {
    return UsageError(session, "", "cannot enter '" + session.common.folder + "': " + strerrordesc_np(errno), "");
  }
  return command->Run(session);
}

}  // namespace

int RunTool(std::vector<std::string> arguments) {
  InstallSignalHandlers(false);
  Session session;
  const Exit exit = Dispatch(session, std::move(arguments));
  return static_cast<int>(session.Finish(exit));
}

}  // namespace kiln::cli
