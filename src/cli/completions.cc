// SPDX-License-Identifier: Apache-2.0
#include "cli/completions.h"

#include <algorithm>
#include <vector>

#include "cli/command.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

struct CommandTable {
  const CommandInfo* info = nullptr;
  std::vector<Option> options;  // own, then shared
  std::vector<std::string> words;
  Complete positional = Complete::kNothing;
};

std::vector<std::string> SplitWords(std::string_view text) {
  Option option;
  option.value = text;
  return option.Words();
}

std::vector<CommandTable> Tables() {
  std::vector<CommandTable> tables;
  for (const CommandInfo* info : Commands()) {
    CommandTable out;
    out.info = info;
    const std::unique_ptr<Command> command = info->make();
    OptionTable table;
    command->AddOptions(table);
    CommonOptions common;
    common.AddTo(table);
    for (const Option& option : table.options()) {
      if (!option.is_hidden) out.options.push_back(option);
    }
    if (table.positional()) {
      out.positional = table.positional()->complete;
      out.words = SplitWords(table.positional()->name);
      if (info->name == "help") {
        for (const CommandInfo* other : Commands()) out.words.emplace_back(other->name);
      }
    }
    tables.push_back(std::move(out));
  }
  return tables;
}

std::string Joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : std::string(between)) + word;
  return out;
}

// For single-quoted strings of zsh, fish and bash; our own texts hold neither quotes of the other kind nor brackets
// that matter, but an apostrophe is common.
std::string Quoted(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Bash(const std::vector<CommandTable>& tables) {
  std::vector<std::string> names;
  names.reserve(tables.size());
  for (const CommandTable& table : tables) names.emplace_back(table.info->name);
  std::string out =
      "# bash completion for kiln; load with: source <(kiln completions bash)\n"
      "_kiln() {\n"
      "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"\" cmd=\"\" i\n"
      "  COMPREPLY=()\n"
      "  ((COMP_CWORD > 0)) && prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  [[ $cur == = ]] && cur=\"\"\n"
      "  [[ $prev == = ]] && ((COMP_CWORD > 1)) && prev=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"${COMP_WORDS[i]}\" in\n      " +
      Joined(names, "|") +
      ") cmd=\"${COMP_WORDS[i]}\"; break ;;\n    esac\n  done\n"
      "  if [[ -z $cmd ]]; then\n    COMPREPLY=($(compgen -W '" +
      Joined(names, " ") + " --help --version' -- \"$cur\"))\n    return\n  fi\n  case \"$cmd\" in\n";
  for (const CommandTable& table : tables) {
    out += "    " + std::string(table.info->name) + ")\n      case \"$prev\" in\n";
    std::vector<std::string> all;
    for (const Option& option : table.options) {
      all.insert(all.end(), option.names.begin(), option.names.end());
      if (option.is_flag()) continue;
      out += "        " + Joined(option.names, "|") + ") ";
      if (option.complete == Complete::kWord) {
        out += "COMPREPLY=($(compgen -W '" + Joined(option.Words(), " ") + "' -- \"$cur\"))";
      } else if (option.complete == Complete::kFolder) {
        out += "COMPREPLY=($(compgen -d -- \"$cur\"))";
      } else if (option.complete == Complete::kFile) {
        out += "COMPREPLY=($(compgen -f -- \"$cur\"))";
      } else {
        out += "COMPREPLY=()";
      }
      out += "; return ;;\n";
    }
    out += "      esac\n      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '" + Joined(all, " ") +
           "' -- \"$cur\")); return; fi\n";
    if (!table.words.empty()) {
      out += "      COMPREPLY=($(compgen -W '" + Joined(table.words, " ") + "' -- \"$cur\")) ;;\n";
    } else if (table.positional == Complete::kFile) {
      out += "      COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n";
    } else {
      out += "      ;;\n";
    }
  }
  return out + "  esac\n}\ncomplete -o filenames -F _kiln kiln\n";
}

std::string Zsh(const std::vector<CommandTable>& tables) {
  const auto escaped = [](std::string_view text) {
    std::string out;
    for (char c : text) {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
    return Quoted(out);
  };
  std::string out =
      "#compdef kiln\n# zsh completion for kiln; put it as _kiln into a folder of $fpath\n"
      "_kiln() {\n  local curcontext=\"$curcontext\" state line\n"
      "  _arguments -C '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n    command)\n      local -a commands\n      commands=(\n";
  for (const CommandTable& table : tables) {
    out += "        '" + std::string(table.info->name) + ":" + escaped(table.info->summary) + "'\n";
  }
  out += "      )\n      _describe command commands ;;\n    argument)\n      case $words[1] in\n";
  for (const CommandTable& table : tables) {
    out += "        " + std::string(table.info->name) + ") _arguments";
    for (const Option& option : table.options) {
      for (const std::string& name : option.names) {
        out += " \\\n          '" + name +
               (option.is_flag()         ? ""
                : name.starts_with("--") ? "="
                                         : "+") +
               "[" + escaped(option.help) + "]";
        if (option.complete == Complete::kWord) out += ":value:(" + Joined(option.Words(), " ") + ")";
        if (option.complete == Complete::kFile) out += ":file:_files";
        if (option.complete == Complete::kFolder) out += ":folder:_files -/";
        if (!option.is_flag() && option.complete == Complete::kNothing) out += ":value:";
        out += "'";
      }
    }
    if (!table.words.empty()) {
      out += " \\\n          '*:word:(" + Joined(table.words, " ") + ")'";
    } else if (table.positional == Complete::kFile) {
      out += " \\\n          '*:file:_files'";
    }
    out += " ;;\n";
  }
  return out +
         "      esac ;;\n  esac\n}\nif [[ $funcstack[1] == _kiln ]]; then _kiln \"$@\"; else compdef _kiln kiln; fi\n";
}

std::string Fish(const std::vector<CommandTable>& tables) {
  std::string out = "# fish completion for kiln; load with: kiln completions fish | source\ncomplete -c kiln -f\n";
  for (const CommandTable& table : tables) {
    out += "complete -c kiln -n __fish_use_subcommand -a " + std::string(table.info->name) + " -d '" +
           Quoted(table.info->summary) + "'\n";
  }
  for (const CommandTable& table : tables) {
    const std::string head = "complete -c kiln -n '__fish_seen_subcommand_from " + std::string(table.info->name) + "'";
    for (const Option& option : table.options) {
      out += head;
      for (const std::string& name : option.names) {
        if (name.starts_with("--")) {
          out += " -l " + name.substr(2);
        } else if (name.size() == 2) {
          out += " -s " + name.substr(1);
        } else {
          out += " -o " + name.substr(1);
        }
      }
      if (!option.is_flag()) out += " -r";
      if (option.complete == Complete::kWord) out += " -a '" + Joined(option.Words(), " ") + "'";
      if (option.complete == Complete::kFile) out += " -F";
      if (option.complete == Complete::kFolder) out += " -a '(__fish_complete_directories)'";
      out += " -d '" + Quoted(option.help) + "'\n";
    }
    if (!table.words.empty()) {
      out += head + " -a '" + Joined(table.words, " ") + "'\n";
    } else if (table.positional == Complete::kFile) {
      out += head + " -F\n";
    }
  }
  return out;
}

std::string PowerShell(const std::vector<CommandTable>& tables) {
  const auto list = [](const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "'" : ", '") + word + "'";
    return "@(" + out + ")";
  };
  std::string out =
      "# PowerShell completion for kiln; load with: kiln completions powershell | Out-String | Invoke-Expression\n"
      "Register-ArgumentCompleter -Native -CommandName kiln -ScriptBlock {\n"
      "  param($wordToComplete, $commandAst, $cursorPosition)\n  $options = @{\n";
  std::vector<std::string> names;
  for (const CommandTable& table : tables) {
    names.emplace_back(table.info->name);
    std::vector<std::string> all;
    for (const Option& option : table.options) all.insert(all.end(), option.names.begin(), option.names.end());
    all.insert(all.end(), table.words.begin(), table.words.end());
    out += "    '" + std::string(table.info->name) + "' = " + list(all) + "\n";
  }
  out += "  }\n  $values = @{\n";
  std::vector<std::string> seen;
  for (const CommandTable& table : tables) {
    for (const Option& option : table.options) {
      if (option.complete != Complete::kWord || std::count(seen.begin(), seen.end(), option.names.back()) > 0) continue;
      seen.push_back(option.names.back());
      out += "    '" + option.names.back() + "' = " + list(option.Words()) + "\n";
    }
  }
  out += "  }\n  $commands = " + list(names) +
         "\n"
         "  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })\n"
         "  $command = $words | Where-Object { $commands -contains $_ } | Select-Object -First 1\n"
         "  $previous = if ($wordToComplete) { $words[-2] } else { $words[-1] }\n"
         "  $offers = if (-not $command -or $command -eq $wordToComplete) { $commands }\n"
         "    elseif ($values.ContainsKey($previous)) { $values[$previous] }\n"
         "    else { $options[$command] }\n"
         "  $offers | Where-Object { $_ -like \"$wordToComplete*\" } |\n"
         "    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }\n"
         "}\n";
  return out;
}

}  // namespace

std::string CompletionScript(std::string_view shell) {
  const std::vector<CommandTable> tables = Tables();
  if (shell == "bash") return Bash(tables);
  if (shell == "zsh") return Zsh(tables);
  if (shell == "fish") return Fish(tables);
  if (shell == "powershell") return PowerShell(tables);
  return {};
}

}  // namespace kiln::cli
