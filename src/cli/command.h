// SPDX-License-Identifier: Apache-2.0
// A command of the tool. Each stands in its own file `command_<name>.cc` that defines
// `extern const CommandInfo k<Name>Command`; CMake lists the files, so that a new command is one new file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace kiln::cli {

class Session;

/// What the process answers; the same for all commands, documented in docs/commands.md.
enum class Exit : int {
  kFine = 0,
  kSourceErrors = 1,
  kUsage = 2,        // wrong arguments or configuration
  kEnvironment = 3,  // a needed tool is missing, or the system refused (no space, no permission, closed pipe)
  kDifference = 4,   // verify or gate found one
  kInternal = 5,
  kHungUp = 129,
  kInterrupted = 130,
  kTerminated = 143,
};

/// One run of a command: it offers its options, they are parsed, it runs.
class Command {
 public:
  virtual ~Command() = default;
  virtual void AddOptions(OptionTable& table) = 0;
  /// Turns what the table cannot express into what it can, before parsing.
  virtual void Rewrite(std::vector<std::string>& arguments) { (void)arguments; }
  /// What it returns is the exit code, unless the output could not be written. Errors go to the session's sink.
  virtual Exit Run(Session& session) = 0;
};

struct CommandInfo {
  std::string_view name;
  /// One line for the list of commands.
  std::string_view summary;
  /// What `--help` says below the options: an example or two, and what is not obvious. Ends in a line break.
  std::string_view details;
  std::unique_ptr<Command> (*make)();
};

/// All commands by name; written by CMake.
std::span<const CommandInfo* const> Commands();

/// Null for another name.
const CommandInfo* FindCommand(std::string_view name);

}  // namespace kiln::cli
