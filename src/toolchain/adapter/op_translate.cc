// SPDX-License-Identifier: Apache-2.0
// translate: SPIR-V to MSL, HLSL, GLSL or ESSL text.
#include "toolchain/adapter/cross.h"
#include "toolchain/adapter/instructions.h"
#include "toolchain/adapter/operation.h"
#include "toolchain/ascii_names.h"
#include "toolchain/options.h"
#include "toolchain/target_words.h"

namespace kiln::toolchain {
namespace {

struct Extras {
  std::string entry_point, stage, rename, extensions;
  bool removes_unused = false, flattens_blocks = false, automatic_registers = false;
};

worker::ActionResult Unsupported(const Cross& cross, const char* code = "cross-unsupported") {
  return Refuse(code, cross.LastError());
}

// The entry point asked for; a module with one needs no asking. False: there is none such.
bool ChooseEntryPoint(spvc_compiler compiler, const Extras& extras, std::string& problem) {
  const spvc_entry_point* points = nullptr;
  size_t count = 0;
  if (spvc_compiler_get_entry_points(compiler, &points, &count) != SPVC_SUCCESS) count = 0;
  const auto model = ExecutionModelOf(extras.stage);
  const spvc_entry_point* found = nullptr;
  size_t matches = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!extras.entry_point.empty() && extras.entry_point != points[i].name) continue;
    if (model && *model != points[i].execution_model) continue;
    found = &points[i];
    ++matches;
  }
  if (matches == 1) {
    const std::string name = found->name;
    const SpvExecutionModel chosen = found->execution_model;
    if (!extras.rename.empty()) {
      return spvc_compiler_rename_entry_point(compiler, name.c_str(), extras.rename.c_str(), chosen) == SPVC_SUCCESS &&
             spvc_compiler_set_entry_point(compiler, extras.rename.c_str(), chosen) == SPVC_SUCCESS;
    }
    return spvc_compiler_set_entry_point(compiler, name.c_str(), chosen) == SPVC_SUCCESS;
  }
  const std::string asked = (extras.entry_point.empty() ? "" : " '" + extras.entry_point + "'") +
                            (extras.stage.empty() ? "" : " of stage " + extras.stage);
  problem = matches == 0 ? "the module has no entry point" + asked
                         : "the module has several entry points" + asked + ": say which";
  return false;
}

void RequireExtensions(spvc_compiler compiler, std::string_view list) {
  while (!list.empty()) {
    const size_t end = list.find_first_of(" ,");
    const std::string name(list.substr(0, end));
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
    if (!name.empty()) spvc_compiler_require_extension(compiler, name.c_str());
  }
}

// What ESSL 3.20 and GLSL 4.00 have of their own, and SPIRV-Cross uses in older versions without saying so.
void RequireOfOlder(const CrossSettings& settings, spvc_compiler compiler, std::span<const uint32_t> words) {
  const bool is_essl = settings.target == CrossTarget::kEssl;
  if (settings.glsl_version >= (is_essl ? 320 : 400)) return;
  ForEachInstruction(words, [&](uint32_t op, std::span<const uint32_t> operands) {
    if (op != SpvOpCapability || operands.empty()) return;
    const uint32_t capability = operands[0];
    const bool has_cube_array =
        capability == SpvCapabilitySampledCubeArray || capability == SpvCapabilityImageCubeArray;
    if (has_cube_array) {
      spvc_compiler_require_extension(compiler,
                                      is_essl ? "GL_EXT_texture_cube_map_array" : "GL_ARB_texture_cube_map_array");
    }
    if (is_essl && capability == SpvCapabilityGeometry) {
      spvc_compiler_require_extension(compiler, "GL_EXT_geometry_shader");
    }
  });
}

// No version of ESSL has two colors for one target of its own.
void RequireOfDualSource(const CrossSettings& settings, spvc_compiler compiler, std::span<const uint32_t> words) {
  if (settings.target != CrossTarget::kEssl) return;
  bool has_index = false;
  ForEachInstruction(words, [&](uint32_t op, std::span<const uint32_t> operands) {
    has_index |= op == SpvOpDecorate && operands.size() > 1 && operands[1] == SpvDecorationIndex;
  });
  if (has_index) spvc_compiler_require_extension(compiler, "GL_EXT_blend_func_extended");
}

using IsName = bool (*)(std::string_view);

bool IsNoWord(std::string_view) { return false; }

// Members of structures are apart from functions, but not from keywords. SPIRV-Cross makes what collides then different
// again. Entry points have the names that were asked for.
void RenameWords(spvc_compiler compiler, std::span<const uint32_t> words, IsName is_word, IsName is_function) {
  constexpr size_t kBound = 3;  // word of the header
  std::vector<bool> is_entry(words[kBound]);
  ForEachInstruction(words, [&](uint32_t op, std::span<const uint32_t> operands) {
    if (op == SpvOpEntryPoint && operands.size() > 1 && operands[1] < is_entry.size()) is_entry[operands[1]] = true;
    if (op != SpvOpMemberName || operands.size() < 2) return;
    const char* text = spvc_compiler_get_member_name(compiler, operands[0], operands[1]);
    if (text == nullptr || !is_word(text)) return;
    spvc_compiler_set_member_name(compiler, operands[0], operands[1], (std::string(text) + "_").c_str());
  });
  for (SpvId id = 1; id < words[kBound]; ++id) {
    const char* text = spvc_compiler_get_name(compiler, id);
    if (text == nullptr) continue;
    // A function of GLSL is called "device(f1;".
    const std::string_view name = std::string_view(text).substr(0, std::string_view(text).find('('));
    if (is_word(name) || (is_function(name) && !is_entry[id])) {
      spvc_compiler_set_name(compiler, id, (std::string(name) + "_").c_str());
    }
  }
}

// SPIRV-Cross takes a library, a module of functions alone, for one that is malformed.
bool IsLibrary(std::span<const uint32_t> words) {
  bool has_entry = false;
  return ForEachInstruction(words, [&](uint32_t op, auto) { has_entry |= op == SpvOpEntryPoint; }) && !has_entry;
}

worker::ActionResult Run(std::vector<uint32_t> words, const CrossSettings& settings, const Extras& extras) {
  const auto originals = MakeNamesAscii(words);
  Cross cross;
  if (!cross.Parse(words, settings.target)) {
    if (!IsLibrary(words)) return Unsupported(cross, "spirv-malformed");
    return Refuse("entry-point-missing", "the module has no entry point, and a text of this language is made of one");
  }
  const spvc_compiler compiler = cross.compiler();
  std::string problem;
  if (!ChooseEntryPoint(compiler, extras, problem)) {
    return problem.empty() ? Unsupported(cross) : Refuse("entry-point-missing", problem);
  }
  if (!Apply(settings, compiler)) return Unsupported(cross);

  const bool is_gl = settings.target == CrossTarget::kGlsl || settings.target == CrossTarget::kEssl;
  spvc_variable_id dummy_sampler = 0;
  if (is_gl) {
    // texelFetch from a texture that never meets a sampler needs one to be combined with; Vulkan fetches without.
    if (!settings.has_vulkan_semantics() &&
        spvc_compiler_build_dummy_sampler_for_combined_images(compiler, &dummy_sampler) != SPVC_SUCCESS) {
      return Unsupported(cross);
    }
    if (dummy_sampler != 0) {
      spvc_compiler_set_decoration(compiler, dummy_sampler, SpvDecorationDescriptorSet, 0);
      spvc_compiler_set_decoration(compiler, dummy_sampler, SpvDecorationBinding, 0);
    }
    RequireExtensions(compiler, extras.extensions);
    RequireOfOlder(settings, compiler, words);
    RequireOfDualSource(settings, compiler, words);
    RenameWords(compiler, words, IsNoWord, IsGlslName);
  }
  if (settings.target == CrossTarget::kHlsl) {
    RenameWords(compiler, words, IsHlslWord, IsHlslFunction);
    spvc_compiler_hlsl_remap_num_workgroups_builtin(compiler);
    if (extras.automatic_registers) spvc_compiler_hlsl_set_resource_binding_flags(compiler, SPVC_HLSL_BINDING_AUTO_ALL);
  }
  if (settings.target == CrossTarget::kMsl) RenameWords(compiler, words, IsMslWord, IsMslFunction);
  if (extras.removes_unused) {
    spvc_set active = nullptr;
    if (spvc_compiler_get_active_interface_variables(compiler, &active) != SPVC_SUCCESS ||
        spvc_compiler_set_enabled_interface_variables(compiler, active) != SPVC_SUCCESS) {
      return Unsupported(cross);
    }
  }
  std::vector<CrossResource> resources = PlaceResources(settings, compiler, dummy_sampler);
  for (CrossResource& resource : resources) {
    for (std::string* name : {&resource.name, &resource.texture, &resource.sampler}) {
      if (const auto found = originals.find(*name); found != originals.end()) *name = found->second;
    }
  }
  if (extras.flattens_blocks) {
    for (const CrossResource& resource : resources) {
      const bool is_uniform = resource.type == SPVC_RESOURCE_TYPE_UNIFORM_BUFFER || resource.key.is_push_constants;
      if (is_uniform && spvc_compiler_flatten_buffer_block(compiler, resource.id) != SPVC_SUCCESS)
        return Unsupported(cross);
    }
  }
  const char* text = nullptr;
  if (spvc_compiler_compile(compiler, &text) != SPVC_SUCCESS) return Unsupported(cross);
  ReadAutomaticSlots(settings, compiler, resources);
  // Registers that HLSL's compiler chooses meet nowhere.
  if (!extras.automatic_registers) {
    if (auto collision = FindCollision(settings, compiler, resources)) {
      worker::ActionResult result;
      result.exit = worker::ExitKind::kUnsupported;
      result.diagnostics.push_back(*std::move(collision));
      return result;
    }
  }
  ReadTextNames(settings, compiler, resources);
  worker::ActionResult result;
  result.outputs.push_back({"text", text});
  result.outputs.push_back({"bindings", BindingsJson(settings, compiler, resources, text)});
  return result;
}

worker::ActionResult Translate(const worker::Action& action) {
  Options options(action);
  Extras extras;
  extras.entry_point = AsciiName(options.Text("entry-point"));
  extras.stage = options.Text("stage");
  if (!extras.stage.empty() && !ExecutionModelOf(extras.stage)) {
    options.Problem("option 'stage' is '" + extras.stage + "', which is no stage");
  }
  extras.rename = AsciiName(options.Text("rename-entry-point"));
  extras.extensions = options.Text("require-extensions");
  extras.removes_unused = options.Flag("remove-unused");
  extras.flattens_blocks = options.Flag("flatten-uniform-blocks");
  extras.automatic_registers = options.Flag("hlsl-automatic-registers");
  const CrossSettings settings = ReadCrossSettings(options);
  if (auto problems = options.Problems("translate")) return *std::move(problems);
  std::vector<uint32_t> words;
  const std::string* spirv = FindInput(action, "spirv");
  if (spirv == nullptr || !SpirvWords(*spirv, words)) return Refuse("spirv-malformed", "the input is no SPIR-V");
  return Run(std::move(words), settings, extras);
}

}  // namespace

extern const Operation kTranslateOperation;
const Operation kTranslateOperation{"translate", Translate};

}  // namespace kiln::toolchain
