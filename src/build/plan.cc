// SPDX-License-Identifier: Apache-2.0
#include "build/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "api/entry_points.h"
#include "base/edit_distance.h"
#include "base/files.h"
#include "base/glob.h"
#include "base/paths.h"
#include "build/config_reader.h"
#include "build/entry_scan.h"
#include "build/output_names.h"
#include "build/sources.h"

namespace kiln::build {
namespace {

class Planner {
 public:
  Planner(const Config& config, Sources& sources, diag::Sink& sink, Plan& plan)
      : config_(config), sources_(sources), sink_(sink), plan_(plan) {}

  void Run() {
    CheckFolders(config_.include);
    for (const ProgramRule& rule : config_.programs) AddRule(rule);
    NameOutputs(config_, plan_, sink_);
  }

 private:
  /// An include root that is not there would be passed over in silence, and with it what a slip of the pen meant.
  void CheckFolders(const std::vector<IncludeFolder>& folders) {
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

  void AddRule(const ProgramRule& rule) {
    CheckFolders(rule.include);
    std::vector<uint32_t> targets = TargetsOf(rule);
    if (rule.glob.empty()) {
      std::string name = rule.name;
      if (name.empty() && !rule.stages.empty()) name = std::string(KindOfSource(rule.stages[0].source).stem);
      if (!rule.name.empty()) {
        const auto [first, is_new] = named_.emplace(rule.name, rule.where);
        if (!is_new) {
          sink_.Error(rule.where, "duplicate-name")
                  .Note(first->second, "the first is here")
                  .Hint("give one another name, or make one program of both with 'stages'")
              << "there are two programs '" << Printable(rule.name) << "'";
        }
      }
      for (const StageRule& stage : rule.stages) AddStage(rule, stage, name, targets);
      EndModule(rule);
      return;
    }
    for (const std::string& source : FilesOf(rule)) {
      const std::string name(KindOfSource(source).stem);
      StageRule stage;
      stage.where = rule.where;
      stage.source_where = rule.where;
      if (rule.stages.empty()) {
        stage.source = source;
        AddStage(rule, stage, name, targets);
      }
      for (StageRule each : rule.stages) {
        each.source = source;
        each.source_where = rule.where;
        AddStage(rule, each, name, targets);
      }
      EndModule(rule);
    }
  }

  std::vector<std::string> FilesOf(const ProgramRule& rule) {
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

  std::vector<uint32_t> TargetsOf(const ProgramRule& rule) {
    std::vector<uint32_t> targets;
    if (rule.targets.empty()) {
      for (uint32_t i = 0; i < config_.targets.size(); ++i) targets.push_back(i);
      return targets;
    }
    std::vector<std::string_view> names;
    for (const Target& target : config_.targets) names.push_back(target.name);
    for (const auto& [name, where] : rule.targets) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found != names.end()) {
        const auto index = static_cast<uint32_t>(found - names.begin());
        if (std::find(targets.begin(), targets.end(), index) == targets.end()) {
          targets.push_back(index);
        } else {
          sink_.Error(where, "duplicate-name").Hint("name it once")
              << "target '" << Printable(name) << "' is named twice";
        }
        continue;
      }
      auto error = sink_.Error(where, "unknown-target");
      error << "the manifest has no target '" << Printable(name) << "'; it has " << Quoted(names);
      const std::string_view near = NearestName(name, names);
      error.Hint(near.empty() ? "add it to 'targets' of the manifest, or name one of these"
                              : "did you mean '" + std::string(near) + "'?");
    }
    // In the order of the manifest, whatever order the program names them in.
    std::sort(targets.begin(), targets.end());
    return targets;
  }

  void AddStage(const ProgramRule& rule, const StageRule& stage, const std::string& program,
                const std::vector<uint32_t>& targets) {
    if (!CheckSource(stage)) return;
    Unit unit;
    unit.program = program;
    unit.source = stage.source;
    unit.where = stage.source_where.is_known() ? stage.source_where : stage.where;
    unit.entry_where = stage.entry_where.is_known() ? stage.entry_where : unit.where;
    unit.stage_where = stage.stage_where.is_known() ? stage.stage_where : unit.where;
    unit.compile = rule.compile;
    const SourceKind kind = KindOfSource(stage.source);
    if (!DecideLanguage(rule, stage, kind, unit)) return;
    AddOverrides(rule.overrides, unit);
    AddOverrides(stage.overrides, unit);
    if (!unit.overrides.empty() && unit.language != Language::kWgsl) {
      sink_.Error(unit.overrides.front().where, "bad-value")
              .Hint("other languages have 'defines', and specialization constants that the host sets")
          << "'overrides' are for WGSL; '" << Printable(stage.source) << "' is of language '" << NameOf(unit.language)
          << "'";
      return;
    }
    if (unit.language == Language::kWgsl) {
      AddWgsl(rule, stage, std::move(unit), targets);
      return;
    }
    if (rule.is_one_module) {
      if (std::exchange(is_module_refused_, true)) return;
      sink_.Error(rule.one_module_where, "bad-value").Hint("leave it out; each entry point is a module then")
          << "'oneModule' is for WGSL; '" << Printable(stage.source) << "' is of language '" << NameOf(unit.language)
          << "', whose compiler makes a module of one entry point";
      return;
    }
    if (!DecideStage(stage, kind, unit)) return;
    unit.entry = stage.entry.value_or("main");
    if (unit.language == Language::kGlsl && unit.entry != "main") {
      auto error = sink_.Error(unit.entry_where, "entry-not-main");
      error << "the entry point of a GLSL shader is always 'main', not '" << Printable(unit.entry) << "'";
      error.Hint("leave 'entry' out");
      return;
    }
    for (const std::vector<Define>* defines : {&config_.defines, &rule.defines, &stage.defines}) {
      for (const Define& define : *defines) {
        const auto at = std::lower_bound(unit.defines.begin(), unit.defines.end(), define.name,
                                         [](const auto& a, const std::string& b) { return a.first < b; });
        const bool is_known = at != unit.defines.end() && at->first == define.name;
        if (define.is_removed) {
          if (is_known) unit.defines.erase(at);
        } else if (is_known) {
          at->second = define.value;
        } else {
          unit.defines.emplace(at, define.name, define.value);
        }
      }
    }
    for (const std::vector<IncludeFolder>* folders : {&rule.include, &config_.include}) {
      for (const IncludeFolder& folder : *folders) {
        if (std::find(unit.include.begin(), unit.include.end(), folder.path) != unit.include.end()) continue;
        unit.include.push_back(folder.path);
      }
    }
    AddUnit(std::move(unit), targets);
  }

  static void AddOverrides(const std::vector<GivenOverride>& given, Unit& unit) {
    for (const GivenOverride& row : given) {
      const auto at = std::lower_bound(unit.overrides.begin(), unit.overrides.end(), row.key,
                                       [](const GivenOverride& a, const std::string& b) { return a.key < b; });
      const bool is_known = at != unit.overrides.end() && at->key == row.key;
      if (row.is_removed) {
        if (is_known) unit.overrides.erase(at);
      } else if (is_known) {
        *at = row;
      } else {
        unit.overrides.insert(at, row);
      }
    }
  }

  void AddUnit(Unit unit, const std::vector<uint32_t>& targets) {
    for (uint32_t target : targets) {
      if (unit.language == Language::kWgsl || config_.targets[target].kind != TargetKind::kWgsl) continue;
      sink_.Error(unit.where, "target-unsupported").Hint("give the program the others with \"targets\"")
          << "'" << Printable(unit.source) << "' cannot become WGSL: only WGSL can, so far";
      return;
    }
    const auto index = static_cast<uint32_t>(plan_.units.size());
    plan_.units.push_back(std::move(unit));
    for (uint32_t target : targets) {
      plan_.artifacts.push_back({index, target, {}, false});
      if (config_.targets[target].has_bindings_file) plan_.artifacts.push_back({index, target, {}, true});
    }
  }

  /// A WGSL text says which entry points it has, and of which stage: a rule that names none means all of them.
  void AddWgsl(const ProgramRule& rule, const StageRule& stage, Unit unit, const std::vector<uint32_t>& targets) {
    const graph::Module* module = sources_.Peek(unit.source);
    const auto entries = module == nullptr ? std::vector<api::EntryPointName>() : api::ListEntryPoints(module->text);
    if (entries.empty()) {  // compiling it says what is wrong with it
      unit.entry = stage.entry.value_or("");
      unit.stage = stage.stage.value_or(Stage::kCompute);
      AddUnit(std::move(unit), targets);
      return;
    }
    std::vector<std::string_view> names;
    bool is_found = false;
    for (const api::EntryPointName& entry : entries) {
      // A name that is declared twice is the compiler's to report, at its place.
      if (std::find(names.begin(), names.end(), entry.name) != names.end()) continue;
      names.push_back(entry.name);
      if (stage.entry && entry.name != *stage.entry) continue;
      if (stage.stage && StageOf(entry.stage) != *stage.stage) {
        if (!stage.entry) continue;
        sink_.Error(stage.stage_where, "stage-mismatch").Hint("leave 'stage' out: the source says it")
            << "entry point '" << entry.name << "' of '" << Printable(unit.source) << "' is a "
            << NameOf(StageOf(entry.stage)) << " entry point, not a " << NameOf(*stage.stage) << " one";
        return;
      }
      is_found = true;
      Unit each = unit;
      each.entry = entry.name;
      each.stage = StageOf(entry.stage);
      if (rule.is_one_module) {
        AddToModule(stage, std::move(each), targets);
      } else {
        AddUnit(std::move(each), targets);
      }
    }
    if (is_found) return;
    auto error = sink_.Error(unit.entry_where, "entry-missing");
    error << "'" << Printable(unit.source) << "' has no such entry point";
    error.Hint("it has " + Quoted(names));
  }

  /// The texts of SPIRV-Cross are about one entry point each; the other targets wait for the whole module.
  void AddToModule(const StageRule& stage, Unit unit, const std::vector<uint32_t>& targets) {
    std::vector<uint32_t> texts;
    std::vector<uint32_t> modules;
    for (const uint32_t target : targets) (IsText(config_.targets[target].kind) ? texts : modules).push_back(target);
    if (!module_) {
      module_ = unit;
      module_targets_ = std::move(modules);
      module_sources_.clear();
    } else if (module_->source != unit.source) {
      if (std::find(module_sources_.begin(), module_sources_.end(), unit.source) != module_sources_.end()) return;
      module_sources_.push_back(unit.source);
      sink_.Error(unit.where, "bad-value")
              .Note(module_->where, "the module's source is named here")
              .Hint("make a program of each source, or leave 'oneModule' out")
          << "'oneModule' makes one module of one source: '" << Printable(unit.source) << "' is another than '"
          << Printable(module_->source) << "'";
      return;
    }
    if (std::find(module_->entries.begin(), module_->entries.end(), unit.entry) != module_->entries.end()) {
      sink_.Error(stage.where, "duplicate-name").Hint("name each entry point once")
          << "entry point '" << unit.entry << "' would be in the module twice";
      return;
    }
    module_->entries.push_back(unit.entry);
    if (!unit.overrides.empty() && module_->overrides.empty()) module_->overrides = unit.overrides;
    if (!texts.empty()) AddUnit(std::move(unit), texts);
  }

  void EndModule(const ProgramRule& rule) {
    is_module_refused_ = false;
    if (!module_) return;
    if (module_targets_.empty()) {
      sink_.Error(rule.one_module_where, "bad-value").Hint("leave it out, or add a target as 'spirv-1.5'")
          << "'oneModule' is for SPIR-V, WGSL and reflection, and the program has no such target: other languages have "
             "one entry point a text";
    } else if (module_->entries.size() > 1 && !module_->overrides.empty()) {
      sink_.Error(module_->overrides.front().where, "bad-value")
              .Note(rule.one_module_where, "one module is asked for here")
              .Hint(
                  "leave one of the two out; a host can set overrides of a module itself, in SPIR-V as "
                  "specialization constants")
          << "'overrides' are values of one pipeline with its one entry point; the module would have '"
          << EntryNameOf(*module_) << "'";
    } else {
      AddUnit(*std::move(module_), module_targets_);
    }
    module_.reset();
  }

  bool CheckSource(const StageRule& stage) {
    const auto known = checked_.find(stage.source);
    if (known != checked_.end()) return known->second;
    return checked_[stage.source] = CheckNewSource(stage);
  }

  bool CheckNewSource(const StageRule& stage) {
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

  void ReportMissing(const StageRule& stage, diag::Range where) {
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

  bool DecideLanguage(const ProgramRule& rule, const StageRule& stage, const SourceKind& kind, Unit& unit) {
    std::optional<Language> language = stage.language ? stage.language : rule.language;
    if (!language) language = kind.language;
    if (!language) language = config_.language;
    if (!language) {
      auto error = sink_.Error(unit.where, "language-unknown");
      error << "the name '" << Printable(stage.source) << "' does not say which language it is";
      error.Hint("add \"language\": \"glsl\" or \"hlsl\"");
      return false;
    }
    unit.language = *language;
    return true;
  }

  bool DecideStage(const StageRule& stage, const SourceKind& kind, Unit& unit) {
    std::optional<PragmaStage> pragma;
    if (unit.language == Language::kGlsl || unit.language == Language::kHlsl) {
      if (const graph::Module* module = sources_.Peek(stage.source)) pragma = FindPragmaStage(module->text);
    }
    if (stage.stage && kind.stage && *stage.stage != *kind.stage) {
      sink_.Error(stage.stage_where, "stage-mismatch").Hint("leave 'stage' out, or rename the file")
          << "'" << Printable(stage.source) << "' is a " << NameOf(*kind.stage) << " shader by its name, not a "
          << NameOf(*stage.stage) << " shader";
      return false;
    }
    const std::optional<Stage> named = stage.stage ? stage.stage : kind.stage;
    if (pragma && named && pragma->stage != *named) {
      sink_.Error(unit.stage_where, "stage-mismatch")
              .Note(diag::Location{stage.source, {pragma->line, 1}, {}}, "the pragma is here")
              .Hint("one of the two is wrong: the pragma, or what the manifest or the name says")
          << "'" << Printable(stage.source) << "' is built as a " << NameOf(*named)
          << " shader, but its '#pragma shader_stage' says " << NameOf(pragma->stage);
      return false;
    }
    if (!named && !pragma) {
      auto error = sink_.Error(unit.where, "stage-unknown");
      error << "the name '" << Printable(stage.source) << "' does not say which stage it is";
      error.Hint("add \"stage\", use an extension as '.vert', or write '#pragma shader_stage(vertex)' in it");
      return false;
    }
    unit.stage = named ? *named : pragma->stage;
    return true;
  }

  const Config& config_;
  Sources& sources_;
  diag::Sink& sink_;
  Plan& plan_;
  std::map<std::string, diag::Range> named_;
  // Of the rule that is being planned, where it asks for one module.
  std::optional<Unit> module_;
  std::vector<uint32_t> module_targets_;
  std::vector<std::string> module_sources_;  // others than the module's, which were reported
  bool is_module_refused_ = false;
  std::unordered_map<std::string, bool> checked_;
};

/// The output folder must be Kiln's alone: nothing it needs may lie in it, and it must not be reached by a link.
void CheckOutputFolder(const Config& config, const Plan& plan, diag::Sink& sink) {
  const std::string& folder = plan.output_folder;
  if (path::IsInside(config.folder, folder)) {
    auto error = sink.Error(config.output_where, "output-holds-sources");
    error << "the output folder holds the project itself; Kiln replaces an output folder as a whole";
    error.Hint("give it a folder of its own, as \"build/shaders\"");
    return;
  }
  std::vector<IncludeFolder> roots = config.include;
  for (const ProgramRule& rule : config.programs) roots.insert(roots.end(), rule.include.begin(), rule.include.end());
  for (const IncludeFolder& include : roots) {
    if (!path::IsInside(path::Absolute(config.folder, include.path), folder)) continue;
    // The output folder may stand in no manifest: the default, or --output.
    const bool has_place = config.output_where.is_known();
    sink.Error(has_place ? config.output_where : include.where, "output-holds-sources")
            .Hint("give the outputs a folder of their own, as \"build/shaders\"")
        << "the output folder holds the include root '" << Printable(include.path) << "'";
  }
}

}  // namespace

Result<Plan> MakePlan(const Config& config, const std::string& output_folder, Sources& sources, diag::Sink& sink) {
  Plan plan;
  plan.output_folder =
      output_folder.empty() ? path::Absolute(config.folder, config.output_folder) : path::Normalise(output_folder);
  diag::Sink own(*config.sources);
  CheckOutputFolder(config, plan, own);
  if (!own.has_errors()) Planner(config, sources, own, plan).Run();
  const bool failed = own.has_errors();
  sink.Append(own.TakeDiagnostics());
  if (failed) return sink.FailedBecauseReported();
  return plan;
}

std::string StageNameOf(const Unit& unit) { return unit.entries.empty() ? std::string(NameOf(unit.stage)) : "module"; }

std::string EntryNameOf(const Unit& unit) {
  std::string text = unit.entry;
  for (size_t i = 0; i < unit.entries.size(); ++i) text = i == 0 ? unit.entries[0] : text + ", " + unit.entries[i];
  return text;
}

std::string Describe(const Config& config, const Plan& plan, const PlannedArtifact& artifact) {
  const Unit& unit = plan.units[artifact.unit];
  const std::string part = unit.entries.empty()
                               ? std::string(NameOf(unit.stage)) + " stage '" + Printable(unit.entry) + "'"
                               : "module with '" + Printable(EntryNameOf(unit)) + "'";
  return "program '" + Printable(unit.program) + "', " + part + " of '" + Printable(unit.source) + "' for " +
         Printable(config.targets[artifact.target].name) + (artifact.is_bindings ? ", its slots" : "");
}

}  // namespace kiln::build
