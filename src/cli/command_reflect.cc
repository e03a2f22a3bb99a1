// SPDX-License-Identifier: Apache-2.0
#include "build/translate.h"
#include "cli/command.h"
#include "cli/compile_options.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

class ReflectCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("INPUT", &input_, 1, 1, "a shader or a SPIR-V module; '-' is standard input");
    table.Text("-o,--output", &output_, "FILE", "where to write (default: standard output)");
    compile_.AddInputOptions(table);
    compile_.AddRunOptions(table);
  }
  Exit Run(Session& session) override {
    build::TranslateOptions options;
    if (const std::string error = compile_.Apply(session, options); !error.empty()) {
      return UsageError(session, "reflect", error, "");
    }
    options.input = input_.front();
    options.target = "reflection";
    const bool is_stream = output_.empty() || output_ == "-";
    if (is_stream) {
      session.TakeOutput();
    } else {
      options.output = output_;
    }
    const build::TranslateReport report = build::Translate(options, session.sink);
    session.PrintDiagnostics();
    if (is_stream && report.exit == build::Exit::kOk) session.Out(report.bytes);
    return ExitOf(report.exit);
  }

 private:
  std::vector<std::string> input_;
  std::string output_;
  CompileOptions compile_;
};

}  // namespace

extern const CommandInfo kReflectCommand{
    "reflect", "what a host program needs to know about a shader, as JSON",
    "Entry points, inputs and outputs, bindings, block layouts, push and specialization constants, by\n"
    "docs/reflection.schema.json.\n\n  kiln reflect shaders/scene.frag\n",
    [] { return std::unique_ptr<Command>(new ReflectCommand); }};

}  // namespace kiln::cli
