// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/edit_distance.h"

namespace kiln::cli {

namespace {

std::vector<std::string> Split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

std::string LongName(const Option& option) {
  for (const std::string& name : option.names) {
    if (name.starts_with("--")) return name;
  }
  return option.names.front();
}

}  // namespace

std::string NearestWord(std::string_view text, const std::vector<std::string>& words) {
  return std::string(NearestName(text, std::vector<std::string_view>(words.begin(), words.end())));
}

std::vector<std::string> Option::Words() const {
  return value.find('|') == std::string::npos ? std::vector<std::string>() : Split(value, '|');
}

Option& OptionTable::Call(std::string_view names, std::string_view value, std::string_view help,
                          std::function<std::string(std::string_view)> set) {
  Option& option = options_.emplace_back();
  option.names = Split(names, ',');
  option.value = value;
  option.help = help;
  option.set = std::move(set);
  if (value == "FILE") option.complete = Complete::kFile;
  if (value == "DIR") option.complete = Complete::kFolder;
  if (!option.Words().empty()) option.complete = Complete::kWord;
  return option;
}

Option& OptionTable::Flag(std::string_view names, bool* target, std::string_view help) {
  return Call(names, "", help, [target](std::string_view) {
    *target = true;
    return std::string();
  });
}

Option& OptionTable::Text(std::string_view names, std::string* target, std::string_view value, std::string_view help) {
  return Call(names, value, help, [target](std::string_view text) {
    *target = text;
    return std::string();
  });
}

Option& OptionTable::List(std::string_view names, std::vector<std::string>* target, std::string_view value,
                          std::string_view help) {
  return Call(names, value, help, [target](std::string_view text) {
    target->emplace_back(text);
    return std::string();
  });
}

Option& OptionTable::Number(std::string_view names, std::optional<uint64_t>* target, std::string_view value,
                            std::string_view help) {
  return Call(names, value, help, [target](std::string_view text) -> std::string {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return "'" + std::string(text) + "' is not a number";
    *target = number;
    return {};
  });
}

void OptionTable::Positionals(std::string_view name, std::vector<std::string>* values, size_t least, size_t most,
                              std::string_view help, Complete complete) {
  positional_ = Positional{std::string(name), std::string(help), least, most, complete, values};
}

void OptionTable::Refuse(std::string_view names, std::string_view hint) {
  for (std::string& name : Split(names, ',')) refused_.push_back({std::move(name), std::string(hint)});
}

void OptionTable::Watch(size_t first, std::string* name) {
  for (size_t i = first; i < options_.size(); ++i) {
    options_[i].set = [set = std::move(options_[i].set), own = LongName(options_[i]), name](std::string_view value) {
      if (name->empty()) *name = own;
      return set(value);
    };
  }
}

OptionTable::Match OptionTable::Find(std::string_view argument) const {
  const size_t equals = argument.find('=');
  const std::string_view head = argument.substr(0, equals);
  for (const Option& option : options_) {
    for (const std::string& name : option.names) {
      if (name == argument) return {&option, std::nullopt};
      if (name == head && !option.is_flag()) return {&option, std::string(argument.substr(equals + 1))};
      const bool is_letter = name.size() == 2 && name[1] != '-';
      if (!option.is_flag() && (is_letter || option.is_joined) && argument.size() > name.size() &&
          argument.starts_with(name) && argument[1] != '-') {
        // "-MF" must not read as "-M" with "F": a longer name wins.
        const bool is_longer_name = std::any_of(options_.begin(), options_.end(), [&](const Option& other) {
          return std::find(other.names.begin(), other.names.end(), head) != other.names.end();
        });
        if (!is_longer_name) return {&option, std::string(argument.substr(name.size()))};
      }
    }
  }
  return {};
}

// "-qv" for "-q -v".
std::string OptionTable::Cluster(std::string_view argument, bool* is_cluster) {
  *is_cluster = argument.size() > 2 && argument[0] == '-' && argument[1] != '-';
  std::vector<const Option*> flags;
  for (char letter : argument.substr(1)) {
    const Match match = Find(std::string{'-', letter});
    if (match.option == nullptr || !match.option->is_flag()) *is_cluster = false;
    flags.push_back(match.option);
  }
  if (!*is_cluster) return {};
  for (const Option* flag : flags) {
    if (std::string error = flag->set(""); !error.empty()) return error;
  }
  return {};
}

std::string OptionTable::NearMiss(std::string_view argument) const {
  std::vector<std::string> names;
  for (const Option& option : options_) {
    if (!option.is_hidden) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  const std::string_view head = argument.substr(0, argument.find('='));
  // "-output" for "--output" is a slip of its own.
  if (!head.starts_with("--") && std::find(names.begin(), names.end(), "-" + std::string(head)) != names.end()) {
    return "-" + std::string(head);
  }
  names.erase(std::remove_if(names.begin(), names.end(), [](const std::string& name) { return name.size() < 4; }),
              names.end());
  return NearestWord(head, names);
}

std::string OptionTable::One(const std::vector<std::string>& arguments, size_t& at, std::string* hint) {
  const std::string& argument = arguments[at++];
  Match match = Find(argument);
  if (match.option == nullptr) {
    bool is_cluster = false;
    std::string error = Cluster(argument, &is_cluster);
    if (is_cluster) return error;
    const std::string_view head = std::string_view(argument).substr(0, argument.find('='));
    for (const Refused& each : refused_) {
      const bool is_family = each.name.ends_with('*');
      if (is_family ? !head.starts_with(each.name.substr(0, each.name.size() - 1)) : head != each.name) continue;
      *hint = each.hint;
      return "unknown option '" + argument + "'";
    }
    if (const std::string near = NearMiss(argument); !near.empty()) *hint = "did you mean '" + near + "'?";
    return "unknown option '" + argument + "'";
  }
  const Option& option = *match.option;
  if (option.is_flag()) return option.set("");
  if (!match.value) {
    if (at == arguments.size()) return "option '" + argument + "' needs a value: " + option.value;
    match.value = arguments[at++];
  }
  const std::vector<std::string> words = option.Words();
  if (!words.empty() && std::find(words.begin(), words.end(), *match.value) == words.end()) {
    if (const std::string near = NearestWord(*match.value, words); !near.empty())
      *hint = "did you mean '" + near + "'?";
    return "'" + *match.value + "' is not a value of " + LongName(option) + "; it takes " + option.value;
  }
  std::string error = option.set(*match.value);
  return error.empty() ? error : LongName(option) + ": " + error;
}

std::string OptionTable::Parse(const std::vector<std::string>& arguments, std::string* hint) {
  std::vector<std::string> rest;
  bool is_ended = false;
  for (size_t at = 0; at < arguments.size();) {
    const std::string& argument = arguments[at];
    if (!is_ended && argument == "--") {
      is_ended = true;
      ++at;
    } else if (is_ended || argument.size() < 2 || argument[0] != '-') {
      rest.push_back(argument);
      ++at;
    } else if (std::string error = One(arguments, at, hint); !error.empty()) {
      return error;
    }
  }
  if (!positional_) return rest.empty() ? "" : "unexpected argument '" + rest.front() + "'";
  if (rest.size() < positional_->least) return "missing argument: " + positional_->name;
  if (rest.size() > positional_->most) return "unexpected argument '" + rest[positional_->most] + "'";
  *positional_->values = std::move(rest);
  return {};
}

std::string OptionTable::ParseLeading(const std::vector<std::string>& arguments, size_t* taken, std::string* hint) {
  size_t at = 0;
  while (at < arguments.size() && arguments[at].size() > 1 && arguments[at][0] == '-' && arguments[at] != "--") {
    if (std::string error = One(arguments, at, hint); !error.empty()) return error;
  }
  *taken = at;
  return {};
}

}  // namespace kiln::cli
