// SPDX-License-Identifier: Apache-2.0
// What glslc, glslangValidator, spirv-cross and naga call the things that `kiln translate` does, so that a call in a
// script needs its first word changed only. Help lists Kiln's own names; docs/translate.md says what stands for what.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "build/target_options.h"
#include "cli/compile_options.h"

namespace kiln::cli {
namespace {

std::optional<unsigned> Digits(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Alias {
  const char* names;
  const char* option;
  const char* value;
};

/// spirv-cross's flags that have another name here; those of the same name come from the table of target options.
constexpr Alias kTargetFlags[] = {
    {"--flip-vert-y", "flip-vertex-y", "1"},
    {"--fixup-clipspace,--fixup-depth", "fixup-depth-convention", "1"},
    {"--force-temporary", "force-temporary", "1"},
    {"--flatten-ubo", "flatten-uniform-blocks", "1"},
    {"--flatten-multidimensional-arrays", "flatten-multidimensional-arrays", "1"},
    {"--remove-unused-variables", "remove-unused", "1"},
    {"--emit-line-directives", "emit-line-directives", "1"},
    {"--force-zero-initialized-variables", "force-zero-initialized-variables", "1"},
    {"--relax-nan-checks", "relax-nan-checks", "1"},
    {"--disable-storage-image-qualifier-deduction", "enable-storage-image-qualifier-deduction", "0"},
    {"--separate-shader-objects", "glsl-separate-shader-objects", "1"},
    {"--no-420pack-extension", "glsl-enable-420pack-extension", "0"},
    {"--vulkan-semantics", "glsl-vulkan-semantics", "1"},
    {"--glsl-emit-push-constant-as-ubo", "glsl-emit-push-constant-as-uniform-buffer", "1"},
    {"--glsl-emit-ubo-as-plain-uniforms", "glsl-emit-uniform-buffer-as-plain-uniforms", "1"},
    {"--hlsl-support-nonzero-basevertex-baseinstance", "hlsl-support-nonzero-base-vertex-base-instance", "1"},
    {"--msl-ios", "platform", "ios"},
    {"--msl-capture-output", "msl-capture-output-to-buffer", "1"},
    {"--msl-domain-lower-left", "msl-tess-domain-origin-lower-left", "1"},
    {"--msl-pad-fragment-output", "msl-pad-fragment-output-components", "1"},
    {"--msl-decoration-binding", "msl-enable-decoration-binding", "1"},
    {"--msl-framebuffer-fetch", "msl-framebuffer-fetch-subpass", "1"},
    {"--msl-no-clip-distance-user-varying", "msl-enable-clip-distance-user-varying", "0"},
    {"--msl-invariant-float-math", "msl-invariant-fp-math", "1"},
    {"--msl-emulate-cube-array", "msl-emulate-cubemap-array", "1"},
    {"--msl-disable-frag-depth-builtin", "msl-enable-frag-depth-builtin", "0"},
    {"--msl-disable-frag-stencil-ref-builtin", "msl-enable-frag-stencil-ref-builtin", "0"},
    {"--msl-multiview-no-layered-rendering", "msl-multiview-layered-rendering", "0"},
    {"--msl-no-manual-helper-invocation-updates", "msl-manual-helper-invocation-updates", "0"},
    {"--no-support-nonzero-baseinstance", "glsl-support-nonzero-base-instance", "0"},
};

/// The same, of a number.
constexpr Alias kTargetNumbers[] = {
    {"--msl-r32ui-linear-texture-align", "msl-r32ui-linear-texture-alignment", ""},
    {"--msl-r32ui-linear-texture-align-constant-id", "msl-r32ui-alignment-constant-id", ""},
};

/// Flags of glslc and glslangValidator that are options of `compile` in worker/action.h.
constexpr Alias kCompileFlags[] = {
    {"--auto-map-bindings,--amb,-fauto-bind-uniforms", "auto-map-bindings", "1"},
    {"--auto-map-locations,--aml,-fauto-map-locations", "auto-map-locations", "1"},
    {"--invert-y,--iy,-finvert-y", "invert-y", "1"},
    {"--nan-clamp,-fnan-clamp", "nan-clamp", "1"},
    {"--hlsl-offsets,-fhlsl-offsets", "hlsl-offsets", "1"},
    {"--hlsl-iomap,--hlsl-iomapper,-fhlsl-iomap", "hlsl-io-mapping", "1"},
    {"-fhlsl-functionality1,-fhlsl_functionality1", "hlsl-functionality1", "1"},
    {"-fhlsl-16bit-types", "hlsl-16bit-types", "1"},
    {"--hlsl-dx9-compatible", "hlsl-dx9-compatible", "1"},
    {"--flatten-uniform-arrays,--fua", "hlsl-flatten-uniform-arrays", "1"},
    {"-fpreserve-bindings", "preserve-bindings", "1"},
    {"-r,--relaxed-errors", "relaxed-errors", "1"},
    {"-R", "vulkan-relaxed", "1"},
};

/// Numbers that are added to bindings of a kind.
constexpr Alias kShifts[] = {
    {"-fsampler-binding-base,--shift-sampler-binding,--ssb", "shift:sampler", ""},
    {"-ftexture-binding-base,--shift-texture-binding,--stb", "shift:texture", ""},
    {"-fimage-binding-base,--shift-image-binding,--sib", "shift:image", ""},
    {"-fubo-binding-base,-fcbuffer-binding-base,--shift-ubo-binding,--shift-UBO-binding,--sub,--shift-cbuffer-binding,"
     "--scb",
     "shift:ubo", ""},
    {"-fssbo-binding-base,--shift-ssbo-binding,--sbb", "shift:ssbo", ""},
    {"-fuav-binding-base,--shift-uav-binding,--suavb", "shift:uav", ""},
};

struct Foreign {
  const char* names;
  const char* hint;
};
/// What has no counterpart under any name, and what to do.
constexpr Foreign kRefused[] = {
    {"-flimit*,--show-limits,-flimit-file", "Kiln compiles with glslang's own limits; leave it out"},
    {"-fresource-set-binding,--resource-set-binding,--rsb",
     "write register() or layout(set, binding) in the source; for slots of MSL, HLSL and GLSL use "
     "--option=slot:SET.BINDING=buffer=N"},
    {"-fauto-combined-image-sampler,--auto-sampled-textures,-fvulkan-rules*",
     "leave it out, and declare a combined sampler in the source"},
    {"-working-directory", "use -C DIR"},
    {"--preamble-text*,--P*,-P*", "use -D NAME=VALUE, or write the lines in a file that the source includes"},
    {"--stdin", "name '-' as the input, with --stage"},
    {"-i,--dump-builtin-symbols,--dump-full-spirv-ir,-a", "use --target=spvasm for a readable form"},
    {"--keep-uncalled,--ku,--no-storage-format,--nsf,--hlsl-dx-position-w,-m", "glslang's default holds; leave it out"},
    {"-d", "leave it out, and write the #version into the source, or give -std=110"},
    {"-s", "leave it out; diagnostics go to standard error, where they can be sent away"},
    {"-u*,--uniform-base", "write layout(location = N) in the source"},
    {"--set-block-backing,--sbs,--set-atomic-counter-block,--sacb,--set-default-uniform-block,--sdub",
     "write the block in the source, with its set and binding"},
    {"--reflect-*", "use 'kiln reflect', which lists what there is in one form"},
    {"-dumpversion,-dumpfullversion,--revision", "use 'kiln version'"},
    {"--dump-resources", "use 'kiln reflect', or --bindings=FILE for the slots of a text"},
    {"--cpp,--cpp-interface-name,--lua", "there are spirv, msl, hlsl, glsl, essl and wgsl: see --target"},
    {"--iterations,--force-recompile-max-debug-iterations", "a translation is made once; leave it out"},
    {"--hlsl-auto-binding", "use --hlsl-automatic-registers, which leaves every register to the HLSL compiler"},
    {"--rename-interface-variable,--hlsl-basevertex-baseinstance-binding,--glsl-ext-framebuffer-fetch-noncoherent,"
     "--vulkan-glsl-disable-ext-samplerless-texture-functions,--msl-additional-fixed-sample-mask,"
     "--msl-dynamic-buffer,--msl-inline-uniform-block,--msl-shader-*",
     "Kiln has no option for it; docs/configuration.md lists those of each target"},
    {"--remap*,--pls-in,--pls-out,--mask-stage-output*,--set-hlsl*,--msl-add-*,"
     "--msl-discrete-descriptor-set,--msl-device-argument-buffer,--msl-combined-sampler-suffix,--combined-samplers-*,"
     "--glsl-remap-ext-framebuffer-fetch",
     "SPIRV-Cross's C interface has no option for it; slots are given with --option=slot:SET.BINDING=buffer=N"},
    {"--keep-coordinate-space", "Kiln keeps positions as they are; leave it out"},
    {"--bulk-validate", "use 'kiln check FILE...'"},
    {"--input-kind", "use --language=glsl|hlsl|spirv|wgsl"},
};

}  // namespace

void CompileOptions::AddForeignOptions(OptionTable& table) {
  const auto hidden = [&](const char* names, const char* value, std::function<std::string(std::string_view)> set) {
    Option& option = table.Call(names, value, "", std::move(set));
    option.is_hidden = true;
    return &option;
  };
  const auto kind = [this](const char* name) { return [this, name](std::string_view) { return SetKind(name); }; };
  const auto nothing = [](std::string_view) { return std::string(); };
  hidden("--msl", "", kind("msl"));
  hidden("--hlsl", "", kind("hlsl"));
  hidden("--es", "", kind("essl"));
  hidden("--no-es", "", kind("glsl"));
  hidden("--reflect", "", kind("reflection"));
  table.Text("--version", &version_, "N", "").is_hidden = true;
  hidden("--msl-version", "N", [this](std::string_view text) -> std::string {
    const auto number = Digits(text);
    if (!number || *number < 10000) return "'" + std::string(text) + "' is no version, as 20100";
    version_ = std::to_string(*number / 10000) + "." + std::to_string(*number / 100 % 100);
    return SetKind("msl");
  });
  hidden("--metal-version", "N", [this](std::string_view text) {
    version_ = text;
    return SetKind("msl");
  });
  hidden("--shader-model", "N", [this](std::string_view text) -> std::string {
    const auto number = Digits(text);
    if (!number || *number < 30 || *number > 99) return "'" + std::string(text) + "' is no shader model, as 60";
    version_ = std::to_string(*number / 10) + "." + std::to_string(*number % 10);
    return SetKind("hlsl");
  });
  hidden("--profile", "NAME", [this](std::string_view text) -> std::string {
    const bool is_es = text.starts_with("es");
    if (!is_es && !text.starts_with("core")) return "'" + std::string(text) + "' is no profile, as es310";
    version_ = text.substr(is_es ? 2 : 4);
    return SetKind(is_es ? "essl" : "glsl");
  });
  hidden("--target-spv", "spv1.N", [this](std::string_view text) -> std::string {
    if (!text.starts_with("spv")) return "'" + std::string(text) + "' is no version, as spv1.5";
    version_ = text.substr(3);
    return SetKind("spirv");
  });
  // What Kiln does anyway.
  hidden("-l,--spirv-val,--error-column,--enhanced-msgs", "", nothing);
  hidden("-c", "", [this](std::string_view) {
    makes_spirv_ = true;
    naming_ = Naming::kGlslc;
    return std::string();
  });
  hidden("-S", "", [this](std::string_view) {
    has_assembly_ = true;
    naming_ = Naming::kGlslc;
    return std::string();
  });
  const auto for_vulkan = [this] {
    has_v_ = true;
    naming_ = Naming::kGlslang;
    return std::string();
  };
  const auto for_opengl = [this] {
    makes_spirv_ = true;
    naming_ = Naming::kGlslang;
    return SetEnvironment("opengl");
  };
  hidden("-V,-V100", "", [for_vulkan](std::string_view) { return for_vulkan(); });
  hidden("-G,-G100", "", [for_opengl](std::string_view) { return for_opengl(); });
  hidden("--client", "vulkan100|opengl100",
         [for_vulkan, for_opengl](std::string_view text) { return text == "opengl100" ? for_opengl() : for_vulkan(); });
  hidden("-H,--spirv-dis", "", [this, for_vulkan](std::string_view) {
    prints_assembly_ = true;
    return naming_ == Naming::kNone ? for_vulkan() : std::string();
  });
  hidden("-Od", "", [this](std::string_view) {
    options.optimize = "none";
    return std::string();
  });
  hidden("-gV,-gVS", "", [this](std::string_view) {
    options.debug_info = true;
    options.compile_options.emplace_back("debug-info", "nonsemantic");
    return std::string();
  });
  hidden("-g0", "", [this](std::string_view) {
    options.debug_info = false;
    return std::string();
  });
  table.Text("--source-entrypoint,--sep", &source_entry_, "NAME", "").is_hidden = true;
  hidden("--extension", "NAME", [this](std::string_view text) {
    for (auto& [name, value] : options.target_options) {
      if (name == "require-extensions") return value += "," + std::string(text), std::string();
    }
    options.target_options.emplace_back("require-extensions", text);
    return std::string();
  });
  hidden("--hlsl-enable-compat", "", [this](std::string_view) {
    options.target_options.emplace_back("hlsl-point-size-compat", "1");
    options.target_options.emplace_back("hlsl-point-coord-compat", "1");
    return std::string();
  });
  // Of glslangValidator it is about HLSL that is read, of spirv-cross about HLSL that is written: Apply knows.
  hidden("--hlsl-enable-16bit-types", "", [this](std::string_view) {
    has_16bit_types_ = true;
    return std::string();
  });
  const auto target_option = [&](const char* names, std::string name, std::string value) {
    hidden(names, "", [this, name = std::move(name), value = std::move(value)](std::string_view) {
      options.target_options.emplace_back(name, value);
      return std::string();
    });
  };
  const auto target_number = [&](const char* names, const std::string& name) {
    hidden(names, "N", [this, name](std::string_view text) {
      options.target_options.emplace_back(name, text);
      return std::string();
    });
  };
  for (const Alias& each : kTargetFlags) target_option(each.names, each.option, each.value);
  for (const Alias& each : kTargetNumbers) target_number(each.names, each.option);
  for (const build::TargetOption& each : build::AllTargetOptions()) {
    const std::string name(each.name);
    const bool is_of_language = name.starts_with("msl-") || name.starts_with("hlsl-") || name.starts_with("glsl-");
    if (!is_of_language || name == "hlsl-enable-16bit-types") continue;
    if (each.kind == build::OptionKind::kBool) {
      target_option(("--" + name).c_str(), name, "1");
    } else {
      target_number(("--" + name).c_str(), name);
    }
  }
  for (const Alias& each : kCompileFlags) {
    hidden(each.names, "", [this, each](std::string_view) {
      options.compile_options.emplace_back(each.option, each.value);
      return std::string();
    });
  }
  for (const Alias& each : kShifts) {
    hidden(each.names, "N", [this, each](std::string_view text) -> std::string {
      if (!Digits(text))
        return "'" + std::string(text) + "' is no number; one file has one stage, which need not be named";
      options.compile_options.emplace_back(each.option, text);
      return {};
    });
  }
  for (const Foreign& each : kRefused) table.Refuse(each.names, each.hint);
}

void RewriteForeign(std::vector<std::string>& arguments) {
  static constexpr std::pair<std::string_view, const char*> kSynonyms[] = {{"--define-macro", "--define"},
                                                                           {"--D", "--define"},
                                                                           {"--undef-macro", "--undefine"},
                                                                           {"--U", "--undefine"},
                                                                           {"--suppress-warnings", "-w"}};
  const auto is_name = [](std::string_view text) {
    const std::string_view name = text.substr(0, text.find_first_of("=("));
    return !name.empty() && std::all_of(name.begin(), name.end(), ascii::IsNamePart);
  };
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    const bool has_value = !next.empty() && next[0] != '-';
    for (const auto& [foreign, own] : kSynonyms) {
      if (arguments[i] == foreign) arguments[i] = own;
    }
    if (arguments[i] == "-S") {
      // glslc's asks for assembly, glslangValidator's names the stage.
      if (build::StageFromName(next)) arguments[i] = "--stage";
    } else if (arguments[i] == "-D" && !is_name(next)) {
      arguments[i] = "--language=hlsl";  // glslangValidator's, beside its -DNAME
    } else if (arguments[i] == "-x" && (!has_value || next.find('.') != std::string::npos)) {
      arguments[i] = "-mfmt=num";  // glslangValidator's
    } else if (arguments[i] == "--rename-entry-point" && i + 3 < arguments.size()) {
      arguments[i] = "--option=rename-entry-point=" + arguments[i + 2];
      arguments[i + 1] = "--entry=" + next;
      arguments[i + 2] = "--stage=" + arguments[i + 3];
      arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 3);
    }
  }
}

}  // namespace kiln::cli
