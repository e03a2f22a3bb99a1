// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"
#include "build/explain.h"
#include "cli/command.h"
#include "cli/session.h"
#include "diag/render.h"

namespace kiln::cli {

namespace {

std::string Json(const build::ExplainReport& report) {
  std::string out;
  json::Writer writer(out, json::Layout::kIndented);
  writer.BeginArray();
  for (const build::ArtifactExplanation& artifact : report.artifacts) {
    writer.BeginObject();
    writer.Member("path", artifact.path).Member("program", artifact.program).Member("source", artifact.source);
    writer.Member("stage", artifact.stage).Member("entry", artifact.entry).Member("target", artifact.target);
    writer.Member("fresh", artifact.is_fresh);
    writer.Member("publishedKey", artifact.published_key).Member("currentKey", artifact.current_key);
    writer.Key("reasons").BeginArray();
    for (const build::Change& change : artifact.reasons) {
      writer.BeginObject().Member("kind", build::NameOf(change.kind)).Member("path", change.path);
      if (!change.detail.empty()) writer.Member("detail", change.detail);
      writer.EndObject();
    }
    writer.EndArray().Key("parts").BeginArray();
    for (const auto& [name, value] : artifact.parts) {
      writer.BeginObject().Member("name", name).Member("value", value).EndObject();
    }
    writer.EndArray().EndObject();
  }
  writer.EndArray();
  return out + "\n";
}

std::string Text(const build::ArtifactExplanation& artifact, bool has_parts) {
  using diag::Visible;
  std::string out = Visible(artifact.path) + (artifact.is_fresh ? ": fresh\n" : ": not fresh\n");
  out += "  " + Visible(artifact.target) + " of program '" + Visible(artifact.program) + "', " + artifact.stage +
         (artifact.stage == "module" ? " with '" : " entry point '") + Visible(artifact.entry) + "' of " +
         Visible(artifact.source) + "\n";
  for (const build::Change& change : artifact.reasons) {
    out += "  because " + std::string(build::NameOf(change.kind));
    if (!change.path.empty()) out += " " + Visible(change.path);
    if (!change.detail.empty()) out += ": " + Visible(change.detail);
    out += "\n";
  }
  if (!has_parts) return out;
  out += "  published key  " + (artifact.published_key.empty() ? "none" : artifact.published_key) + "\n";
  out += "  current key    " + (artifact.current_key.empty() ? "only a build can know" : artifact.current_key) + "\n";
  for (const auto& [name, value] : artifact.parts) {
    out += "    " + Visible(name) + (value.empty() ? "" : " = " + Visible(value)) + "\n";
  }
  return out;
}

class ExplainCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("WHAT", &what_, 0, 1, "a published path, a source or a program; without it, every artifact");
    table.Flag("--json", &is_json_, "print as JSON");
    table.Flag("--parts", &has_parts_, "list the parts of the key for every artifact (they are for a single WHAT)");
    table.Text("-o,--output", &output_, "DIR", "the published folder, in place of the manifest's");
  }
  Exit Run(Session& session) override {
    if (is_json_) session.TakeOutput();
    build::BuildOptions options = session.MakeBuildOptions();
    options.output_folder = output_;
    const build::ExplainReport report =
        build::Explain(options, what_.empty() ? std::string() : what_.front(), session.sink);
    session.PrintDiagnostics();
    if (is_json_) {
      session.Out(Json(report));
    } else {
      for (const build::ArtifactExplanation& artifact : report.artifacts) {
        session.Out(Text(artifact, has_parts_ || !what_.empty()));
      }
    }
    return ExitOf(report.exit);
  }

 private:
  std::vector<std::string> what_;
  bool is_json_ = false;
  bool has_parts_ = false;
  std::string output_;
};

}  // namespace

extern const CommandInfo kExplainCommand{
    "explain", "why an artifact is fresh or not, and what its key is made of",
    "  kiln explain spirv-1.5/scene.frag.spv\n  kiln explain shaders/scene.frag --json\n",
    [] { return std::unique_ptr<Command>(new ExplainCommand); }};

}  // namespace kiln::cli
