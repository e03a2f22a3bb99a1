// SPDX-License-Identifier: Apache-2.0
#include "toolchain/adapter/cross.h"

#include <algorithm>

#include "toolchain/cross_option_table.h"  // written by CMake from this set's spirv_cross_c.h

namespace kiln::toolchain {
namespace {

constexpr std::string_view kTargets[] = {"msl", "hlsl", "glsl", "essl"};

// Set by `target`, `version` and `platform`.
constexpr std::string_view kNotByName[] = {"glsl-version", "glsl-es", "hlsl-shader-model", "msl-version",
                                           "msl-platform"};

uint32_t LanguageBits(CrossTarget target) {
  switch (target) {
    case CrossTarget::kMsl:
      return SPVC_COMPILER_OPTION_MSL_BIT;
    case CrossTarget::kHlsl:
      return SPVC_COMPILER_OPTION_HLSL_BIT;
    case CrossTarget::kGlsl:
    case CrossTarget::kEssl:
      return SPVC_COMPILER_OPTION_GLSL_BIT;
  }
  return 0;
}

void ReadVersion(Options& options, CrossSettings& settings) {
  constexpr std::string_view kDefaults[] = {"2.1", "5.1", "450", "310"};
  const auto at = static_cast<size_t>(settings.target);
  const std::string text = options.Text("version", kDefaults[at]);
  const auto version = ReadTargetVersion(text);
  const auto wrong = [&](std::string_view wants) {
    options.Problem("option 'version' is '" + text + "'; for " + std::string(kTargets[at]) + " it must be " +
                    std::string(wants));
  };
  if (!version) return wrong("a version");
  switch (settings.target) {
    case CrossTarget::kMsl:
      if (version->major < 1 || version->major > 4 || version->minor > 9) return wrong("1.0 to 4.0");
      settings.values.emplace_back(SPVC_COMPILER_OPTION_MSL_VERSION,
                                   SPVC_MAKE_MSL_VERSION(version->major, version->minor, 0));
      break;
    case CrossTarget::kHlsl:
      settings.shader_model = version->major >= 30 ? version->major : version->major * 10 + version->minor;
      if (settings.shader_model < 30 || settings.shader_model > 69) return wrong("5.0 to 6.x");
      settings.values.emplace_back(SPVC_COMPILER_OPTION_HLSL_SHADER_MODEL, settings.shader_model);
      break;
    case CrossTarget::kGlsl:
    case CrossTarget::kEssl: {
      const bool is_es = settings.target == CrossTarget::kEssl;
      settings.glsl_version = version->major < 100 ? version->major * 100 + version->minor * 10 : version->major;
      constexpr uint32_t kDesktop[] = {110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460};
      constexpr uint32_t kEs[] = {100, 300, 310, 320};
      const bool is_known =
          is_es ? std::find(std::begin(kEs), std::end(kEs), settings.glsl_version) != std::end(kEs)
                : std::find(std::begin(kDesktop), std::end(kDesktop), settings.glsl_version) != std::end(kDesktop);
      if (!is_known) return wrong(is_es ? "100, 300, 310 or 320" : "330 to 460");
      settings.values.emplace_back(SPVC_COMPILER_OPTION_GLSL_VERSION, settings.glsl_version);
      settings.values.emplace_back(SPVC_COMPILER_OPTION_GLSL_ES, is_es);
      break;
    }
  }
}

std::optional<uint32_t> Value(const std::string& text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const auto version = ReadTargetVersion(text);
  if (!version || text.find('.') != std::string::npos) return std::nullopt;
  return version->major;
}

}  // namespace

Cross::Cross() { spvc_context_create(&context_); }
Cross::~Cross() { spvc_context_destroy(context_); }

bool Cross::Parse(const std::vector<uint32_t>& words, CrossTarget target) {
  spvc_parsed_ir ir = nullptr;
  if (spvc_context_parse_spirv(context_, words.data(), words.size(), &ir) != SPVC_SUCCESS) return false;
  const spvc_backend backend = target == CrossTarget::kMsl    ? SPVC_BACKEND_MSL
                               : target == CrossTarget::kHlsl ? SPVC_BACKEND_HLSL
                                                              : SPVC_BACKEND_GLSL;
  return spvc_context_create_compiler(context_, backend, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler_) ==
         SPVC_SUCCESS;
}

std::string Cross::LastError() const {
  const char* text = spvc_context_get_last_error_string(context_);
  return text == nullptr || *text == '\0' ? "no reason given" : text;
}

CrossSettings ReadCrossSettings(Options& options) {
  CrossSettings settings;
  const std::string target = options.OneOf("target", kTargets, "msl");
  if (options.Text("target").empty()) options.Problem("option 'target' is missing");
  settings.target =
      static_cast<CrossTarget>(std::find(std::begin(kTargets), std::end(kTargets), target) - std::begin(kTargets));
  ReadVersion(options, settings);
  constexpr std::string_view kPlatforms[] = {"macos", "ios"};
  const std::string platform = options.OneOf("platform", kPlatforms, "macos");
  if (settings.target == CrossTarget::kMsl) {
    settings.values.emplace_back(SPVC_COMPILER_OPTION_MSL_PLATFORM,
                                 platform == "ios" ? SPVC_MSL_PLATFORM_IOS : SPVC_MSL_PLATFORM_MACOS);
  }
  constexpr std::string_view kMslSlots[] = {"buffer", "texture", "sampler"};
  constexpr std::string_view kHlslSlots[] = {"b", "t", "u", "s", "space"};
  constexpr std::string_view kGlslSlots[] = {"binding"};
  settings.slots = settings.target == CrossTarget::kMsl    ? ReadSlotMap(options, kMslSlots)
                   : settings.target == CrossTarget::kHlsl ? ReadSlotMap(options, kHlslSlots)
                                                           : ReadSlotMap(options, kGlslSlots);
  options.Remaining([&](const std::string& name, const std::string& text) {
    if (std::find(std::begin(kNotByName), std::end(kNotByName), name) != std::end(kNotByName)) return false;
    for (const CrossOption& option : kCrossOptions) {
      if (option.name != name) continue;
      const uint32_t bits = static_cast<uint32_t>(option.option) & SPVC_COMPILER_OPTION_LANG_BITS;
      const auto value = Value(text);
      if ((bits & (LanguageBits(settings.target) | SPVC_COMPILER_OPTION_COMMON_BIT)) == 0) {
        options.Problem("option '" + name + "' is not for target '" + target + "'");
      } else if (!value) {
        options.Problem("option '" + name + "' is '" + text + "'; it must be a number, false or true");
      } else {
        settings.values.emplace_back(option.option, *value);
      }
      return true;
    }
    return false;
  });
  return settings;
}

bool CrossSettings::has_vulkan_semantics() const {
  return std::find(values.begin(), values.end(), std::make_pair(SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS, 1u)) !=
         values.end();
}

bool Apply(const CrossSettings& settings, spvc_compiler compiler) {
  spvc_compiler_options options = nullptr;
  if (spvc_compiler_create_compiler_options(compiler, &options) != SPVC_SUCCESS) return false;
  for (const auto& [option, value] : settings.values) {
    if (spvc_compiler_options_set_uint(options, option, value) != SPVC_SUCCESS) return false;
  }
  return spvc_compiler_install_compiler_options(compiler, options) == SPVC_SUCCESS;
}

std::optional<SpvExecutionModel> ExecutionModelOf(std::string_view stage) {
  constexpr std::pair<std::string_view, SpvExecutionModel> kModels[] = {
      {"vertex", SpvExecutionModelVertex},
      {"tesscontrol", SpvExecutionModelTessellationControl},
      {"tesseval", SpvExecutionModelTessellationEvaluation},
      {"geometry", SpvExecutionModelGeometry},
      {"fragment", SpvExecutionModelFragment},
      {"compute", SpvExecutionModelGLCompute},
      {"raygen", SpvExecutionModelRayGenerationKHR},
      {"intersection", SpvExecutionModelIntersectionKHR},
      {"anyhit", SpvExecutionModelAnyHitKHR},
      {"closesthit", SpvExecutionModelClosestHitKHR},
      {"miss", SpvExecutionModelMissKHR},
      {"callable", SpvExecutionModelCallableKHR},
      {"task", SpvExecutionModelTaskEXT},
      {"mesh", SpvExecutionModelMeshEXT}};
  for (const auto& [name, model] : kModels) {
    if (name == stage) return model;
  }
  return std::nullopt;
}

}  // namespace kiln::toolchain
