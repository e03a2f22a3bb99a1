// SPDX-License-Identifier: Apache-2.0
#include "build/explain.h"

#include "base/edit_distance.h"
#include "base/outcome.h"
#include "base/paths.h"
#include "build/audit.h"
#include "build/project.h"

namespace kiln::build {

ExplainReport Explain(const BuildOptions& options, const std::string& which, diag::Sink& sink) {
  ExplainReport report;
  Exit exit = Exit::kConfig;
  auto project = OpenProject(options, sink, exit);
  report.exit = exit;
  if (!project) return report;
  // A path may be written as it is published, from the project, or from here.
  const Project& opened = **project;
  const std::string absolute = path::Absolute(opened.working_folder, which);
  const std::string published = path::Relative(opened.plan.output_folder, absolute);
  const std::string source = path::Relative(opened.config.folder, absolute);
  std::vector<std::string> names;
  Audit audit = MakeAudit(**project, options);
  for (ArtifactExplanation& each : audit.artifacts) {
    const bool is_meant = which.empty() || each.path == which || each.path == published || each.source == which ||
                          each.source == source || each.program == which;
    if (is_meant) {
      report.artifacts.push_back(std::move(each));
    } else {
      names.insert(names.end(), {each.path, each.program, each.source});
    }
  }
  if (!report.artifacts.empty() || which.empty()) return report;
  const std::vector<std::string_view> views(names.begin(), names.end());
  auto error = sink.Error("unknown-artifact");
  error << "nothing of the plan is called '" << Printable(which)
        << "'; it can be a published path, a source or a program";
  const std::string_view near = NearestName(which, views);
  error.Hint(near.empty()
                 ? "without a name all are explained; 'kiln graph --reverse' says which sources reach an include"
                 : "did you mean '" + std::string(near) + "'?");
  report.exit = Exit::kConfig;
  return report;
}

}  // namespace kiln::build
