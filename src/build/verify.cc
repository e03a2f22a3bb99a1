// SPDX-License-Identifier: Apache-2.0
#include "build/verify.h"

#include <algorithm>

#include "base/check.h"
#include "build/audit.h"
#include "build/project.h"

namespace kiln::build {

std::string_view NameOf(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kNoRecord:
      return "no-record";
    case ChangeKind::kConfig:
      return "config";
    case ChangeKind::kTool:
      return "tool";
    case ChangeKind::kInputChanged:
      return "input-changed";
    case ChangeKind::kInputMissing:
      return "input-missing";
    case ChangeKind::kInputAppeared:
      return "input-appeared";
    case ChangeKind::kOutputMissing:
      return "output-missing";
    case ChangeKind::kOutputEdited:
      return "output-edited";
    case ChangeKind::kArtifactNew:
      return "artifact-new";
    case ChangeKind::kArtifactDropped:
      return "artifact-dropped";
  }
  KILN_UNREACHABLE("change kind");
}

VerifyReport Verify(const BuildOptions& options, diag::Sink& sink) {
  VerifyReport report;
  Exit exit = Exit::kConfig;
  auto project = OpenProject(options, sink, exit);
  report.exit = exit;
  if (!project) return report;
  Audit audit = MakeAudit(**project, options);
  report.output_folder = (*project)->plan.output_folder;
  report.artifacts = audit.artifacts.size();
  report.inputs = audit.inputs;
  report.is_tool_compared = audit.is_tool_compared;
  report.changes = std::move(audit.dropped);
  if (!audit.has_record) {
    // One fact, not one an artifact.
    report.changes.push_back({ChangeKind::kNoRecord, std::string(kRecordName), audit.why_no_record});
  } else {
    for (const ArtifactExplanation& each : audit.artifacts) {
      report.changes.insert(report.changes.end(), each.reasons.begin(), each.reasons.end());
    }
  }
  std::sort(report.changes.begin(), report.changes.end());
  report.changes.erase(std::unique(report.changes.begin(), report.changes.end()), report.changes.end());
  report.exit = report.changes.empty() ? Exit::kOk : Exit::kDifference;
  return report;
}

}  // namespace kiln::build
