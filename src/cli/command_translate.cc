// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>

#include "base/paths.h"
#include "build/translate.h"
#include "cli/command.h"
#include "cli/compile_options.h"
#include "cli/session.h"

namespace kiln::cli {

namespace {

class TranslateCommand final : public Command {
 public:
  void Rewrite(std::vector<std::string>& arguments) override { RewriteForeign(arguments); }

  void AddOptions(OptionTable& table) override {
    table.Positionals("INPUT [OUTPUT]", &files_, 1, 2, "a shader or a SPIR-V module; '-' is standard input");
    table.Text("-o,--output", &output_, "FILE", "where to write; '-', and without it, standard output");
    compile_.AddInputOptions(table);
    compile_.AddRunOptions(table);
    compile_.AddVerdictOptions(table);
    compile_.AddOutputOptions(table);
    compile_.AddForeignOptions(table);
    table.Text("--bindings", &bindings_, "FILE", "write which slot each resource was given, as JSON").complete =
        Complete::kFile;
    table.Flag("-M,-MM", &is_list_alone_, "write what the output depends on, and no output");
    table.Flag("-MD", &has_depfile_, "write what the output depends on, for make and Ninja, to OUTPUT.d");
    table.Text("-MF,--depfile", &depfile_, "FILE", "as -MD, to this file").complete = Complete::kFile;
    table.List("-MT,-MQ", &depfile_targets_, "NAME",
               "what the dependency file says depends (default: the output; may be repeated)");
    table.Flag("-MP", &has_phony_, "add an empty rule for each dependency");
    table.Flag("--depfile-folders", &has_folders_, "name the folders too in which an include was looked for in vain");
  }

  Exit Run(Session& session) override {
    build::TranslateOptions options;
    if (const std::string error = compile_.Apply(session, options); !error.empty()) {
      return UsageError(session, "translate", error, "");
    }
    options.input = files_.front();
    compile_.ApplyInput(options);
    if (files_.size() > 1 && compile_.is_of_compiler()) {
      // To naga a second word is the output. Here it is a source, and would be lost.
      return UsageError(session, "translate", "'" + files_[1] + "' is a second input, and one call has one",
                        "call it for each; an output is named with -o");
    }
    if (files_.size() > 1) {
      if (!output_.empty())
        return UsageError(session, "translate", "two outputs: '" + output_ + "' and '" + files_[1] + "'", "");
      output_ = files_[1];
    }
    options.lists_dependencies = is_list_alone_;
    if (output_.empty() && !is_list_alone_) {
      std::string error;
      std::string hint;
      if (!compile_.NameOutput(options, output_, error, hint)) return UsageError(session, "translate", error, hint);
    }
    const bool is_stream = output_.empty() || output_ == "-";
    if (compile_.prints_assembly() && is_stream) options.target = "spvasm";  // what was SPIR-V is not written again
    options.shows_assembly = compile_.prints_assembly() && !is_stream;
    if (options.shows_assembly) session.TakeOutput();
    if (is_stream) {
      session.TakeOutput();
      const bool is_binary = (options.target.empty() || options.target.starts_with("spirv")) && !is_list_alone_ &&
                             options.words.form == build::WordForm::kBytes;
      if (is_binary && isatty(STDOUT_FILENO) != 0) {
        return UsageError(session, "translate", "SPIR-V is not written to a terminal",
                          "name a file with -o, or --target=spvasm");
      }
    } else {
      options.output = output_;
    }
    options.depfile = depfile_;
    if (depfile_.empty() && has_depfile_) {
      if (is_stream) return UsageError(session, "translate", "-MD without an output file needs -MF FILE", "");
      options.depfile = output_ + ".d";
    }
    if (!options.depfile.empty() && is_stream && depfile_targets_.empty() && !is_list_alone_) {
      return UsageError(session, "translate", "a dependency file for standard output needs -MT NAME", "");
    }
    options.bindings = bindings_;
    options.depfile_targets = depfile_targets_;
    options.depfile_options.has_phony_rules = has_phony_;
    options.has_depfile_folders = has_folders_;

    const build::TranslateReport report = build::Translate(options, session.sink);
    session.PrintDiagnostics();
    if (report.exit == build::Exit::kOk) session.Out(is_stream ? report.bytes : report.assembly);
    return ExitOf(report.exit);
  }

 private:
  std::vector<std::string> files_;
  std::string output_;
  CompileOptions compile_;
  std::string bindings_;
  bool has_depfile_ = false;
  std::string depfile_;
  std::vector<std::string> depfile_targets_;
  bool has_phony_ = false;
  bool has_folders_ = false;
  bool is_list_alone_ = false;
};

}  // namespace

extern const CommandInfo kTranslateCommand{
    "translate", "compile one file to one target",
    "Takes the place of a glslc, glslangValidator, spirv-cross or naga call:\n\n"
    "  glslc -O a.frag -o a.spv -MD                  kiln translate -O a.frag -o a.spv -MD\n"
    "  glslangValidator -V -S frag a.glsl -o a.spv   kiln translate -V -S frag a.glsl -o a.spv\n"
    "  spirv-cross a.spv --msl --output a.metal      kiln translate a.spv --msl --output a.metal\n"
    "  naga a.wgsl a.metal                           kiln translate a.wgsl a.metal\n\n"
    "SPIR-V that is made is validated. Files are written only on success.\n",
    [] { return std::unique_ptr<Command>(new TranslateCommand); }};

}  // namespace kiln::cli
