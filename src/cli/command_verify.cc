// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"
#include "build/verify.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "diag/render.h"

namespace kiln::cli {

namespace {

std::string Json(const build::VerifyReport& report) {
  std::string out;
  json::Writer writer(out, json::Layout::kIndented);
  writer.BeginObject();
  writer.Member("fresh", report.exit == build::Exit::kOk);
  writer.Member("artifacts", report.artifacts);
  writer.Member("inputs", report.inputs);
  writer.Member("toolCompared", report.is_tool_compared);
  writer.Key("changes").BeginArray();
  for (const build::Change& change : report.changes) {
    writer.BeginObject();
    writer.Member("kind", build::NameOf(change.kind));
    writer.Member("path", change.path);
    if (!change.detail.empty()) writer.Member("detail", change.detail);
    writer.EndObject();
  }
  writer.EndArray().EndObject();
  return out + "\n";
}

class VerifyCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Text("-o,--output", &output_, "DIR", "the published folder, in place of the manifest's");
    table.Flag("--json", &is_json_, "print the findings as JSON");
  }
  Exit Run(Session& session) override {
    if (is_json_) session.TakeOutput();
    build::BuildOptions options = session.MakeBuildOptions();
    options.output_folder = output_;
    const build::VerifyReport report = build::Verify(options, session.sink);
    session.PrintDiagnostics();
    const bool is_answered = report.exit == build::Exit::kOk || report.exit == build::Exit::kDifference;
    if (is_answered && is_json_) session.Out(Json(report));
    if (is_answered && !is_json_) Print(session, report);
    return ExitOf(report.exit);
  }

 private:
  static void Print(Session& session, const build::VerifyReport& report) {
    for (const build::Change& change : report.changes) {
      std::string line(build::NameOf(change.kind));
      if (!change.path.empty()) line += " " + diag::Visible(change.path);
      if (!change.detail.empty()) line += ": " + diag::Visible(change.detail);
      session.Say(line + "\n");
    }
    const std::string folder = diag::Visible(report.output_folder);
    if (report.exit == build::Exit::kOk) {
      session.Say("fresh: " + Count(report.artifacts, "artifact") + " in " + folder + " from " +
                  Count(report.inputs, "input") + "\n");
    } else {
      session.Say("not fresh: " + Count(report.changes.size(), "difference") + " in " + folder + "\n");
    }
    if (!report.is_tool_compared)
      session.Say(
          "(the toolchain was not compared: its identity is not known here; 'kiln build --locked' compares it)\n");
  }

  std::string output_;
  bool is_json_ = false;
};

}  // namespace

extern const CommandInfo kVerifyCommand{
    "verify", "is what is published intact and fresh? starts no compiler",
    "Exit 0: every published file has its bytes and the sources of now would give them. Exit 4: not so, and what\n"
    "differs is named, one a line: no-record, config, tool, input-changed, input-missing, input-appeared,\n"
    "output-missing, output-edited, artifact-new, artifact-dropped.\n\n"
    "No compiler is started: where no build with this cache has asked the toolchain who it is, as on a fresh machine\n"
    "of CI, the toolchain is not compared, and 'fresh' says nothing of it (\"toolCompared\": false with --json).\n"
    "There 'kiln build --locked' compares: it compiles, changes nothing, and exits 4 where a build would.\n",
    [] { return std::unique_ptr<Command>(new VerifyCommand); }};

}  // namespace kiln::cli
