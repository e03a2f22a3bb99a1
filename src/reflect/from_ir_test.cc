// SPDX-License-Identifier: Apache-2.0
#include "reflect/from_ir.h"

#include <gtest/gtest.h>

#include "ir/test_module.h"
#include "reflect/json.h"

namespace kiln::reflect {
namespace {

TEST(FromIr, BuffersHaveLayouts) {
  ir::TestModule test(R"(
    @abi struct Light { pos: vec3<f32>, power: f32, @align(16) m: mat3x2<f32>, }
    @abi struct Scene { count: u32, lights: array<Light>, }
    @abi @group(1) @binding(0) var %scene: ptr<storage, Scene, read>;
    @abi @group(0) @binding(5) var %words: ptr<storage, array<atomic<u32>>, read_write>;
    @abi @group(0) @binding(2) var %eye: ptr<uniform, vec3<f32>, read>;
    var %unbound: ptr<private, f32, read_write>;
    fn %helper() { eval load(%eye); }
    @abi @vertex fn %vs() -> @builtin(position) vec4<f32> { eval %helper(); return vec4<f32>{}; }
    @abi @compute @workgroup_size(8u, 2u, 1u) fn %cs() { eval load(%scene.count); eval arrayLength(%words); }
  )");
  ASSERT_EQ(test.errors, "");
  const Module m = FromIr(test.module);
  ASSERT_EQ(m.bindings.size(), 3u);
  EXPECT_EQ(m.bindings[0].name, "eye");
  EXPECT_EQ(m.bindings[1].name, "words");
  EXPECT_EQ(m.bindings[2].name, "scene");
  EXPECT_EQ(m.bindings[0].kind, BindingKind::kUniformBuffer);
  EXPECT_EQ(m.bindings[0].layout->buffer, "uniform");
  EXPECT_EQ(m.bindings[0].layout->min_binding_size, 12u);
  EXPECT_EQ(m.bindings[0].layout->visible, std::vector<std::string>{"vertex"});
  EXPECT_EQ(m.bindings[1].layout->buffer, "storage");
  EXPECT_EQ(m.bindings[1].layout->min_binding_size, 4u);
  EXPECT_EQ(m.bindings[2].layout->buffer, "read-only-storage");
  EXPECT_EQ(m.bindings[2].layout->min_binding_size, 16u + 48u);
  EXPECT_EQ(m.bindings[2].layout->visible, std::vector<std::string>{"compute"});

  const Structure& scene = m.structures[*m.bindings[2].structure];
  EXPECT_EQ(scene.name, "Scene");
  EXPECT_EQ(scene.members[1].offset, 16u);
  EXPECT_EQ(scene.members[1].type.array[0].stride, 48u);
  EXPECT_EQ(scene.size, 16u);
  const Structure& light = m.structures[*scene.members[1].type.structure];
  EXPECT_LT(*scene.members[1].type.structure, *m.bindings[2].structure);
  EXPECT_EQ(light.members[1].offset, 12u);
  EXPECT_EQ(light.members[2].offset, 16u);
  EXPECT_EQ(light.members[2].type.matrix_stride, 8u);
  EXPECT_EQ(light.members[2].size, 24u);

  ASSERT_EQ(m.entry_points.size(), 2u);
  EXPECT_EQ(m.entry_points[0].bindings, std::vector<uint32_t>{0});
  EXPECT_EQ(m.entry_points[0].outputs[0].builtin, "position");
  EXPECT_EQ(m.entry_points[1].bindings, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(m.entry_points[1].workgroup->size, (std::array<uint32_t, 3>{8, 2, 1}));
}

// https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#interfaces-resources-layout
TEST(FromIr, LayoutsNameTheFeaturesThatTheyNeed) {
  const auto features = [](std::string_view store, std::string_view space) {
    ir::TestModule test("enable f16;\n@abi struct In { a: f32, }\n@abi struct S { " + std::string(store) +
                        " }\n@abi @group(0) @binding(0) var %s: ptr<" + std::string(space) +
                        ", S, read>;\n@abi @compute @workgroup_size(1u, 1u, 1u) fn %cs() { eval load(%s.x); }");
    EXPECT_EQ(test.errors, "") << store;
    std::string all;
    for (const std::string& each : FromIr(test.module).vulkan_features) all += each + " ";
    return all;
  };
  constexpr std::string_view kStandard = "uniformBufferStandardLayout ";
  EXPECT_EQ(features("x: f32, a: array<u32, 7>,", "uniform"), kStandard);
  EXPECT_EQ(features("x: f32, a: array<u32, 7>,", "storage"), "");
  EXPECT_EQ(features("x: f32, a: array<vec4<u32>, 7>, v: vec3<f32>, w: f32,", "uniform"), "");
  EXPECT_EQ(features("x: f32, @align(16) a: In, @align(16) b: f32,", "uniform"), "");
  EXPECT_EQ(features("x: f32, a: In, b: f32,", "uniform"), kStandard) << "a structure at 4";
  EXPECT_EQ(features("x: f32, @align(16) a: In, b: f32,", "uniform"), kStandard) << "right behind a structure";
  EXPECT_EQ(features("x: f32, m: mat3x2<f32>, h: mat4x4<f16>,", "uniform"), "") << "these are columns";
  EXPECT_EQ(features("x: f32, m: array<mat3x2<f32>, 2>,", "uniform"), kStandard);
  EXPECT_NE(
      ToJson(FromIr(ir::TestModule("@abi @group(0) @binding(0) var %s: ptr<uniform, array<f32, 2>, read>;").module))
          .find("\"vulkanFeatures\": [\n    \"uniformBufferStandardLayout\"\n  ]"),
      std::string::npos);
}

TEST(FromIr, TexturesAndThePairsTheyAreSampledIn) {
  ir::TestModule test(R"(
    @group(0) @binding(0) var %color: ptr<handle, texture_2d<f32>, read>;
    @group(0) @binding(1) var %other: ptr<handle, texture_2d_array<f32>, read>;
    @group(0) @binding(2) var %smp: ptr<handle, sampler, read>;
    @group(0) @binding(3) var %cmp: ptr<handle, sampler_comparison, read>;
    @group(0) @binding(4) var %depth: ptr<handle, texture_depth_cube, read>;
    @group(0) @binding(5) var %img: ptr<handle, texture_storage_3d<rgba16float, write>, read>;
    @group(0) @binding(6) var %ms: ptr<handle, texture_multisampled_2d<i32>, read>;
    fn %inner(%t: texture_2d<f32>, %s: sampler) -> vec4<f32> { return textureSample(%t, %s, vec2<f32>{}); }
    fn %outer(%s: sampler) -> vec4<f32> { let %c = load(%color); return %inner(%c, %s); }
    @abi @fragment fn %a() -> @location(0) vec4<f32> { return %outer(load(%smp)); }
    @abi @fragment fn %b() {
      eval textureLoad(load(%other), vec2<i32>{}, 0i, 0i);
      eval textureSampleCompare(load(%depth), load(%cmp), vec3<f32>{}, 0f);
      eval textureStore(load(%img), vec3<i32>{}, vec4<f32>{});
      eval textureLoad(load(%ms), vec2<i32>{}, 0i);
    }
  )");
  ASSERT_EQ(test.errors, "");
  const Module m = FromIr(test.module);
  ASSERT_EQ(m.bindings.size(), 7u);
  EXPECT_EQ(m.bindings[0].layout->sample_type, "float");
  EXPECT_EQ(m.bindings[1].layout->sample_type, "unfilterable-float");
  EXPECT_EQ(m.bindings[1].layout->view_dimension, "2d-array");
  EXPECT_EQ(m.bindings[2].layout->sampler, "filtering");
  EXPECT_EQ(m.bindings[3].layout->sampler, "comparison");
  EXPECT_EQ(m.bindings[4].layout->sample_type, "depth");
  EXPECT_EQ(m.bindings[4].layout->view_dimension, "cube");
  EXPECT_EQ(m.bindings[5].kind, BindingKind::kStorageTexture);
  EXPECT_EQ(m.bindings[5].layout->storage_access, "write-only");
  EXPECT_EQ(m.bindings[5].layout->storage_format, "rgba16float");
  EXPECT_EQ(m.bindings[6].layout->sample_type, "sint");
  EXPECT_TRUE(m.bindings[6].layout->is_multisampled);
  const auto& a = m.entry_points[0].sampled_pairs;
  ASSERT_EQ(a.size(), 1u);
  EXPECT_EQ(a[0].texture, 0u);
  EXPECT_EQ(a[0].sampler, 2u);
  EXPECT_EQ(m.entry_points[0].bindings, (std::vector<uint32_t>{0, 2}));
  const auto& b = m.entry_points[1].sampled_pairs;
  ASSERT_EQ(b.size(), 1u);
  EXPECT_EQ(b[0].texture, 4u);
  EXPECT_EQ(b[0].sampler, 3u);
}

TEST(FromIr, BuffersSayWhetherAnOffsetMayMoveThem) {
  ir::TestModule test(R"(
    @abi struct Fixed { a: vec4<f32>, b: array<u32, 3>, }
    @abi struct Open { count: u32, items: array<u32>, }
    @abi @group(0) @binding(0) var %u: ptr<uniform, Fixed, read>;
    @abi @group(0) @binding(1) var %s: ptr<storage, Fixed, read_write>;
    @abi @group(0) @binding(2) var %open: ptr<storage, Open, read>;
    @abi @group(0) @binding(3) var %list: ptr<storage, array<vec4<f32>>, read>;
    @abi @group(0) @binding(4) var %smp: ptr<handle, sampler, read>;
    @abi override %n: u32;
    count $0 = %n;
    @abi @group(0) @binding(5) var %sized: ptr<storage, array<u32, $0>, read>;
    @abi @compute @workgroup_size(1u, 1u, 1u) fn %main() { eval load(%open.count); }
  )");
  ASSERT_EQ(test.errors, "");
  const Module m = FromIr(test.module);
  ASSERT_EQ(m.bindings.size(), 6u);
  EXPECT_EQ(m.bindings[0].layout->is_dynamic_safe, true);
  EXPECT_EQ(m.bindings[1].layout->is_dynamic_safe, true);
  // The length that the shader sees of these is that of the range, which an offset does not shorten.
  EXPECT_EQ(m.bindings[2].layout->is_dynamic_safe, false);
  EXPECT_EQ(m.bindings[3].layout->is_dynamic_safe, false);
  EXPECT_EQ(m.bindings[4].layout->is_dynamic_safe, std::nullopt);
  EXPECT_EQ(m.bindings[5].layout->is_dynamic_safe, std::nullopt) << "an override decides";
  const std::string text = ToJson(m);
  size_t told = 0;
  for (size_t at = 0; (at = text.find("\"dynamicSafe\": ", at)) != std::string::npos; ++at) ++told;
  EXPECT_NE(text.find("\"dynamicSafe\": null"), std::string::npos);
  EXPECT_EQ(told, 5u) << "a sampler has no such fact\n" << text;
}

TEST(FromIr, OverridesAndWhatTheySize) {
  ir::TestModule test(R"(
    override %a: u32 = 4u;
    @id(0) override %b: f32 = 1.5f;
    override %c: u32;
    override %d: u32 = (%a * 2u);
    override %unused: bool = true;
    count $0 = %a;
    var %w: ptr<workgroup, array<u32, $0>, read_write>;
    @abi @compute @workgroup_size(%c, %d, 1u) fn %main() { store %w[0u] = 1u; }
  )");
  ASSERT_EQ(test.errors, "");
  const Module m = FromIr(test.module);
  ASSERT_EQ(m.overrides.size(), 5u);
  EXPECT_EQ(m.overrides[0].constant, 1u);  // 0 is b's
  EXPECT_EQ(m.overrides[1].id, 0u);
  EXPECT_EQ(m.overrides[1].default_bits, 0x3fc00000u);
  EXPECT_FALSE(m.overrides[2].has_default);
  EXPECT_EQ(m.overrides[3].default_bits, 8u);
  const EntryPoint& main = m.entry_points[0];
  EXPECT_EQ(main.workgroup->size, (std::array<uint32_t, 3>{0, 8, 1}));
  EXPECT_EQ(main.workgroup->constant[0], m.overrides[2].constant);
  EXPECT_FALSE(main.workgroup->constant[2]);
  EXPECT_EQ(main.overrides, (std::vector<uint32_t>{0, 2, 3}));
}

TEST(FromIr, InterfacesAreFlat) {
  ir::TestModule test(R"(
    @abi struct In { @location(3) @interpolate(flat, either) id: u32, @builtin(position) pos: vec4<f32>, }
    @abi struct Out { @location(0) @blend_src(1) c: vec4<f16>, @builtin(frag_depth) z: f32, }
    @abi @fragment fn %main(%in: In, @location(1) %uv: vec2<f32>) -> Out { return Out{}; }
  )");
  ASSERT_EQ(test.errors, "");
  const Module m = FromIr(test.module);
  const EntryPoint& main = m.entry_points[0];
  ASSERT_EQ(main.inputs.size(), 3u);
  EXPECT_EQ(main.inputs[0].name, "id");
  EXPECT_EQ(main.inputs[0].location, 3u);
  EXPECT_EQ(main.inputs[0].interpolation, "flat");
  EXPECT_EQ(main.inputs[0].sampling, "either");
  EXPECT_EQ(main.inputs[1].builtin, "position");
  EXPECT_EQ(main.inputs[2].name, "uv");
  ASSERT_EQ(main.outputs.size(), 2u);
  EXPECT_EQ(main.outputs[0].index, 1u);
  EXPECT_EQ(main.outputs[0].type.width, 16u);
  EXPECT_EQ(main.outputs[1].builtin, "frag-depth");
  EXPECT_NE(ToJson(m).find("\"interpolation\": \"flat\""), std::string::npos);
}

}  // namespace
}  // namespace kiln::reflect
