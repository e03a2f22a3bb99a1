// SPDX-License-Identifier: Apache-2.0
// optimize, validate, assemble, disassemble and reflect, with every toolchain set that was built.
#include "base/json.h"
#include "reflect/from_spirv.h"
#include "reflect/json.h"
#include "toolchain/testing.h"

namespace kiln::toolchain {
namespace {

using worker::ActionResult;
using worker::ExitKind;

class WithSpirv : public WithSet {
 protected:
  reflect::Module Reflect(const std::string& spirv) {
    diag::Sink sink;
    auto module = reflect::FromSpirv(spirv, sink);
    EXPECT_TRUE(module.ok());
    return module ? *std::move(module) : reflect::Module();
  }
};
KILN_FOR_EACH_SET(WithSpirv);

constexpr char kFragment[] =
    "#version 450\n"
    "layout(constant_id = 7) const int kCount = 3;\n"
    "layout(constant_id = 9) const float kScale = -0.1;\n"
    "layout(constant_id = 11) const bool kUnused = true;\n"
    "struct Light { vec3 at; float power; };\n"
    "layout(set = 1, binding = 2, std140) uniform Scene { mat4 view; mat3x2 odd; layout(row_major) mat2x3 rows;\n"
    "  Light lights[2]; float tail[3]; } scene;\n"
    "layout(set = 0, binding = 1, std430) readonly buffer In { uint n; vec2 items[]; } source;\n"
    "layout(set = 0, binding = 2) writeonly buffer Out { vec4 o[]; };\n"
    "layout(set = 0, binding = 3) uniform sampler2D combined[4];\n"
    "layout(set = 0, binding = 4) uniform texture2DMSArray plain;\n"
    "layout(set = 0, binding = 5) uniform sampler smp;\n"
    "layout(set = 0, binding = 6, rgba8) uniform readonly image3D img;\n"
    "layout(set = 0, binding = 7) uniform samplerBuffer texels;\n"
    "layout(set = 0, binding = 8, input_attachment_index = 3) uniform subpassInput attachment;\n"
    "layout(push_constant) uniform Push { layout(offset = 16) vec4 tint; float more; } push;\n"
    "layout(location = 0) in vec2 uv;\n"
    "layout(location = 1) flat in uvec3 ids;\n"
    "layout(location = 3) centroid in vec4 pair[2];\n"
    "layout(location = 0) out vec4 color;\n"
    "layout(early_fragment_tests) in;\n"
    "void main() {\n"
    "  color = scene.view[0] + push.tint + texture(combined[1], uv) + vec4(float(kCount) * kScale) + pair[0] +\n"
    "    vec4(ids, 1) + texelFetch(texels, 0) + subpassLoad(attachment) + imageLoad(img, ivec3(0)) +\n"
    "    gl_FragCoord + vec4(source.items[0], scene.lights[1].power, scene.odd[0].x + scene.rows[0].x + "
    "scene.tail[2]);\n"
    "  o[0] = color;\n"
    "}\n";

const reflect::Binding* Find(const reflect::Module& module, std::string_view name) {
  for (const reflect::Binding& binding : module.bindings) {
    if (binding.name == name) return &binding;
  }
  return nullptr;
}

TEST_P(WithSpirv, ReflectionOfBindingsAndBlocks) {
  for (const char* environment : {"vulkan1.0", "vulkan1.3"}) {
    const reflect::Module module = Reflect(Spirv("fragment", kFragment, {{"environment", environment}}));
    ASSERT_EQ(module.entry_points.size(), 1u);

    const reflect::Binding* scene = Find(module, "scene");
    ASSERT_NE(scene, nullptr);
    EXPECT_EQ(scene->set, 1u);
    EXPECT_EQ(scene->slot, 2u);
    EXPECT_EQ(scene->kind, reflect::BindingKind::kUniformBuffer);
    const reflect::Structure& block = module.structures.at(*scene->structure);
    EXPECT_EQ(block.name, "Scene");
    ASSERT_EQ(block.members.size(), 5u);
    const uint32_t offsets[] = {0, 64, 112, 160, 192}, sizes[] = {64, 48, 48, 32, 48};
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(block.members[i].offset, offsets[i]) << block.members[i].name;
      EXPECT_EQ(block.members[i].size, sizes[i]) << block.members[i].name;
    }
    EXPECT_EQ(block.size, 240u);
    EXPECT_EQ(block.members[1].type.columns, 3u);
    EXPECT_EQ(block.members[1].type.rows, 2u);
    EXPECT_EQ(block.members[1].type.matrix_stride, 16u);
    EXPECT_FALSE(block.members[1].type.row_major);
    EXPECT_TRUE(block.members[2].type.row_major);
    EXPECT_EQ(block.members[3].type.array.at(0).stride, 16u);
    EXPECT_EQ(module.structures.at(*block.members[3].type.structure).name, "Light");
    EXPECT_EQ(block.members[4].type.array.at(0).count, 3u);

    const reflect::Binding* source = Find(module, "source");
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(source->kind, reflect::BindingKind::kStorageBuffer);
    EXPECT_EQ(source->access, reflect::Access::kRead);
    const reflect::Structure& in = module.structures.at(*source->structure);
    EXPECT_EQ(in.members.at(1).type.array.at(0).count, 0u);
    EXPECT_EQ(in.members.at(1).type.array.at(0).stride, 8u);
    EXPECT_EQ(in.size, 8u);
    const reflect::Binding* out = Find(module, "Out");
    ASSERT_NE(out, nullptr) << "a block without an instance name is known by its own";
    EXPECT_EQ(out->access, reflect::Access::kWrite);
  }
}

TEST_P(WithSpirv, ReflectionOfTexturesAndTheirKinds) {
  const reflect::Module module = Reflect(Spirv("fragment", kFragment));
  const auto kind = [&](std::string_view name) { return Find(module, name)->kind; };
  ASSERT_EQ(module.bindings.size(), 9u) << "what the source declares and main does not touch is not in the module";
  EXPECT_EQ(kind("combined"), reflect::BindingKind::kCombinedTexture);
  EXPECT_EQ(Find(module, "combined")->count, 4u);
  EXPECT_EQ(kind("plain"), reflect::BindingKind::kTexture);
  EXPECT_TRUE(Find(module, "plain")->texture->is_arrayed);
  EXPECT_TRUE(Find(module, "plain")->texture->is_multisampled);
  EXPECT_EQ(kind("smp"), reflect::BindingKind::kSampler);
  EXPECT_EQ(kind("img"), reflect::BindingKind::kStorageTexture);
  EXPECT_EQ(Find(module, "img")->access, reflect::Access::kRead);
  EXPECT_EQ(Find(module, "img")->texture->format, "rgba8");
  EXPECT_EQ(Find(module, "img")->texture->dimension, "3d");
  EXPECT_EQ(kind("texels"), reflect::BindingKind::kUniformTexelBuffer);
  EXPECT_EQ(kind("attachment"), reflect::BindingKind::kInputAttachment);
  EXPECT_EQ(Find(module, "attachment")->input_attachment, 3u);
}

TEST_P(WithSpirv, ReflectionOfInterfacesConstantsAndModes) {
  const reflect::Module module = Reflect(Spirv("fragment", kFragment));
  const reflect::EntryPoint& main = module.entry_points.at(0);
  EXPECT_EQ(main.stage, "fragment");
  ASSERT_EQ(main.inputs.size(), 4u);
  EXPECT_EQ(main.inputs[0].name, "uv");
  EXPECT_EQ(main.inputs[0].location, 0u);
  EXPECT_EQ(main.inputs[1].interpolation, "flat");
  EXPECT_EQ(main.inputs[1].type.scalar, reflect::ScalarKind::kUint);
  EXPECT_EQ(main.inputs[1].type.rows, 3u);
  EXPECT_EQ(main.inputs[2].sampling, "centroid");
  EXPECT_EQ(main.inputs[2].type.array.at(0).count, 2u);
  EXPECT_EQ(main.inputs[3].builtin, "frag-coord");
  ASSERT_EQ(main.outputs.size(), 1u);
  EXPECT_EQ(main.outputs[0].name, "color");
  EXPECT_EQ(main.modes, (std::vector<std::string>{"early-fragment-tests", "origin-upper-left"}));

  ASSERT_EQ(module.push_constants.size(), 1u);
  EXPECT_EQ(module.push_constants[0].offset, 16u);
  EXPECT_EQ(module.push_constants[0].size, 20u);
  ASSERT_GE(module.specialization_constants.size(), 2u);
  EXPECT_EQ(module.specialization_constants[0].id, 7u);
  EXPECT_EQ(module.specialization_constants[0].default_bits, 3u);
  EXPECT_EQ(module.specialization_constants[1].name, "kScale");
  EXPECT_EQ(main.specialization_constants, (std::vector<uint32_t>{0, 1})) << "kUnused is not reached";
}

TEST_P(WithSpirv, WorkgroupSizesMayBeSetBySpecializationConstants) {
  const reflect::Module fixed =
      Reflect(Spirv("compute", "#version 450\nlayout(local_size_x = 8, local_size_y = 4) in;\nvoid main() {}\n"));
  EXPECT_EQ(fixed.entry_points[0].workgroup->size, (std::array<uint32_t, 3>{8, 4, 1}));
  EXPECT_FALSE(fixed.entry_points[0].workgroup->constant[0]);
  for (const char* environment : {"vulkan1.0", "vulkan1.3"}) {
    const reflect::Module module = Reflect(
        Spirv("compute",
              "#version 450\nlayout(local_size_x = 8, local_size_y_id = 5, local_size_z = 2) in;\nvoid main() {}\n",
              {{"environment", environment}}));
    ASSERT_TRUE(module.entry_points.at(0).workgroup);
    EXPECT_EQ(module.entry_points[0].workgroup->size, (std::array<uint32_t, 3>{8, 1, 2}));
    EXPECT_EQ(module.entry_points[0].workgroup->constant[1], 5u);
    EXPECT_FALSE(module.entry_points[0].workgroup->constant[0]);
    EXPECT_EQ(module.entry_points[0].specialization_constants.size(), 1u);
  }
}

TEST_P(WithSpirv, OnlyBuiltinsThatAreUsedAreListedAndVertexArraysAreStripped) {
  const reflect::Module vertex =
      Reflect(Spirv("vertex",
                    "#version 450\nlayout(location = 2) out Block { vec2 uv; mat3 m; vec4 last; } block;\n"
                    "void main() { gl_Position = vec4(gl_VertexIndex); block.uv = vec2(0); block.m = mat3(1); "
                    "block.last = vec4(0); }\n"));
  const reflect::EntryPoint& main = vertex.entry_points.at(0);
  ASSERT_EQ(main.outputs.size(), 4u);
  EXPECT_EQ(main.outputs[0].name, "block.uv");
  EXPECT_EQ(main.outputs[0].location, 2u);
  EXPECT_EQ(main.outputs[1].location, 3u);
  EXPECT_EQ(main.outputs[2].location, 6u) << "a matrix takes a location a column";
  EXPECT_EQ(main.outputs[3].builtin, "position") << "and not point-size or clip-distance";
  ASSERT_EQ(main.inputs.size(), 1u);
  EXPECT_EQ(main.inputs[0].builtin, "vertex-index");

  const reflect::Module control = Reflect(Spirv(
      "tesscontrol",
      "#version 450\nlayout(vertices = 4) out;\nlayout(location = 0) in vec3 n[];\nlayout(location = 1) out vec2 t[];\n"
      "layout(location = 2) patch out float p;\n"
      "void main() { t[gl_InvocationID] = n[gl_InvocationID].xy; p = 1; gl_out[gl_InvocationID].gl_Position = vec4(0); "
      "}\n"));
  const reflect::EntryPoint& tess = control.entry_points.at(0);
  EXPECT_EQ(tess.modes, std::vector<std::string>{"vertices-4"});
  EXPECT_TRUE(tess.inputs.at(0).type.array.empty());
  EXPECT_TRUE(tess.outputs.at(0).type.array.empty());
  EXPECT_EQ(tess.outputs.at(1).name, "p");
  EXPECT_TRUE(tess.outputs.at(1).is_per_patch);
  EXPECT_EQ(tess.outputs.at(2).builtin, "position");
}

TEST_P(WithSpirv, TheReflectOperationSaysWhatTheToolSays) {
  const std::string spirv = Spirv("fragment", kFragment);
  const std::string json = Output(Run("reflect", "spirv", spirv), "reflection");
  EXPECT_EQ(json, reflect::ToJson(Reflect(spirv)));
  Arena arena;
  EXPECT_TRUE(json::Read(json, arena).ok());
}

TEST_P(WithSpirv, DamagedModulesAreRefusedByEveryOperation) {
  const std::string good = Spirv("fragment", kFragment);
  const size_t lost = SharedPool().stats().workers_lost;
  for (const char* operation : {"reflect", "validate", "optimize", "disassemble", "translate"}) {
    for (const std::string& bad :
         {std::string(), std::string("abc"), good.substr(0, 21), good.substr(0, good.size() / 8 * 4 + 2)}) {
      const OptionList options =
          std::string_view(operation) == "translate" ? OptionList{{"target", "msl"}} : OptionList();
      const ActionResult result = Run(operation, "spirv", bad, options);
      EXPECT_FALSE(result.ok()) << operation << " " << bad.size();
      EXPECT_FALSE(result.diagnostics.empty());
      EXPECT_TRUE(result.outputs.empty());
    }
  }
  EXPECT_EQ(SharedPool().stats().workers_lost, lost);
}

TEST_P(WithSpirv, RandomDamageNeverStopsTheReader) {
  const std::string good = Spirv("fragment", kFragment);
  uint32_t random = 1;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (int i = 0; i < 4; ++i) {
      random = random * 1664525 + 1013904223;
      bad[20 + (random >> 4) % (bad.size() - 20)] = static_cast<char>(random >> 24);
    }
    diag::Sink sink;
    const auto module = reflect::FromSpirv(bad, sink);
    if (module) {
      EXPECT_FALSE(reflect::ToJson(*module).empty());
    } else {
      EXPECT_TRUE(sink.has_errors());
    }
  }
}

TEST_P(WithSpirv, OptimizingShrinksAndStaysValid) {
  const std::string source =
      "#version 450\nlayout(location = 0) out vec4 o;\nfloat f(float x) { return x * 2.0; }\n"
      "void main() { float unused = f(3.0); float y = f(1.0) + f(2.0); o = vec4(y); }\n";
  const std::string plain = Spirv("fragment", source);
  for (const char* level :
       {"performance", "size", "eliminate-dead-code-aggressive,inline-entry-points-exhaustive", "--strip-debug"}) {
    const ActionResult result = Run("optimize", "spirv", plain, {{"environment", "vulkan1.2"}, {"level", level}});
    ASSERT_TRUE(result.ok()) << level << Render(result);
    EXPECT_LT(Output(result, "spirv").size(), plain.size() + (std::string_view(level).starts_with("elim") ? 2000 : 0))
        << level;
    EXPECT_TRUE(Run("validate", "spirv", Output(result, "spirv"), {{"environment", "vulkan1.2"}}).ok()) << level;
  }
  for (const char* level : {"", "no-such-pass", "performance,size"}) {
    const ActionResult result = Run("optimize", "spirv", plain, {{"level", level}});
    EXPECT_EQ(result.exit, ExitKind::kUnsupported) << level;
    EXPECT_NE(Render(result).find("unknown-pass"), std::string::npos) << level << Render(result);
  }
}

TEST_P(WithSpirv, ValidationSaysWhatIsWrong) {
  const std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpTypeFloat 32\n"
      "%main = OpFunction %void None %fn\n%label = OpLabel\n%x = OpUndef %f\n%bad = OpIAdd %f %x "
      "%x\nOpReturn\nOpFunctionEnd\n";
  const ActionResult assembled = Run("assemble", "text", text);
  ASSERT_TRUE(assembled.ok()) << Render(assembled);
  const ActionResult invalid = Run("validate", "spirv", Output(assembled, "spirv"));
  EXPECT_EQ(invalid.exit, ExitKind::kSourceErrors);
  EXPECT_NE(Render(invalid).find("spirv-invalid: Expected int scalar or vector type"), std::string::npos)
      << Render(invalid);
}

TEST_P(WithSpirv, AssemblyGoesThereAndBack) {
  const std::string spirv = Spirv("fragment", kFragment);
  const std::string text = Output(Run("disassemble", "spirv", spirv, {{"friendly-names", "0"}}), "text");
  const ActionResult again = Run("assemble", "text", text, {{"environment", "universal1.5"}, {"preserve-ids", "1"}});
  ASSERT_TRUE(again.ok()) << Render(again);
  // The generator word says who wrote a module.
  EXPECT_EQ(Output(again, "spirv").substr(12), spirv.substr(12));

  const ActionResult wrong = Run("assemble", "x.spvasm", "OpCapability Shader\n  OpNonsense\n");
  EXPECT_EQ(wrong.exit, ExitKind::kSourceErrors);
  ASSERT_FALSE(wrong.diagnostics.empty());
  EXPECT_EQ(wrong.diagnostics[0].location.file, "x.spvasm");
  EXPECT_EQ(wrong.diagnostics[0].location.begin, (diag::Position{2, 3}));
  EXPECT_EQ(wrong.diagnostics[0].source_line, "  OpNonsense");
}

TEST_P(WithSpirv, AModuleNewerThanTheToolsIsCalledThat) {
  std::string spirv = Spirv("vertex", "#version 450\nvoid main() {}\n");
  spirv[24] = '\xff';  // the number of the first capability
  spirv[25] = '\x3f';
  const ActionResult result = Run("validate", "spirv", spirv);
  EXPECT_TRUE(result.ok()) << "the module may be right";
  EXPECT_EQ(result.diagnostics.at(0).code, "spirv-too-new") << Render(result);
  EXPECT_EQ(result.diagnostics.at(0).severity, diag::Severity::kWarning);
  const ActionResult optimized = Run("optimize", "spirv", spirv);
  EXPECT_TRUE(optimized.ok());
  EXPECT_EQ(optimized.diagnostics.at(0).code, "spirv-too-new") << Render(optimized);
  EXPECT_EQ(optimized.diagnostics.at(0).severity, diag::Severity::kWarning);
  EXPECT_EQ(Output(optimized, "spirv"), spirv) << "it stays as it was";
}

}  // namespace
}  // namespace kiln::toolchain
