// SPDX-License-Identifier: Apache-2.0
#include "build/layout.h"

#include "base/edit_distance.h"
#include "base/outcome.h"
#include "base/paths.h"
#include "build/config_reader.h"

namespace kiln::build {

std::string ApplyLayout(std::string_view layout, const Unit& unit, const Target& target, LayoutProblem& problem) {
  static constexpr std::string_view kNames[] = {"program", "stage", "entry", "target", "ext", "dir", "name"};
  // Stands for the stage and the entry point where there are several.
  static constexpr std::string_view kModule = "module";
  const std::string_view stem = KindOfSource(unit.source).stem;
  std::string path;
  for (size_t at = 0; at < layout.size(); ++at) {
    if (layout[at] != '{' || layout.substr(at, 2) == "{{") {
      if (layout[at] == '{') ++at;
      path += layout[at];
      continue;
    }
    const size_t end = layout.find('}', at);
    const std::string_view name = layout.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    if (end == std::string_view::npos) {
      problem = {"the layout has a '{' without its '}'", "write '{{' for a brace", true};
      return {};
    }
    if (name == "program") {
      path += unit.program;
    } else if (name == "stage") {
      path += unit.entries.empty() ? ExtensionOf(unit.stage) : kModule;
    } else if (name == "entry") {
      path += unit.entries.empty() ? std::string_view(unit.entry) : kModule;
    } else if (name == "target") {
      path += target.name;
    } else if (name == "ext") {
      path += target.extension.empty() ? ExtensionOf(target.kind) : std::string_view(target.extension);
    } else if (name == "dir") {
      path += path::Parent(unit.source);
    } else if (name == "name") {
      path += path::FileName(stem);
    } else {
      problem = {"the layout has no placeholder '{" + Printable(name) + "}'", {}, true};
      const std::string_view near = NearestName(name, kNames);
      problem.hint = near.empty() ? "it can hold " + Quoted(kNames) + ", each in braces"
                                  : "did you mean '{" + std::string(near) + "}'?";
      return {};
    }
    at = end;
  }
  path = path::Normalise(path);
  if (path::IsAbsolute(path) || path == "." || path == ".." || path.substr(0, 3) == "../") {
    problem = {"the output '" + Printable(path) + "' would lie outside the output folder",
               "begin the layout with a folder, as '{target}/', or give the program a name without '..'"};
    return {};
  }
  if (auto unusable = path::WhyUnusable(path)) {
    problem = {"the output '" + Printable(path) + "' cannot name a file: " + *unusable,
               "give the program a shorter \"name\", or change the layout"};
    return {};
  }
  return path;
}

}  // namespace kiln::build
