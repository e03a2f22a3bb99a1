// SPDX-License-Identifier: Apache-2.0
// What the plan needs of the disk: include folders, globs, sources that are there and may be read.
#include <algorithm>

#include "base/edit_distance.h"
#include "base/files.h"
#include "base/glob.h"
#include "base/paths.h"
#include "build/config_reader.h"
#include "build/planner.h"

namespace kiln::build {

void Planner::CheckFolders(const std::vector<IncludeFolder>& folders) {
  for (const IncludeFolder& folder : folders) {
    if (std::find(plan_.include.begin(), plan_.include.end(), folder.path) != plan_.include.end()) continue;
    plan_.include.push_back(folder.path);
    const auto kind = sources_.KindOfFolder(folder.path);
    if (kind && *kind == FileKind::kFolder) continue;
    auto error = sink_.Error(folder.where, "include-root");
    if (!kind) {
      error << "include folder '" << Printable(folder.path) << "': " << kind.error().Message();
      error.Hint("see that the folder can be read");
    } else if (*kind == FileKind::kAbsent) {
      error << "there is no include folder '" << Printable(folder.path) << "'";
      error.Hint("make the folder, or take it out; paths are relative to the folder of the manifest");
    } else {
      error << "'" << Printable(folder.path) << "' is no folder, and includes are looked for in folders";
      error.Hint("name the folder that it lies in: '" + Printable(path::Parent(folder.path)) + "'");
    }
  }
}

std::vector<std::string> Planner::FilesOf(const ProgramRule& rule) {
  auto known = std::find_if(plan_.globs.begin(), plan_.globs.end(),
                            [&](const GlobMatch& glob) { return glob.pattern == rule.glob; });
  if (known == plan_.globs.end()) {
    auto found = sources_.Glob(rule.glob);
    if (!found) {
      sink_.Error(rule.where, "bad-glob").Hint("'*' and '?' match in one name, '**/' any folders, '{a,b}' either")
          << "glob '" << Printable(rule.glob) << "': " << found.error().Message();
      return {};
    }
    plan_.globs.push_back({rule.glob, std::move(*found)});
    known = plan_.globs.end() - 1;
  }
  std::vector<std::string> files;
  for (const std::string& file : known->files) {
    const bool is_excepted = std::any_of(rule.except.begin(), rule.except.end(),
                                         [&](const std::string& pattern) { return GlobMatches(pattern, file); });
    // What an earlier build published is no source of this one.
    const bool is_output = path::IsInside(path::Absolute(config_.folder, file), plan_.output_folder);
    if (!is_excepted && !is_output) files.push_back(file);
  }
  if (files.empty() && !rule.may_be_empty) {
    auto error = sink_.Error(rule.where, "empty-glob");
    error << "glob '" << Printable(rule.glob) << "' matches no file";
    // A name that holds what is special in globs, as "a[1].frag".
    const auto namesake = sources_.KindOf(rule.glob);
    error.Hint(namesake && *namesake == FileKind::kRegular
                   ? "there is a file of this very name; to name it, write {\"stages\": [\"" + Printable(rule.glob) +
                         "\"]}"
                   : "if that is meant, write {\"glob\": ..., \"allowEmpty\": true}");
  }
  return files;
}

bool Planner::CheckSource(const StageRule& stage) {
  const auto known = checked_.find(stage.source);
  if (known != checked_.end()) return known->second;
  return checked_[stage.source] = CheckNewSource(stage);
}

bool Planner::CheckNewSource(const StageRule& stage) {
  const diag::Range where = stage.source_where.is_known() ? stage.source_where : stage.where;
  const std::string absolute = path::Absolute(config_.folder, stage.source);
  if (path::IsInside(absolute, plan_.output_folder)) {
    sink_.Error(where, "source-in-output")
            .Note(config_.output_where, "the output folder is given here")
            .Hint("give the outputs a folder of their own, as \"build/shaders\"")
        << "source '" << Printable(stage.source) << "' lies in the output folder, which Kiln replaces as a whole";
    return false;
  }
  const auto kind = sources_.KindOf(stage.source);
  if (!kind) {
    sink_.Error(where, "source-unreadable").Hint("see that the file and its folders can be read")
        << kind.error().Message();
    return false;
  }
  switch (*kind) {
    case FileKind::kRegular:
      return true;
    case FileKind::kAbsent:
      ReportMissing(stage, where);
      return false;
    case FileKind::kLink:
      sink_.Error(where, "link-in-path").Hint("name the file that the link leads to")
          << "source '" << Printable(stage.source)
          << "' is, or lies behind, a symbolic link; what it names could change without its own bytes changing";
      return false;
    case FileKind::kFolder: {
      auto error = sink_.Error(where, "source-not-file");
      error << "source '" << Printable(stage.source) << "' is a folder";
      error.Hint("a glob takes the files in it, as in '" + stage.source + "/*.vert'");
      return false;
    }
    default:
      sink_.Error(where, "source-not-file").Hint("a source is a file with text, or SPIR-V")
          << "source '" << Printable(stage.source) << "' is no regular file";
      return false;
  }
}

void Planner::ReportMissing(const StageRule& stage, diag::Range where) {
  auto error = sink_.Error(where, "source-missing");
  error << "there is no source '" << Printable(stage.source) << "'";
  const std::string folder(path::Parent(stage.source));
  const auto beside = sources_.Glob(folder == "." ? "*" : folder + "/*");
  std::vector<std::string_view> names;
  if (beside) names.assign(beside->begin(), beside->end());
  const std::string_view near = NearestName(stage.source, names);
  error.Hint(near.empty() ? "paths are relative to the folder of the manifest"
                          : "did you mean '" + Printable(near) + "'?");
}

}  // namespace kiln::build
