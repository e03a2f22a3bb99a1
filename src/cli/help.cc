// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <algorithm>
#include <vector>

#include "cli/session.h"

namespace kiln::cli {

namespace {

struct Row {
  std::string left;
  std::string right;
};

// Two columns; a left side that is too wide puts its text on the next line.
std::string Columns(const std::vector<Row>& rows) {
  constexpr size_t kWidest = 30;
  size_t width = 0;
  for (const Row& row : rows) {
    if (row.left.size() <= kWidest) width = std::max(width, row.left.size());
  }
  std::string out;
  for (const Row& row : rows) {
    out += "  " + row.left;
    out += row.left.size() > width ? "\n" + std::string(width + 4, ' ') : std::string(width + 2 - row.left.size(), ' ');
    out += row.right + "\n";
  }
  return out;
}

std::string OptionRows(const OptionTable& table) {
  std::vector<Row> rows;
  for (const Option& option : table.options()) {
    if (option.is_hidden) continue;
    Row row;
    for (const std::string& name : option.names) row.left += (row.left.empty() ? "" : ", ") + name;
    if (!option.is_flag()) {
      const bool is_long = option.names.back().starts_with("--");
      row.left += (is_long ? "=" : option.is_joined ? "" : " ") + option.value;
    }
    row.right = option.help;
    rows.push_back(std::move(row));
  }
  return Columns(rows);
}

}  // namespace

const CommandInfo* FindCommand(std::string_view name) {
  for (const CommandInfo* command : Commands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

std::string OverviewHelp() {
  std::string out =
      "kiln builds shaders: one manifest, every target, nothing stale.\n\nUsage: kiln [options] COMMAND "
      "...\n\nCommands:\n";
  std::vector<Row> rows;
  for (const CommandInfo* command : Commands()) {
    rows.push_back({std::string(command->name), std::string(command->summary)});
  }
  out += Columns(rows) + "\nOptions of every command:\n";
  CommonOptions common;
  OptionTable table;
  common.AddTo(table);
  out += OptionRows(table);
  out +=
      "\nExit codes: 0 fine, 1 the sources have errors, 2 usage or configuration, 3 a needed tool is missing or the\n"
      "system refused, 4 a difference was found, 5 internal error, 129/130/143 interrupted.\n"
      "'@FILE' among the arguments stands for the arguments in FILE.\n";
  return out;
}

std::string CommandHelp(const CommandInfo& info) {
  const std::unique_ptr<Command> command = info.make();
  OptionTable own;
  command->AddOptions(own);
  CommonOptions common;
  OptionTable shared;
  common.AddTo(shared);

  std::string out = std::string(info.summary) + "\n\nUsage: kiln " + std::string(info.name) + " [options]";
  if (own.positional()) {
    const Positional& positional = *own.positional();
    std::string name = positional.name;
    if (positional.most > 1 && positional.most == SIZE_MAX) name += "...";
    out += positional.least == 0 ? " [" + name + "]" : " " + name;
  }
  out += "\n";
  if (own.positional()) out += "\n" + Columns({{own.positional()->name, own.positional()->help}});
  if (!own.options().empty()) out += "\nOptions:\n" + OptionRows(own);
  out += "\nOptions of every command:\n" + OptionRows(shared);
  if (!info.details.empty()) out += "\n" + std::string(info.details);
  return out;
}

}  // namespace kiln::cli
