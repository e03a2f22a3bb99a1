// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "build/check_files.h"
#include "build/engine.h"
#include "cli/command.h"
#include "cli/compile_options.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/session.h"
#include "diag/render.h"

namespace kiln::cli {

namespace {

std::string FilesSummary(const build::CheckReport& report) {
  std::string out;
  if (report.exit == build::Exit::kInterrupted) {
    out = "interrupted";
  } else if (report.failed != 0) {
    out = "failed: " + std::to_string(report.failed) + " of " + Count(report.files, "file");
  } else {
    out = Count(report.files, "file") + " checked";
  }
  out += " (" + Duration(report.seconds);
  if (!report.toolchain.empty()) out += ", toolchain " + diag::Visible(report.toolchain);
  return out + ")\n";
}

class CheckCommand final : public Command {
 public:
  void Rewrite(std::vector<std::string>& arguments) override { RewriteForeign(arguments); }

  void AddOptions(OptionTable& table) override {
    table.Positionals("FILE", &files_, 0, SIZE_MAX,
                      "shaders to check by themselves, without a manifest; '-' is standard input");
    table.List("-t,--target", &selection_.targets, "NAME",
               "only this target of the manifest; of files, as msl-2.4 (default: spirv; may be repeated)");
    compile_.AddRunOptions(table);
    size_t first = table.options().size();
    table.List("-p,--program", &selection_.programs, "NAME", "only this program (may be repeated)");
    table.Watch(first, &manifest_option_);
    first = table.options().size();
    compile_.AddInputOptions(table);
    compile_.AddVerdictOptions(table);
    compile_.AddForeignOptions(table);
    table.Watch(first, &file_option_);
  }

  Exit Run(Session& session) override {
    if (!files_.empty()) return CheckFiles(session);
    if (!file_option_.empty()) {
      return UsageError(session, "check", file_option_ + " is about files, and none is named",
                        "name them, as in 'kiln check shaders/a.frag'; how programs are compiled is said in kiln.json");
    }
    build::BuildOptions options = session.MakeBuildOptions();
    selection_.Apply(options);
    options.is_check = true;
    build::TranslateOptions run;
    if (const std::string error = compile_.Apply(session, run); !error.empty()) {
      return UsageError(session, "check", error, "");
    }
    options.no_cache = run.no_cache;
    options.deadline_seconds = run.deadline_seconds;
    return RunBuild(session, options);
  }

 private:
  Exit CheckFiles(Session& session) {
    if (!manifest_option_.empty()) {
      return UsageError(session, "check", manifest_option_ + " is about the manifest, and files are named",
                        "leave one of the two out");
    }
    build::TranslateOptions row;
    if (const std::string error = compile_.Apply(session, row); !error.empty()) {
      return UsageError(session, "check", error, "");
    }
    std::vector<std::string> targets = selection_.targets;
    if (!targets.empty() && !row.target.empty()) {
      return UsageError(session, "check", "the target is named twice: --target " + targets[0] + " and another option",
                        "");
    }
    if (targets.empty()) targets.push_back(row.target.empty() ? "spirv" : row.target);
    const auto streams = static_cast<size_t>(std::count(files_.begin(), files_.end(), "-"));
    if (streams * targets.size() > 1) {
      return UsageError(session, "check", "standard input can be read once",
                        "name '-' once and one target, or write the shader to a file");
    }
    std::vector<build::TranslateOptions> rows;
    for (const std::string& file : files_) {
      for (const std::string& target : targets) {
        row.input = file;
        row.target = target;
        rows.push_back(row);
        compile_.ApplyInput(rows.back());
      }
    }
    InstallSignalHandlers(true);
    ProgressLine progress(session);
    const build::CheckReport report = build::CheckFiles(rows, session.MakeBuildOptions().jobs, progress, session.sink);
    progress.Clear();
    session.PrintDiagnostics();
    if (report.files != 0 || report.exit == build::Exit::kInterrupted) session.Say(FilesSummary(report));
    return ExitOf(report.exit);
  }

  std::vector<std::string> files_;
  Selection selection_;
  CompileOptions compile_;
  std::string manifest_option_;  // the first that was given, as the next
  std::string file_option_;
};

}  // namespace

extern const CommandInfo kCheckCommand{
    "check", "compile and validate everything, or the files named; publish nothing",
    "Without a file the manifest says what there is. Files are each compiled as 'kiln translate' would, and nothing\n"
    "is written. The exit code is the greatest that one of them has: 1 for errors in a source, 2 for a file that is\n"
    "not there or does not say what it is.\n\n"
    "  kiln check --diagnostics=sarif > shaders.sarif     for a review tool\n"
    "  kiln check shaders/*.frag -I shaders               before a commit\n"
    "  kiln check --stage frag - < buffer                 in an editor\n"
    "  kiln check a.comp -t spirv-1.5 -t msl-2.4          can it become these?\n",
    [] { return std::unique_ptr<Command>(new CheckCommand); }};

}  // namespace kiln::cli
