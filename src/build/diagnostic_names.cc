// SPDX-License-Identifier: Apache-2.0
#include "build/diagnostic_names.h"

#include "diag/sink.h"

namespace kiln::build {
namespace {

std::string LineOf(std::string_view text, uint32_t line) {
  for (uint32_t at = 1; at < line; ++at) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (text.size() > diag::Sink::kLongestKeptLine) return {};
  return std::string(text);
}

/// Validators print several lines; a message is one.
std::string OnOneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

template <typename Change>
void ForEachLocation(std::vector<diag::Diagnostic>& diagnostics, Change change) {
  for (diag::Diagnostic& each : diagnostics) {
    change(each.location);
    for (diag::Note& note : each.notes) change(note.location);
  }
}

}  // namespace

std::vector<diag::Diagnostic> WithGraphNames(std::vector<diag::Diagnostic> diagnostics, const ModuleNames& names,
                                             const graph::Graph& graph) {
  ForEachLocation(diagnostics, [&](diag::Location& location) {
    if (const std::string* id = names.Id(location.file)) location.file = *id;
  });
  for (diag::Diagnostic& each : diagnostics) {
    if (!each.source_line.empty() || each.location.begin.line == 0) continue;
    if (const graph::Module* module = FindModule(graph, each.location.file)) {
      each.source_line = LineOf(module->text, each.location.begin.line);
    }
  }
  return diagnostics;
}

std::vector<diag::Diagnostic> WithStableNames(std::vector<diag::Diagnostic> diagnostics, const ModuleNames& run,
                                              const ModuleNames& stable) {
  ForEachLocation(diagnostics, [&](diag::Location& location) {
    const std::string* id = run.Id(location.file);
    if (id == nullptr) return;
    for (size_t i = 0; i < stable.ids().size(); ++i) {
      if (stable.ids()[i] != *id) continue;
      location.file = "m" + std::to_string(i);
      return;
    }
    location = {};
  });
  return diagnostics;
}

std::vector<diag::Diagnostic> AboutArtifact(std::vector<diag::Diagnostic> diagnostics, const Step& step,
                                            const std::string& module) {
  std::string target;
  std::string version;
  for (const auto& [name, value] : step.options) {
    if (name == "target") target = value;
    if (name == "version") version = "-" + value;
  }
  for (diag::Diagnostic& each : diagnostics) {
    if (!each.location.is_known()) each.location.file = module;
    each.message = OnOneLine(each.message);
    if (!target.empty()) each.message = target + version + ": " + each.message;
  }
  return diagnostics;
}

void ExplainIncludes(std::vector<diag::Diagnostic>& diagnostics, const worker::ActionResult& result,
                     const ModuleNames& names, const std::vector<std::string>& include, Sources& sources) {
  for (diag::Diagnostic& each : diagnostics) {
    if (each.code != "include-not-found" || !each.hint.empty()) continue;
    for (const worker::Import& import : result.consulted) {
      const std::string* from = names.Id(import.from);
      if (!import.to.empty() || from == nullptr || each.message.find(import.spelled) == std::string::npos) continue;
      each.hint = sources.WhyNotFound(include, *from, import.spelled, import.is_angled);
      break;
    }
  }
}

void ExplainInvalid(std::vector<diag::Diagnostic>& diagnostics, const Step& step) {
  for (diag::Diagnostic& each : diagnostics) {
    if (each.code != "spirv-invalid" || each.severity != diag::Severity::kError) continue;
    if (step.is_advisory) {
      each.severity = diag::Severity::kWarning;
    } else if (each.hint.empty()) {
      each.hint = "the compiler took the source and made this of it; 'validate' as 'warning' lets it pass";
    }
  }
}

void ExplainDeadline(std::vector<diag::Diagnostic>& diagnostics, std::string_view operation) {
  for (diag::Diagnostic& each : diagnostics) {
    if (each.code != "worker-deadline" || !each.hint.empty()) continue;
    if (operation == "translate") {
      each.hint =
          "SPIRV-Cross follows every path of calls: where each function calls the next one twice its time doubles "
          "with every level; call once and keep the result, or ";
    } else {
      each.hint = "simplify the shader, or ";
    }
    each.hint += "allow more time with --deadline=SECONDS or 'deadline' in kiln.json";
  }
}

std::string MessageKey(const diag::Diagnostic& each) {
  return std::to_string(static_cast<int>(each.severity)) + each.code + '\0' + each.location.file + '\0' +
         std::to_string(each.location.begin.line) + ':' + std::to_string(each.location.begin.column) + '\0' +
         each.message;
}

void ExplainUnsupported(std::vector<diag::Diagnostic>& diagnostics, const Unit& unit) {
  for (diag::Diagnostic& each : diagnostics) {
    if (each.code != "cross-unsupported") continue;
    each.message += " (said by SPIRV-Cross of the entry point '" + Printable(unit.entry) + "')";
    if (!each.hint.empty()) continue;
    each.hint =
        "the target's language, or this SPIRV-Cross, cannot say it: ask for a newer version of the target, or build "
        "with a "
        "newer toolchain set ('kiln doctor' lists them)";
  }
}

void Rename(std::vector<diag::Diagnostic>& diagnostics, const std::function<std::string(const std::string&)>& name) {
  ForEachLocation(diagnostics, [&](diag::Location& location) {
    if (location.is_known()) location.file = name(location.file);
  });
}

}  // namespace kiln::build
