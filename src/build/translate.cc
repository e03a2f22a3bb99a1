// SPDX-License-Identifier: Apache-2.0
// One file to one target: a unit and a recipe of their own, made by the same Maker as those of a build.
#include "build/translate.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "api/entry_points.h"
#include "base/paths.h"
#include "build/config_reader.h"
#include "build/diagnostic_names.h"
#include "build/entry_scan.h"
#include "build/maker.h"
#include "build/project.h"
#include "build/target_options.h"
#include "reflect/from_spirv.h"

namespace kiln::build {
namespace {

constexpr std::string_view kStdinName = "<stdin>";
constexpr uint64_t kMaxStdin = uint64_t{64} << 20;

/// What is not a target of a manifest.
enum class Special : uint8_t { kNone, kPreprocessed, kDisassembly };

class TranslateRun {
 public:
  TranslateRun(const TranslateOptions& options, diag::Sink& sink)
      : options_(options), sink_(sink), disk_(SystemDisk()) {}
  ~TranslateRun() {
    if (!temporary_.empty()) (void)disk_.RemoveTree(temporary_).ok();
  }

  TranslateReport Run() {
    report_.exit = Exit::kConfig;
    const auto here = CurrentFolder();
    if (!here) {
      sink_.Error("config-unreadable") << here.error().Message();
      return std::move(report_);
    }
    here_ = *here;
    if (DecideTarget() && OpenInput() && DecideUnit()) Make();
    return std::move(report_);
  }

 private:
  bool DecideTarget() {
    std::string asked = options_.target;
    if (asked.empty()) {
      const std::string_view extension = path::Extension(options_.output);
      static constexpr std::pair<std::string_view, std::string_view> kByExtension[] = {
          {".spv", "spirv"}, {".spirv", "spirv"}, {".metal", "msl"},       {".msl", "msl"},   {".hlsl", "hlsl"},
          {".glsl", "glsl"}, {".essl", "essl"},   {".json", "reflection"}, {".wgsl", "wgsl"}, {".spvasm", "spvasm"}};
      for (const auto& [known, target] : kByExtension) {
        if (extension == known) asked = target;
      }
      if (options_.lists_dependencies) asked = "preprocessed";
      if (asked.empty()) asked = options_.default_target;
      if (asked.empty()) {
        auto error = sink_.Error("target-unknown");
        error << "the output does not say what to make";
        error.Hint("name a target, as --target spirv-1.5, or end the output's name with .spv, .metal, .hlsl or .glsl");
        return false;
      }
    }
    target_.name = asked;
    target_.options = options_.target_options;
    std::sort(target_.options.begin(), target_.options.end());
    if (asked == "preprocessed" || options_.lists_dependencies) special_ = Special::kPreprocessed;
    if (asked == "spvasm") special_ = Special::kDisassembly;
    std::string why;
    const auto name = ParseTargetName(special_ == Special::kNone ? asked : "spirv", why);
    if (!name) {
      sink_.Error("unknown-target").Hint("as in --target=spirv-1.5 or --target=msl-2.4") << why;
      return false;
    }
    target_.kind = name->kind;
    target_.version = name->version;
    if (!options_.environment.empty()) {
      const auto& all = kEnvironments;
      if (std::find(std::begin(all), std::end(all), options_.environment) == std::end(all)) {
        sink_.Error("bad-value").Hint("as in --target-env=vulkan1.2")
            << "there is no environment '" << Printable(options_.environment) << "'; it can be " << Quoted(all);
        return false;
      }
      target_.compile.environment = options_.environment;
      const std::string_view most = MaxSpirvOf(options_.environment);
      const bool has_version = asked.find('-') != std::string::npos;
      if (target_.kind == TargetKind::kSpirv && !has_version) target_.version = most;
      if (target_.kind == TargetKind::kSpirv && target_.version > most) {
        sink_.Error("bad-version").Hint("ask for a later environment with --target-env, or for an older SPIR-V")
            << "environment '" << options_.environment << "' takes SPIR-V up to " << most << ", not "
            << target_.version;
        return false;
      }
    }
    target_.compile.optimize = options_.optimize == "none" ? "" : options_.optimize;
    target_.compile.debug_info = options_.debug_info;
    if (options_.is_validation_advisory) target_.compile.validate = "warning";
    const bool is_text = IsText(target_.kind);
    if (!options_.bindings.empty() && (!is_text || special_ != Special::kNone)) {
      sink_.Error("bad-value").Hint("leave --bindings out; 'kiln reflect' lists the bindings of a shader")
          << "only MSL, HLSL, GLSL and ESSL are given slots; '" << Printable(asked) << "' is not";
      return false;
    }
    if (options_.words.form != WordForm::kBytes && (target_.kind != TargetKind::kSpirv || special_ != Special::kNone)) {
      sink_.Error("bad-value").Hint("leave -mfmt and --variable-name out, or use --target=spirv")
          << "only SPIR-V is written as numbers; '" << Printable(asked) << "' is text";
      return false;
    }
    if (!CheckOptions(asked, is_text)) return false;
    const bool has_platform = std::any_of(target_.options.begin(), target_.options.end(),
                                          [](const auto& option) { return option.first == "platform"; });
    if (target_.kind == TargetKind::kMsl && !has_platform) {
      target_.options.emplace_back("platform", "macos");
      std::sort(target_.options.begin(), target_.options.end());
    }
    return true;
  }

  /// Options of texts are the toolchain's to refuse; nobody else looks at those of other targets, nor at protections.
  bool CheckOptions(std::string_view asked, bool is_text) {
    for (auto& [name, value] : target_.options) {
      if (IsWgslOption(name) && (is_text || target_.kind == TargetKind::kSpirv)) {
        if (value == "true" || value == "false") value = value == "true" ? "1" : "0";
        if (value == "0" || value == "1") continue;
        sink_.Error("bad-value").Hint("as in --option=clamp-indices=false")
            << "option '" << name << "' is '" << Printable(value) << "', not true or false";
        return false;
      }
      if (is_text) continue;
      auto error = sink_.Error("unknown-option");
      error << "target '" << Printable(asked) << "' has no option '" << Printable(name) << "'";
      std::vector<std::string_view> names;
      for (const TargetOption& option : AllTargetOptions()) {
        if (option.targets & BitOf(target_.kind)) names.push_back(option.name);
      }
      if (!names.empty()) error.Hint("it has " + Quoted(names));
      return false;
    }
    return true;
  }

  /// The file, or standard input as a file of its own: includes of it are looked for in the working folder.
  bool OpenInput() {
    include_ = options_.include;
    if (options_.input != "-") {
      absolute_ = path::Absolute(here_, options_.input);
      if (!options_.output.empty() && IsSameFile(disk_, path::Absolute(here_, options_.output), absolute_)) {
        sink_.Error("output-is-input").Hint("give the output another name with -o")
            << "the output would replace the input '" << Printable(options_.input) << "'";
        return false;
      }
      auto stat = disk_.Stat(absolute_);
      if (!stat || stat->kind != FileKind::kRegular) {
        sink_.Error("source-missing").Hint("names are relative to the working folder, or to that of -C")
            << (!stat             ? stat.error().Message()
                : !stat->exists() ? "there is no file '" + Printable(options_.input) + "'"
                                  : "'" + Printable(options_.input) + "' is no regular file");
        return false;
      }
      return true;
    }
    std::string text;
    char block[65536];
    while (true) {
      const ssize_t count = ::read(STDIN_FILENO, block, sizeof block);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      text.append(block, static_cast<size_t>(count));
      if (text.size() > kMaxStdin) break;
    }
    if (text.size() > kMaxStdin) {
      sink_.Error("source-unreadable").Hint("split it, or write it to a file")
          << "standard input is longer than " << std::to_string(kMaxStdin) << " bytes";
      return false;
    }
    auto folder = disk_.MakeTemporaryFolder(TemporaryFolder(), "kiln-stdin-");
    if (!folder) {
      sink_.Error("source-unreadable") << folder.error().Message();
      return false;
    }
    temporary_ = *folder;
    absolute_ = path::Join(temporary_, "stdin");
    if (auto written = disk_.WriteFile(absolute_, text); !written) {
      sink_.Error("source-unreadable") << written.error().Message();
      return false;
    }
    include_.insert(include_.begin(), here_);
    return true;
  }

  bool DecideUnit() {
    // The root of all is the project, so that an include may lead anywhere, as a compiler's may.
    sources_ = DiskSources(disk_, "/", [this](const std::string& id) { return ShownPath(id); });
    unit_.source = absolute_.substr(1);
    unit_.program = path::Stem(options_.input);
    for (const std::string& folder : include_) unit_.include.push_back(path::Absolute(here_, folder).substr(1));
    for (std::string& folder : unit_.include) {
      if (folder.empty()) folder = ".";
    }
    for (const auto& [name, value] : options_.defines) {
      const auto at = std::lower_bound(unit_.defines.begin(), unit_.defines.end(), name,
                                       [](const auto& a, const std::string& b) { return a.first < b; });
      if (at != unit_.defines.end() && at->first == name) {
        at->second = value;
      } else {
        unit_.defines.emplace(at, name, value);
      }
    }
    const SourceKind kind = KindOfSource(options_.input);
    is_assembly_ = path::Extension(options_.input) == ".spvasm" && !options_.language;
    const std::optional<Language> language = options_.language ? options_.language : kind.language;
    if (is_assembly_) {
      unit_.language = Language::kSpirv;
    } else if (language) {
      unit_.language = *language;
    } else if (options_.stage) {
      unit_.language = Language::kGlsl;
    } else {
      auto error = sink_.Error("language-unknown");
      error << "the name '" << Printable(options_.input) << "' does not say which language it is";
      error.Hint("name a language or a stage, or end the name with .vert, .frag, .comp, .hlsl or .spv");
      return false;
    }
    unit_.entry = options_.entry.empty() ? "main" : options_.entry;
    if (!options_.overrides.empty() && unit_.language != Language::kWgsl) {
      sink_.Error("bad-value").Hint("use -D NAME=VALUE")
          << "--override is for WGSL; other languages have specialization constants or macros";
      return false;
    }
    if (unit_.language != Language::kGlsl && unit_.language != Language::kHlsl && !options_.compile_options.empty()) {
      sink_.Error("unknown-option").Hint("leave it out, or give the source's --language")
          << "option '" << Printable(options_.compile_options.front().first) << "' is for GLSL and HLSL, and '"
          << Printable(options_.input) << "' is " << NameOf(unit_.language);
      return false;
    }
    for (const auto& [key, value] : options_.overrides) unit_.overrides.push_back({key, value, false, {}});
    std::sort(unit_.overrides.begin(), unit_.overrides.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    if (unit_.language == Language::kSpirv) return DecideSpirvEntry();
    if (unit_.language == Language::kWgsl) {
      return DecideWgslEntry();
    }
    if (target_.kind == TargetKind::kWgsl) {
      sink_.Error("target-unsupported").Hint("see --target for the others") << "WGSL can be made of WGSL only";
      return false;
    }
    if (unit_.language == Language::kGlsl && unit_.entry != "main") {
      sink_.Error("entry-not-main").Hint("leave --entry out")
          << "the entry point of a GLSL shader is always 'main', not '" << Printable(unit_.entry) << "'";
      return false;
    }
    std::optional<Stage> stage = options_.stage ? options_.stage : kind.stage;
    if (!stage) {
      if (const graph::Module* module = sources_->Peek(unit_.source)) {
        if (const auto pragma = FindPragmaStage(module->text)) stage = pragma->stage;
      }
    }
    if (!stage && special_ != Special::kPreprocessed) {
      auto error = sink_.Error("stage-unknown");
      error << "the name '" << Printable(options_.input) << "' does not say which stage it is";
      error.Hint("give --stage, or write '#pragma shader_stage(vertex)' in it");
      return false;
    }
    unit_.stage = stage.value_or(Stage::kVertex);
    return true;
  }

  /// A WGSL text says itself what its entry points are. SPIR-V can hold all of them; one text of another language is
  /// about one.
  bool DecideWgslEntry() {
    if (special_ == Special::kPreprocessed || !options_.defines.empty()) {
      auto error = sink_.Error("bad-value");
      error << "WGSL has no preprocessor";
      error.Hint("use an override: override NAME = 1;");
      return false;
    }
    unit_.entry = options_.entry;
    unit_.stage = options_.stage.value_or(Stage::kVertex);
    const graph::Module* module = sources_->Peek(unit_.source);
    if (module == nullptr) return true;  // capturing it says why
    const std::vector<api::EntryPointName> entries = api::ListEntryPoints(module->text);
    // Values are those of a pipeline, and a pipeline has one entry point.
    const bool is_text = special_ == Special::kNone && IsText(target_.kind);
    const bool needs_one = is_text || !options_.overrides.empty();
    const api::EntryPointName* found = nullptr;
    std::vector<std::string_view> names;
    for (const api::EntryPointName& entry : entries) {
      names.push_back(entry.name);
      const Stage stage = StageOf(entry.stage);
      if (!options_.entry.empty() && entry.name != options_.entry) continue;
      if (options_.stage && stage != *options_.stage) continue;
      if (found != nullptr && needs_one) {
        sink_.Error("entry-ambiguous").Hint("name one with --entry")
            << "the module has several entry points: " << Quoted(names);
        return false;
      }
      found = &entry;
    }
    if (found == nullptr && !entries.empty()) {
      report_.exit = Exit::kSources;
      auto error = sink_.Error(diag::Location{ShownName(unit_.source), {}, {}}, "entry-missing");
      error << "the module has no " << MeantEntry();
      error.Hint("it has " + Quoted(names));
      return false;
    }
    if (found != nullptr && (needs_one || !options_.entry.empty() || options_.stage)) {
      unit_.entry = found->name;
      unit_.stage = StageOf(found->stage);
    }
    return true;
  }

  std::string MeantEntry() const {
    std::string text(options_.stage ? NameOf(*options_.stage) : "");
    text += text.empty() ? "entry point" : " entry point";
    return options_.entry.empty() ? text : text + " '" + Printable(options_.entry) + "'";
  }

  /// SPIR-V says itself what its entry points are; one must be chosen only where there are several.
  bool DecideSpirvEntry() {
    if (special_ == Special::kPreprocessed) {
      sink_.Error("bad-value").Hint("use --target=spvasm for a readable form") << "SPIR-V has no preprocessor";
      return false;
    }
    if (target_.kind == TargetKind::kSpirv || target_.kind == TargetKind::kReflection || is_assembly_) {
      unit_.stage = options_.stage.value_or(Stage::kVertex);
      return true;
    }
    auto bytes = sources_->ReadBinary(unit_.source);
    if (!bytes) {
      sink_.Error("source-unreadable") << bytes.error().Message();
      return false;
    }
    diag::Sink own;
    const auto module = reflect::FromSpirv(*bytes, own);
    auto diagnostics = own.TakeDiagnostics();
    for (diag::Diagnostic& each : diagnostics) {
      if (!each.location.is_known()) each.location.file = ShownName(unit_.source);
    }
    sink_.Append(std::move(diagnostics));
    if (!module) {
      report_.exit = Exit::kSources;
      return false;
    }
    std::vector<std::string_view> names;
    const reflect::EntryPoint* found = nullptr;
    for (const reflect::EntryPoint& entry : module->entry_points) {
      names.push_back(entry.name);
      const auto stage = StageFromName(entry.stage);
      const bool is_meant =
          (options_.entry.empty() || entry.name == options_.entry) && (!options_.stage || stage == *options_.stage);
      if (!is_meant) continue;
      if (found != nullptr) {
        sink_.Error("entry-ambiguous").Hint("name one with --entry")
            << "the module has several entry points: " << Quoted(names);
        return false;
      }
      found = &entry;
    }
    if (found == nullptr) {
      report_.exit = Exit::kSources;
      auto error = sink_.Error(diag::Location{ShownName(unit_.source), {}, {}}, "entry-missing");
      error << "the module has no " << MeantEntry();
      if (!names.empty()) error.Hint("it has " + Quoted(names));
      return false;
    }
    unit_.entry = found->name;
    const auto stage = StageFromName(found->stage);
    if (!stage) {
      sink_.Error("stage-unknown") << "stage '" << found->stage << "' of '" << found->name << "' is not known";
      return false;
    }
    unit_.stage = *stage;
    return true;
  }

  /// What only a command line asks for.
  void ApplyForeign(Recipe& recipe) const {
    for (const auto& [name, value] : options_.compile_options) {
      if (name != "preserve-bindings") {
        SetOption(recipe.compile, name, value);
        continue;
      }
      for (Step& step : recipe.steps) {
        if (step.operation == "optimize") SetOption(step.options, name, value);
      }
    }
    if (options_.entry_name.empty()) return;
    SetOption(recipe.compile, "entry-name", options_.entry_name);
    for (Step& step : recipe.steps) {
      if (step.operation == "translate") SetOption(step.options, "entry-point", options_.entry_name);
    }
  }

  Recipe MakeRecipe() const {
    Config config;
    Recipe recipe = RecipeOf(config, unit_, target_);
    for (auto& [name, value] : recipe.compile) {
      if (name == "debug-name") value = ShownName(unit_.source);
    }
    ApplyForeign(recipe);
    std::sort(recipe.compile.begin(), recipe.compile.end());
    if (special_ == Special::kPreprocessed) {
      recipe.front = "preprocess";
      recipe.steps.clear();
    }
    if (special_ == Special::kDisassembly) {
      // Looking at broken SPIR-V is what a disassembler is for.
      std::erase_if(recipe.steps, [](const Step& step) { return step.operation == "validate"; });
      recipe.steps.push_back({"disassemble", {}});
    }
    if (is_assembly_) {
      // What is made has the version that was asked for, which its validation then expects.
      Options options;
      if (target_.kind == TargetKind::kSpirv) options.emplace_back("environment", "universal" + target_.version);
      recipe.steps.insert(recipe.steps.begin(), Step{"assemble", std::move(options)});
    }
    return recipe;
  }

  /// As it was typed; includes in the same way, absolute or from here. Empty for what only Kiln itself made.
  std::string ShownName(const std::string& id) const {
    if (id == unit_.source) return options_.input == "-" ? std::string(kStdinName) : options_.input;
    // What a #line directive calls its lines is no path of ours.
    if (const auto kind = sources_->KindOf(id); kind && *kind == FileKind::kAbsent) return id;
    return ShownPath(id);
  }

  /// As above, of what may not be there: a place that was looked at.
  std::string ShownPath(const std::string& id) const {
    if (id == unit_.source) return options_.input == "-" ? std::string(kStdinName) : options_.input;
    const std::string absolute = "/" + id;
    if (!temporary_.empty() && path::IsInside(absolute, temporary_)) return {};  // a place that is nobody's
    return path::IsAbsolute(options_.input) ? absolute : path::Relative(here_, absolute);
  }

  void Make() {
    report_.exit = Exit::kToolMissing;
    const std::string cache_folder = CacheFolderOf(options_.cache_folder);
    const Recipe recipe = MakeRecipe();
    // What Kiln compiles itself needs no toolchain.
    worker::ToolchainSet toolchain;
    if (unit_.language != Language::kWgsl || !recipe.steps.empty()) {
      worker::DiscoveryOptions discovery;
      if (!options_.tool_folder.empty()) discovery.folders = {options_.tool_folder};
      discovery.cache_folder = options_.no_cache ? "" : cache_folder;
      auto chosen = ChooseToolchain(Config(), options_.toolchain, worker::Discover(discovery), sink_);
      if (!chosen) return;
      toolchain = std::move(*chosen);
    }
    worker::PoolOptions pool;
    if (options_.deadline_seconds != 0) pool.deadline = std::chrono::seconds(options_.deadline_seconds);
    if (options_.memory_mib != 0) pool.memory_limit = uint64_t{options_.memory_mib} << 20;
    const auto runner = PoolRunner(toolchain, pool);
    store::Store store(disk_, SystemClock(), options_.no_cache ? "" : cache_folder);
    Executor executor(store, *runner, toolchain.digest, 4);
    Maker maker(*sources_, store, executor, {});
    std::vector<std::pair<size_t, Recipe>> wanted = {{0, recipe}};
    if (!options_.bindings.empty()) wanted.emplace_back(1, BindingsOf(recipe));
    maker.Start(unit_, std::move(wanted));
    while (executor.load() != 0) executor.Wait(1000);
    MadeArtifact& made = maker.ResultOf(0);
    Rename(made.diagnostics, [&](const std::string& id) { return ShownName(id); });
    const bool has_warnings_as_errors = JudgeWarnings(made.diagnostics);
    sink_.Append(std::move(made.diagnostics));
    for (const auto& [id, input] : maker.inputs()) report_.inputs.push_back(ShownName(id));
    if (!made.is_ok) {
      report_.exit = made.is_tool_missing ? Exit::kToolMissing : Exit::kSources;
      return;
    }
    if (has_warnings_as_errors) {
      report_.exit = Exit::kSources;
      return;
    }
    const auto bytes = maker.BytesOf(made);
    const auto bindings = options_.bindings.empty() ? bytes : maker.BytesOf(maker.ResultOf(1));
    if (!bytes || !bindings) {
      report_.exit = Exit::kInternal;
      sink_.Error("cache-lost").Hint("run it again, or use --no-cache")
          << "the result was removed from the cache while it was read";
      return;
    }
    report_.was_cached = made.was_cached;
    if (options_.lists_dependencies) {
      report_.exit = WriteList(made, maker.absent());
      return;
    }
    report_.bytes =
        special_ == Special::kPreprocessed ? WithShownNames(*bytes, made) : WordText(*bytes, options_.words);
    report_.exit = WriteAll(made, *bindings, maker.absent());
  }

  /// Hides warnings or makes errors of them; true where there are such errors.
  bool JudgeWarnings(std::vector<diag::Diagnostic>& diagnostics) const {
    const auto is_warning = [](const diag::Diagnostic& each) { return each.severity == diag::Severity::kWarning; };
    if (options_.hides_warnings) std::erase_if(diagnostics, is_warning);
    if (!options_.are_warnings_errors) return false;
    bool has_any = false;
    for (diag::Diagnostic& each : diagnostics) {
      if (!is_warning(each)) continue;
      each.severity = diag::Severity::kError;
      if (each.hint.empty()) each.hint = "it is a warning, and -Werror takes it for an error";
      has_any = true;
    }
    return has_any;
  }

  /// #line directives speak of "m1"; people and the next compiler want the name of a file.
  std::string WithShownNames(std::string_view text, const MadeArtifact& made) const {
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

  /// Compilers are called by scripts, and scripts mix names up: what was read must survive.
  bool SparesInputs(const MadeArtifact& made) {
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
            << "'" << Printable(path::Relative(here_, one.second)) << "' is both " << one.first << " and "
            << other.first;
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

  /// The folders where a file would be found first that was found elsewhere, or not at all. Not those that this run
  /// writes in: with them nothing would ever be up to date.
  std::vector<std::string> FoldersOf(const std::vector<std::string>& absent) const {
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

  Result<std::string> DepfileText(const MadeArtifact& made, const std::vector<std::string>& absent, std::string about) {
    std::vector<std::string> inputs;
    if (options_.input != "-") inputs.push_back(ShownName(unit_.source));
    for (const ReadImport& import : made.imports) {
      const std::string name = import.to.empty() ? "" : ShownName(import.to);
      if (!name.empty() && std::find(inputs.begin(), inputs.end(), name) == inputs.end()) inputs.push_back(name);
    }
    if (options_.has_depfile_folders) {
      for (std::string& folder : FoldersOf(absent)) inputs.push_back(std::move(folder));
    }
    if (!options_.depfile_target.empty()) about = options_.depfile_target;
    if (about.empty() || about == "-") {
      return sink_.Error("depfile-name").Hint("name it with -MT")
             << "a dependency file needs an output, or a name for it";
    }
    return MakeDepfile({std::move(about)}, inputs, options_.depfile_options, sink_);
  }

  /// -M: the list is the product; it goes to the dependency file where one is named.
  Exit WriteList(const MadeArtifact& made, const std::vector<std::string>& absent) {
    if (!SparesInputs(made)) return Exit::kConfig;
    auto text = DepfileText(made, absent, options_.input == "-" ? "" : options_.input + ".spv");
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

  Exit WriteAll(const MadeArtifact& made, const std::string& bindings, const std::vector<std::string>& absent) {
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

  const TranslateOptions& options_;
  diag::Sink& sink_;
  Disk& disk_;
  TranslateReport report_;
  std::string here_;
  std::string absolute_;
  std::string temporary_;
  std::vector<std::string> include_;
  std::unique_ptr<Sources> sources_;
  Unit unit_;
  Target target_;
  Special special_ = Special::kNone;
  bool is_assembly_ = false;
};

}  // namespace

TranslateReport Translate(const TranslateOptions& options, diag::Sink& sink) {
  return TranslateRun(options, sink).Run();
}

}  // namespace kiln::build
