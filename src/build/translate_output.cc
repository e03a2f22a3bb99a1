// SPDX-License-Identifier: Apache-2.0
// What a run of `translate` leaves: the output, the slots, the dependency file, each by the names that were typed.
#include <algorithm>
#include <set>

#include "base/paths.h"
#include "build/config_reader.h"
#include "build/diagnostic_names.h"
#include "build/foreign_names.h"
#include "build/translate_run.h"

namespace kiln::build {

namespace {

constexpr std::string_view kStdinName = "<stdin>";

}  // namespace

std::string TranslateRun::ShownName(const std::string& id) const {
  if (id == unit_.source) return options_.input == "-" ? std::string(kStdinName) : options_.input;
  // What a #line directive calls its lines is no path of ours.
  if (const auto kind = sources_->KindOf(id); kind && *kind == FileKind::kAbsent) return id;
  return ShownPath(id);
}

std::string TranslateRun::ShownPath(const std::string& id) const {
  if (id == unit_.source) return options_.input == "-" ? std::string(kStdinName) : options_.input;
  const std::string absolute = "/" + id;
  if (!temporary_.empty() && path::IsInside(absolute, temporary_)) return {};  // a place that is nobody's
  return path::IsAbsolute(options_.input) ? absolute : path::Relative(here_, absolute);
}

std::string TranslateRun::WithShownNames(std::string_view text, const MadeArtifact& made) const {
  ModuleNames names(unit_.source);
  for (const ReadImport& import : made.imports) {
    if (!import.to.empty()) names.Opaque(import.to);
  }
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    at = end;
    const size_t begin = line.find('"');
    const size_t close = line.rfind('"');
    const std::string* id = nullptr;
    if (line.starts_with("#line ") && begin < close) id = names.Id(line.substr(begin + 1, close - begin - 1));
    if (id == nullptr) {
      out += line;
    } else {
      out.append(line.substr(0, begin + 1)).append(Printable(ShownName(*id))).append(line.substr(close));
    }
  }
  return out;
}

bool TranslateRun::SparesInputs(const MadeArtifact& made) {
  const bool has_output = !options_.output.empty() && options_.output != "-";
  const std::string output = has_output ? path::Absolute(here_, options_.output) : "";
  const std::string depfile = options_.depfile.empty() ? "" : path::Absolute(here_, options_.depfile);
  const std::string bindings = options_.bindings.empty() ? "" : path::Absolute(here_, options_.bindings);
  const std::pair<const char*, std::string> files[] = {
      {"output", output}, {"dependency file", depfile}, {"file of the slots", bindings}};
  for (const auto& one : files) {
    for (const auto& other : files) {
      if (&one >= &other || one.second.empty() || one.second != other.second) continue;
      sink_.Error("output-is-input").Hint("give each a name of its own")
          << "'" << Printable(path::Relative(here_, one.second)) << "' is both " << one.first << " and " << other.first;
      return false;
    }
  }
  std::vector<std::string> inputs = {absolute_};
  for (const ReadImport& import : made.imports) {
    if (!import.to.empty()) inputs.push_back(sources_->PathOf(import.to));
  }
  for (const auto& [what, file] : files) {
    if (file.empty()) continue;
    for (const std::string& input : inputs) {
      if (input.empty() || !IsSameFile(disk_, file, input)) continue;
      sink_.Error("output-is-input").Hint("give it another name")
          << "the " << what << " would replace the input '" << Printable(path::Relative(here_, input)) << "'";
      return false;
    }
  }
  return true;
}

std::vector<std::string> TranslateRun::FoldersOf(const std::vector<std::string>& absent) const {
  std::set<std::string> folders;
  for (const std::string& id : absent) folders.insert(NearestFolder(disk_, sources_->PathOf(id)));
  for (const std::string* file : {&options_.output, &options_.depfile, &options_.bindings}) {
    if (!file->empty()) folders.erase(std::string(path::Parent(path::Absolute(here_, *file))));
  }
  std::erase_if(folders, [&](const std::string& folder) {
    return folder == "/" || (!temporary_.empty() && path::IsInside(folder, temporary_));
  });
  std::vector<std::string> shown;
  for (const std::string& folder : folders) {
    shown.push_back(path::IsAbsolute(options_.input) ? folder : path::Relative(here_, folder));
  }
  return shown;
}

Result<std::string> TranslateRun::DepfileText(const MadeArtifact& made, const std::vector<std::string>& absent,
                                              std::string about) {
  std::vector<std::string> inputs;
  if (options_.input != "-") inputs.push_back(ShownName(unit_.source));
  for (const ReadImport& import : made.imports) {
    const std::string name = import.to.empty() ? "" : ShownName(import.to);
    if (!name.empty() && std::find(inputs.begin(), inputs.end(), name) == inputs.end()) inputs.push_back(name);
  }
  if (options_.has_depfile_folders) {
    for (std::string& folder : FoldersOf(absent)) inputs.push_back(std::move(folder));
  }
  std::vector<std::string> targets = options_.depfile_targets;
  if (targets.empty()) {
    if (about.empty() || about == "-") {
      return sink_.Error("depfile-name").Hint("name it with -MT")
             << "a dependency file needs an output, or a name for it";
    }
    targets.push_back(std::move(about));
  }
  return MakeDepfile(targets, inputs, options_.depfile_options, sink_);
}

Exit TranslateRun::WriteList(const MadeArtifact& made, const std::vector<std::string>& absent) {
  if (!SparesInputs(made)) return Exit::kConfig;
  auto text = DepfileText(made, absent, options_.input == "-" ? "" : GlslcOutputName(options_.input, "spv"));
  if (!text) return Exit::kConfig;
  const std::string& file = options_.depfile.empty() ? options_.output : options_.depfile;
  if (file.empty() || file == "-") {
    report_.bytes = std::move(*text);
    return Exit::kOk;
  }
  if (auto written = WriteNamed(disk_, path::Absolute(here_, file), *text); !written) {
    sink_.Error("depfile-unwritable") << written.error().Message();
    return Exit::kToolMissing;
  }
  return Exit::kOk;
}

Exit TranslateRun::WriteAll(const MadeArtifact& made, const std::string& bindings,
                            const std::vector<std::string>& absent) {
  if (!SparesInputs(made)) return Exit::kConfig;
  // The text is made first: a name that cannot be written must not leave an output behind.
  std::string depfile;
  if (!options_.depfile.empty()) {
    auto text = DepfileText(made, absent, options_.output);
    if (!text) return Exit::kConfig;
    depfile = std::move(*text);
  }
  if (!options_.output.empty() && options_.output != "-") {
    // Written even where the bytes are equal: who asks a compiler for an output wants one that is newer.
    if (auto written = WriteNamed(disk_, path::Absolute(here_, options_.output), report_.bytes); !written) {
      sink_.Error("output-unwritable") << written.error().Message();
      return Exit::kToolMissing;
    }
  }
  if (!options_.bindings.empty()) {
    if (auto written = WriteNamed(disk_, path::Absolute(here_, options_.bindings), bindings); !written) {
      sink_.Error("output-unwritable") << written.error().Message();
      return Exit::kToolMissing;
    }
  }
  if (options_.depfile.empty()) return Exit::kOk;
  if (auto written = WriteNamed(disk_, path::Absolute(here_, options_.depfile), depfile); !written) {
    sink_.Error("depfile-unwritable") << written.error().Message();
    return Exit::kToolMissing;
  }
  return Exit::kOk;
}

}  // namespace kiln::build
