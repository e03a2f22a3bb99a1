// SPDX-License-Identifier: Apache-2.0
// What a run of `translate` is asked for: the target, the input, and which entry point of it.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "api/entry_points.h"
#include "base/paths.h"
#include "build/config_reader.h"
#include "build/entry_scan.h"
#include "build/project.h"
#include "build/target_options.h"
#include "build/translate_run.h"
#include "reflect/from_spirv.h"

namespace kiln::build {

namespace {

constexpr uint64_t kMaxStdin = uint64_t{64} << 20;

/// Options of `compile` that HLSL alone has, and the flags that users know them by.
constexpr std::pair<std::string_view, std::string_view> kHlslFlags[] = {
    {"hlsl-16bit-types", "-fhlsl-16bit-types"},
    {"hlsl-dx9-compatible", "--hlsl-dx9-compatible"},
    {"hlsl-flatten-uniform-arrays", "--flatten-uniform-arrays"},
    {"hlsl-functionality1", "-fhlsl-functionality1"}};

}  // namespace

bool TranslateRun::DecideTarget() {
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
      error.Hint(std::string("name a target, as --target spirv-1.5, ") +
                 (options_.output.empty()
                      ? "for standard output, which is where it goes without -o and with '-o -'; or "
                        "name a file with -o that ends with "
                      : "or end the output's name with ") +
                 ".spv, .spvasm, .metal, .hlsl, .glsl, .essl, .wgsl or .json");
      return false;
    }
  }
  target_.name = asked;
  target_.options = options_.target_options;
  std::sort(target_.options.begin(), target_.options.end());
  if (asked == "preprocessed" || options_.lists_dependencies) special_ = Special::kPreprocessed;
  if (asked == "spvasm") special_ = Special::kDisassembly;
  std::string why;
  std::string hint;
  const auto name = ParseTargetName(special_ == Special::kNone ? asked : "spirv", why, hint);
  if (!name) {
    sink_.Error("unknown-target").Hint(hint.empty() ? "as in --target=spirv-1.5 or --target=msl-2.4" : hint) << why;
    return false;
  }
  target_.kind = name->kind;
  target_.version = name->version;
  const std::string& environment = options_.environment.empty() && target_.kind == TargetKind::kSpirv
                                       ? options_.default_environment
                                       : options_.environment;
  if (!environment.empty()) {
    const auto& all = kEnvironments;
    if (std::find(std::begin(all), std::end(all), environment) == std::end(all)) {
      sink_.Error("bad-value").Hint("as in --target-env=vulkan1.2")
          << "there is no environment '" << Printable(environment) << "'; it can be " << Quoted(all);
      return false;
    }
    target_.compile.environment = environment;
    const std::string_view most = MaxSpirvOf(environment);
    const bool has_version = asked.find('-') != std::string::npos;
    if (target_.kind == TargetKind::kSpirv && !has_version) target_.version = most;
    // The one pair that Vulkan has as an extension of its own (VK_KHR_spirv_1_4).
    const bool is_extended = environment == "vulkan1.1" && target_.version == "1.4";
    if (target_.kind == TargetKind::kSpirv && target_.version > most && !is_extended) {
      sink_.Error("bad-version").Hint("ask for a later environment with --target-env, or for an older SPIR-V")
          << "environment '" << environment << "' takes SPIR-V up to " << most << ", not " << target_.version;
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
  if (options_.shows_assembly && (target_.kind != TargetKind::kSpirv || special_ != Special::kNone)) {
    sink_.Error("bad-value").Hint("leave -H out, or use --target=spirv")
        << "only SPIR-V is shown in a readable form besides; '" << Printable(asked) << "' is text";
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

bool TranslateRun::CheckOptions(std::string_view asked, bool is_text) {
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

bool TranslateRun::OpenInput() {
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

bool TranslateRun::DecideUnit() {
  // The root of all is the project, so that an include may lead anywhere, as a compiler's may.
  sources_ = DiskSources(disk_, "/", [this](const std::string& id) { return ShownPath(id); });
  unit_.source = absolute_.substr(1);
  unit_.program = path::Stem(options_.input);
  for (const std::string& folder : include_) unit_.include.push_back(path::Absolute(here_, folder).substr(1));
  for (std::string& folder : unit_.include) {
    if (folder.empty()) folder = ".";
  }
  for (const auto& [name, value] : options_.defines) SetOption(unit_.defines, name, value);
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
    error.Hint(
        "name the language with -x or a stage with --stage, or end the name with .vert, .frag, .comp, .hlsl, "
        ".wgsl or .spv");
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
  for (const auto& [option, flag] : kHlslFlags) {
    const bool is_given = std::any_of(options_.compile_options.begin(), options_.compile_options.end(),
                                      [&, name = option](const auto& given) { return given.first == name; });
    if (!is_given || unit_.language == Language::kHlsl) continue;
    sink_.Error("unknown-option").Hint("leave it out, or give the source's --language")
        << "'" << flag << "' is for HLSL, and '" << Printable(options_.input) << "' is " << NameOf(unit_.language);
    return false;
  }
  for (const auto& [key, value] : options_.overrides) unit_.overrides.push_back({key, value, false, {}, {}});
  std::sort(unit_.overrides.begin(), unit_.overrides.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  if (unit_.language == Language::kWgsl) return DecideWgslEntry();
  if (special_ == Special::kNone && target_.kind == TargetKind::kWgsl) {
    sink_.Error("target-unsupported").Hint("see --target for the others") << "WGSL can be made of WGSL only";
    return false;
  }
  if (unit_.language == Language::kSpirv) return DecideSpirvEntry();
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

bool TranslateRun::DecideWgslEntry() {
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
    // A reflection tells of all entry points that are meant.
    const bool is_asked = !options_.entry.empty() || options_.stage;
    if (is_asked && target_.kind == TargetKind::kReflection) unit_.entries.push_back(entry.name);
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

std::string TranslateRun::MeantEntry() const {
  std::string text(options_.stage ? NameOf(*options_.stage) : "");
  text += text.empty() ? "entry point" : " entry point";
  return options_.entry.empty() ? text : text + " '" + Printable(options_.entry) + "'";
}

bool TranslateRun::DecideSpirvEntry() {
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

}  // namespace kiln::build
