// SPDX-License-Identifier: Apache-2.0
#include "toolchain/adapter/glslang_run.h"

#include <glslang/build_info.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "toolchain/source_text.h"

namespace kiln::toolchain {
namespace {

// Brackets nested deeper than this are refused before a recursive parser sees them.
constexpr size_t kMaxNesting = 1000;

struct StageName {
  std::string_view name;
  EShLanguage stage;
};
constexpr StageName kStages[] = {{"vertex", EShLangVertex},
                                 {"tesscontrol", EShLangTessControl},
                                 {"tesseval", EShLangTessEvaluation},
                                 {"geometry", EShLangGeometry},
                                 {"fragment", EShLangFragment},
                                 {"compute", EShLangCompute},
                                 {"raygen", EShLangRayGen},
                                 {"intersection", EShLangIntersect},
                                 {"anyhit", EShLangAnyHit},
                                 {"closesthit", EShLangClosestHit},
                                 {"miss", EShLangMiss},
                                 {"callable", EShLangCallable},
                                 {"task", EShLangTask},
                                 {"mesh", EShLangMesh}};

struct EnvironmentName {
  std::string_view name;
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion spirv;
};
constexpr EnvironmentName kEnvironments[] = {{"vulkan1.0", glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0},
                                             {"vulkan1.1", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3},
                                             {"vulkan1.2", glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5},
                                             {"vulkan1.3", glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6},
#if GLSLANG_VERSION_GREATER_OR_EQUAL_TO(15, 0, 0)
                                             {"vulkan1.4", glslang::EShTargetVulkan_1_4, glslang::EShTargetSpv_1_6},
#endif
                                             {"opengl4.5", glslang::EShTargetOpenGL_450, glslang::EShTargetSpv_1_0}};

struct SpirvName {
  std::string_view name;
  glslang::EShTargetLanguageVersion version;
};
constexpr SpirvName kSpirvVersions[] = {{"1.0", glslang::EShTargetSpv_1_0}, {"1.1", glslang::EShTargetSpv_1_1},
                                        {"1.2", glslang::EShTargetSpv_1_2}, {"1.3", glslang::EShTargetSpv_1_3},
                                        {"1.4", glslang::EShTargetSpv_1_4}, {"1.5", glslang::EShTargetSpv_1_5},
                                        {"1.6", glslang::EShTargetSpv_1_6}};

template <typename Row, size_t N>
std::array<std::string_view, N> NamesOf(const Row (&rows)[N]) {
  std::array<std::string_view, N> names;
  for (size_t i = 0; i < N; ++i) names[i] = rows[i].name;
  return names;
}

template <typename Row, size_t N>
const Row& RowOf(const Row (&rows)[N], std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return row;
  }
  return rows[0];
}

constexpr std::pair<std::string_view, glslang::TResourceType> kShifts[] = {
    {"sampler", glslang::EResSampler}, {"texture", glslang::EResTexture}, {"image", glslang::EResImage},
    {"ubo", glslang::EResUbo},         {"ssbo", glslang::EResSsbo},       {"uav", glslang::EResUav}};

// The place of an include directive; the module alone where a macro names what it includes.
diag::Location PlaceOf(const worker::Import& import, const std::vector<NamedText>& texts, std::string* line_text) {
  diag::Location place;
  place.file = import.from;
  const std::string quoted = import.is_angled ? "<" + import.spelled + ">" : "\"" + import.spelled + "\"";
  for (const NamedText& text : texts) {
    if (text.module != import.from) continue;
    const std::string code = WithoutComments(text.text);
    uint32_t line = 0;
    for (std::string_view rest = code; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size() - 1);
      const std::string_view one = rest.substr(0, end + 1);
      rest.remove_prefix(end + 1);
      ++line;
      const size_t at = one.find(quoted);
      if (at == std::string_view::npos || !HasDirective(one, "include")) continue;
      place.begin = {line, ColumnOf(one, at)};
      place.end = {line, ColumnOf(one, at + quoted.size())};
      if (line_text != nullptr) *line_text = LineOf(text.text, line);
      return place;
    }
  }
  return place;
}

diag::Diagnostic DescribeCycle(const std::vector<worker::Import>& cycle, const std::vector<NamedText>& texts) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "include-cycle";
  diagnostic.message = "'" + cycle.back().spelled + "' includes itself" +
                       (cycle.size() == 1 ? "" : " by way of others") + ": includes nest deeper than 128";
  diagnostic.hint = "'#pragma once' in it, or a guard, ends the circle";
  diagnostic.location = PlaceOf(cycle.back(), texts, &diagnostic.source_line);
  for (size_t i = 0; i + 1 < cycle.size(); ++i) {
    diagnostic.notes.push_back({PlaceOf(cycle[i], texts, nullptr), "'" + cycle[i].spelled + "' is included here"});
  }
  return diagnostic;
}

}  // namespace

void StartGlslang() {
  static const bool started = glslang::InitializeProcess();
  (void)started;
}

GlslangRun::GlslangRun(const worker::Action& action, Options& options) : action_(action) {
  constexpr std::string_view kLanguages[] = {"glsl", "hlsl"};
  constexpr std::string_view kDebug[] = {"0", "1", "nonsemantic"};
  root_ = options.Text("entry");
  language_ = options.OneOf("language", kLanguages, "glsl");
  is_hlsl_ = language_ == "hlsl";
  stage_ = RowOf(kStages, options.OneOf("stage", NamesOf(kStages), "")).stage;
  if (options.Text("stage").empty()) options.Problem("option 'stage' is missing");
  entry_point_ = options.Text("entry-point", "main");
  environment_ = options.OneOf("environment", NamesOf(kEnvironments), "vulkan1.2");
  spirv_ = options.OneOf("spirv", NamesOf(kSpirvVersions), "");
  debug_ = options.OneOf("debug-info", kDebug, "0");
  shown_root_ = SafeName(options.Text("debug-name", root_));
  entry_name_ = options.Text("entry-name", entry_point_);
  if (const auto version = options.Number("default-version")) default_version_ = *version;
  ReadStandard(options);

  options.WithPrefix("define:", [&](const std::string& name, const std::string& value) {
    if (!ascii::IsIdentifier(name.substr(0, name.find('('))) || value.find_first_of("\r\n") != std::string::npos ||
        name.find_first_of("\r\n") != std::string::npos) {
      options.Problem("'" + name + "' cannot be defined: a macro has a name and a value of one line");
      return;
    }
    preamble_ += "#define " + name + " " + value + "\n";
  });
  for (const auto& [name, resource] : kShifts) {
    if (const auto base = options.Number("shift:" + std::string(name))) {
      settings_.push_back(
          [resource = resource, base = *base](glslang::TShader& shader) { shader.setShiftBinding(resource, base); });
    }
  }
  const auto flag = [&](std::string_view name, void (glslang::TShader::*set)(bool)) {
    if (options.Flag(name)) settings_.push_back([set](glslang::TShader& shader) { (shader.*set)(true); });
  };
  flag("auto-map-bindings", &glslang::TShader::setAutoMapBindings);
  flag("auto-map-locations", &glslang::TShader::setAutoMapLocations);
  flag("invert-y", &glslang::TShader::setInvertY);
  flag("nan-clamp", &glslang::TShader::setNanMinMaxClamp);
  flag("hlsl-io-mapping", &glslang::TShader::setHlslIoMapping);
  if (is_hlsl_) {
    flag("hlsl-flatten-uniform-arrays", &glslang::TShader::setFlattenUniformArrays);
    if (options.Flag("hlsl-functionality1")) {
      settings_.push_back([](glslang::TShader& shader) { shader.setEnvTargetHlslFunctionality1(); });
    }
  }
  // Recovery after an error is asked for: several errors a run.
  unsigned messages = EShMsgSpvRules | EShMsgCascadingErrors;
  if (environment_ != "opengl4.5") messages |= EShMsgVulkanRules;
  if (options.Flag("hlsl-offsets")) messages |= EShMsgHlslOffsets;
  if (is_hlsl_) {
    messages |= EShMsgReadHlsl;
    if (options.Flag("hlsl-16bit-types")) messages |= EShMsgHlslEnable16BitTypes;
    if (options.Flag("hlsl-dx9-compatible")) messages |= EShMsgHlslDX9Compatible;
  }
  if (options.Flag("relaxed-errors")) messages |= EShMsgRelaxedErrors;
  if (options.Flag("no-warnings")) messages |= EShMsgSuppressWarnings;
  if (options.Flag("vulkan-relaxed")) {
    settings_.push_back([](glslang::TShader& shader) { shader.setEnvInputVulkanRulesRelaxed(); });
  }
  if (has_debug_info()) messages |= EShMsgDebugInfo;
#if GLSLANG_VERSION_GREATER_OR_EQUAL_TO(14, 0, 0)
  messages |= EShMsgDisplayErrorColumn;
#endif
  messages_ = static_cast<EShMessages>(messages);
}

void GlslangRun::ReadStandard(Options& options) {
  const std::string text = options.Text("std");
  if (text.empty()) return;
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view profile = std::string_view(text).substr(end);
  uint32_t version = 0;
  const bool has_version = std::from_chars(text.data(), text.data() + end, version).ec == std::errc() && version >= 100;
  if (profile == "es") profile_ = EEsProfile;
  if (profile == "core") profile_ = ECoreProfile;
  if (profile == "compatibility") profile_ = ECompatibilityProfile;
  if (!has_version || version > 999 || (!profile.empty() && profile_ == ENoProfile)) {
    options.Problem("option 'std' is '" + text + "'; it is a version with a profile, as 450core or 310es");
    return;
  }
  default_version_ = version;
  has_forced_version_ = true;
}

std::optional<worker::ActionResult> GlslangRun::Prepare() {
  const std::string* source = FindInput(action_, root_);
  if (source == nullptr) return Refuse("bad-request", "the root module '" + root_ + "' was not sent");
  for (const worker::Blob& input : action_.inputs) {
    const size_t deep = FindTooDeep(input.bytes, kMaxNesting);
    if (deep == std::string::npos) continue;
    worker::ActionResult result = Refuse("nesting-too-deep", "brackets nest deeper than " + std::to_string(kMaxNesting),
                                         "", worker::ExitKind::kSourceErrors);
    const std::string_view before = std::string_view(input.bytes).substr(0, deep);
    diag::Diagnostic& diagnostic = result.diagnostics[0];
    diagnostic.location.file = input.name;
    diagnostic.location.begin.line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    diagnostic.location.begin.column = ColumnOf(before.substr(line_start), before.size());
    return result;
  }

  includer_ = std::make_unique<ImportIncluder>(action_, root_, texts_);
  const std::string_view text = WithoutMark(*source);
  texts_.push_back({shown_root_, root_, text});
  if (!is_hlsl_ && (HasDirective(text, "include") || !action_.imports.empty())) {
    // What the author's other tools switch on by themselves, too.
    preamble_ += "#extension GL_GOOGLE_include_directive : enable\n";
  }

  StartGlslang();
  const EnvironmentName& environment = RowOf(kEnvironments, environment_);
  const bool is_opengl = environment_ == "opengl4.5";
  const glslang::EShClient client = is_opengl ? glslang::EShClientOpenGL : glslang::EShClientVulkan;
  shader_ = std::make_unique<glslang::TShader>(stage_);
  text_pointer_ = text.data();
  text_length_ = static_cast<int>(text.size());
  name_pointer_ = texts_[0].shown.c_str();
  shader_->setStringsWithLengthsAndNames(&text_pointer_, &text_length_, &name_pointer_, 1);
  shader_->setPreamble(preamble_.c_str());
  shader_->setEntryPoint(entry_name_.c_str());
  shader_->setSourceEntryPoint(entry_point_.c_str());
  shader_->setEnvInput(is_hlsl_ ? glslang::EShSourceHlsl : glslang::EShSourceGlsl, stage_, client, 100);
  shader_->setEnvClient(client, environment.client);
  shader_->setEnvTarget(glslang::EShTargetSpv,
                        spirv_.empty() ? environment.spirv : RowOf(kSpirvVersions, spirv_).version);
  if (has_debug_info()) shader_->setDebugInfo(true);
  for (const auto& setting : settings_) setting(*shader_);
  return std::nullopt;
}

worker::ActionResult GlslangRun::Conclude(std::string_view log, bool failed) const {
  worker::ActionResult result;
  result.consulted = includer_->consulted;
  result.unresolved = includer_->unresolved;
#if GLSLANG_VERSION_GREATER_OR_EQUAL_TO(14, 0, 0)
  constexpr bool kHasColumns = true;
#else
  constexpr bool kHasColumns = false;
#endif
  if (!result.unresolved.empty()) {
    // What the compiler says about a source with holes is worth nothing.
    result.exit = worker::ExitKind::kNeedsModule;
    return result;
  }
  result.diagnostics = ReadCompilerLog(log, {texts_, root_, kHasColumns, entry_point_});
  if (!includer_->cycle.empty()) {
    // One mistake; what the compiler made of a source that ends 128 levels down is none of the author's.
    result.diagnostics = {DescribeCycle(includer_->cycle, texts_)};
    result.exit = worker::ExitKind::kSourceErrors;
    return result;
  }
  const auto is_error = [](const diag::Diagnostic& d) { return d.severity == diag::Severity::kError; };
  if (failed || std::any_of(result.diagnostics.begin(), result.diagnostics.end(), is_error)) {
    result.exit = worker::ExitKind::kSourceErrors;
    if (std::none_of(result.diagnostics.begin(), result.diagnostics.end(), is_error)) {
      diag::Diagnostic diagnostic;
      diagnostic.code = "glslang-error";
      diagnostic.location.file = root_;
      diagnostic.message = "the compiler failed without saying why";
      result.diagnostics.push_back(std::move(diagnostic));
    }
  }
  return result;
}

}  // namespace kiln::toolchain
