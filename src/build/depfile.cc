// SPDX-License-Identifier: Apache-2.0
#include "build/depfile.h"

#include <algorithm>
#include <optional>

#include "base/outcome.h"
#include "base/paths.h"

namespace kiln::build {
namespace {

bool IsPlain(char c) {
  // What Ninja's reader takes as part of a name without more ado. Before version 1.12 it ended names at the first four
  // below: then it rebuilds too often, never too seldom, and make is right.
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("?\"'&+,/_.~()}{=@[]!-").find(c) != std::string_view::npos;
}

/// The name as both readers take it, or nullopt with the byte that one of them cannot be made to take.
std::optional<std::string> Escape(std::string_view name, bool is_output, char& why) {
  std::string out;
  // A leading '~' would be a home folder to make.
  if (!name.empty() && name[0] == '~') out += "./";
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_last = i + 1 == name.size();
    why = c;
    if (IsPlain(c)) {
      out += c;
    } else if (c == '$') {
      out += "$$";
    } else if (c == ' ') {
      // Backslashes before an escaped space count double to both.
      size_t before = 0;
      while (before < i && name[i - 1 - before] == '\\') ++before;
      out.append(before + 1, '\\');
      out += ' ';
      if (is_last) return std::nullopt;
    } else if (c == '#' || c == ':') {
      // The readers disagree about backslashes before these.
      if ((i > 0 && name[i - 1] == '\\') || (c == ':' && is_last)) return std::nullopt;
      out += '\\';
      out += c;
    } else if (c == '%') {
      // A '%' among the targets would make a pattern rule for make; Ninja does not look at the targets of `deps = gcc`.
      if (is_output) out += '\\';
      out += c;
    } else if (c == '\\') {
      if (is_last) return std::nullopt;
      out += c;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

Result<std::vector<std::string>> EscapeAll(const std::vector<std::string>& names, bool are_outputs, diag::Sink& sink) {
  std::vector<std::string> escaped;
  bool has_failed = false;
  for (const std::string& name : names) {
    char why = 0;
    auto one = name.empty() ? std::nullopt : Escape(name, are_outputs, why);
    if (one) {
      escaped.push_back(std::move(*one));
      continue;
    }
    has_failed = true;
    auto error = sink.Error("depfile-name");
    error << "the name '" << Printable(name) << "' cannot be written in a dependency file";
    error.Hint("rename the file");
    if (why == '\n') {
      error << ": it holds a line break";
    } else if (!name.empty()) {
      error << ": make and Ninja have no common way to write '" << Printable(std::string_view(&why, 1)) << "' there";
    }
  }
  if (has_failed) return sink.FailedBecauseReported();
  return escaped;
}

}  // namespace

std::string NearestFolder(Disk& disk, std::string_view path) {
  std::string_view folder = path::Parent(path);
  while (folder != "/") {
    const auto stat = disk.Stat(std::string(folder));
    if (stat && stat->kind == FileKind::kFolder) break;
    folder = path::Parent(folder);
  }
  return std::string(folder);
}

Result<std::string> MakeDepfile(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs,
                                const DepfileOptions& options, diag::Sink& sink) {
  KILN_CHECK(!outputs.empty());
  auto targets = EscapeAll(outputs, true, sink);
  auto needed = EscapeAll(inputs, false, sink);
  if (!targets || !needed) return sink.FailedBecauseReported();
  // "a=b: c" and "c: a=b" are assignments to make; behind another name they are names.
  for (std::vector<std::string>* names : {&*targets, &*needed}) {
    const auto first = std::find_if(names->begin(), names->end(),
                                    [](const std::string& name) { return name.find('=') == std::string::npos; });
    if (first == names->end() && !names->empty()) {
      return sink.Error("depfile-name").Hint("rename the file, or name another one first")
             << "the name '" << names->front()
             << "' cannot be written in a dependency file: make would take it for an "
                "assignment";
    }
    if (first != names->end()) std::rotate(names->begin(), first, first + 1);
  }
  std::string text;
  for (const std::string& target : *targets) text += (text.empty() ? "" : " \\\n  ") + target;
  text += ":";
  for (const std::string& input : *needed) text += " \\\n  " + input;
  text += "\n";
  if (options.has_phony_rules) {
    for (const std::string& input : *needed) {
      // As a target now; one with '=' alone on its line would be an assignment, and is left out.
      if (input.find('=') == std::string::npos && input.find('%') == std::string::npos) text += "\n" + input + ":\n";
    }
  }
  return text;
}

}  // namespace kiln::build
