// SPDX-License-Identifier: Apache-2.0
// WGSL through the tool: translate, check, reflect, build.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "support/run.h"

namespace kiln::test {
namespace {

constexpr const char* kShader = R"(struct Scene { turn: mat4x4<f32>, tint: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var nearest: sampler;
struct Between { @builtin(position) place: vec4f, @location(0) uv: vec2f }
@vertex fn vs(@location(0) at: vec3f, @location(1) uv: vec2f) -> Between {
  return Between(scene.turn * vec4f(at, 1), uv);
}
@fragment fn fs(in: Between) -> @location(0) vec4f {
  let texel = textureSample(image, nearest, in.uv);
  if (texel.a < 0.1) { discard; }
  return texel * scene.tint;
}
)";
constexpr const char* kManifest = R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"],
  "targets": ["spirv-1.3", "wgsl", "msl-2.1", "hlsl-5.1", "essl-300", "reflection"]})";

class Wgsl : public testing::Test {
 protected:
  Wgsl() : project_(kManifest) { project_.Write("a.wgsl", kShader); }
  Project project_;
};

TEST_F(Wgsl, TranslatesToEveryTarget) {
  const struct {
    const char* output;
    const char* holds;
  } cases[] = {{"o.metal", "fragment "},      {"o.hlsl", "SV_Target0"},      {"o.glsl", "#version 450"},
               {"o.essl", "#version 3"},      {"o.wgsl", "@fragment fn fs"}, {"o.spvasm", "OpEntryPoint Fragment"},
               {"o.json", "\"sampledPairs\""}};
  for (const auto& one : cases) {
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "--entry", "fs", "-o", one.output});
    EXPECT_EQ(run.exit, 0) << one.output << ": " << run.err;
    EXPECT_NE(project_.Read(one.output).find(one.holds), std::string::npos) << one.output << "\n"
                                                                            << project_.Read(one.output);
  }
}

// ESSL cannot ask a texture for its levels, nor say how derivatives are made.
TEST_F(Wgsl, EsslHasTextureCountsInAUniformBlock) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(3) var t: texture_2d<f32>;
@fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
  return textureLoad(t, vec2i(3), i32(uv.x)) * f32(textureNumLevels(t)) + dpdxFine(uv.x) + fwidthCoarse(uv.y);
}
)");
  const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.essl", "--bindings", "o.json"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = project_.Read("o.essl");
  EXPECT_NE(text.find("uint levels_0_3;"), std::string::npos) << text;
  EXPECT_EQ(text.find("textureQueryLevels"), std::string::npos) << text;
  EXPECT_NE(text.find("dFdx("), std::string::npos) << text;
  EXPECT_NE(project_.Read("o.json").find("\"kiln_texture_counts\""), std::string::npos);
  // Desktop GLSL has both, by an extension where the version is old.
  const RunResult old = project_.Kiln({"translate", "a.wgsl", "-o", "o.glsl", "--target", "glsl-330"});
  ASSERT_EQ(old.exit, 0) << old.err;
  EXPECT_NE(project_.Read("o.glsl").find("textureQueryLevels("), std::string::npos);
}

TEST_F(Wgsl, OneModuleHoldsSeveralEntryPoints) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(0) var<uniform> tint: vec4f;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@vertex fn vs() -> @builtin(position) vec4f { return tint; }
@fragment fn fs() -> @location(0) vec4f { return tint; }
@compute @workgroup_size(4) fn cs() { words[0] = 1; }
)");
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "targets": ["spirv-1.5", "reflection", "essl"],
    "programs": [{"name": "all", "source": "a.wgsl", "oneModule": true},
      {"name": "two", "source": "a.wgsl", "oneModule": true, "targets": ["spirv-1.5", "reflection"],
       "stages": [{"entry": "fs"}, {"entry": "vs"}]}]})");
  const RunResult run = project_.Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const auto count = [](const std::string& text, std::string_view word) {
    size_t found = 0;
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const auto entries = [&](const std::string& file) {
    EXPECT_EQ(project_.Kiln({"translate", file, "-o", "o.spvasm"}).exit, 0);
    return count(project_.Read("o.spvasm"), "OpEntryPoint ");
  };
  EXPECT_EQ(entries("out/spirv-1.5/all.module.spv"), 3u);
  EXPECT_EQ(entries("out/spirv-1.5/two.module.spv"), 2u);
  EXPECT_TRUE(Exists(project_ / "out/essl/all.frag.essl"));
  EXPECT_EQ(count(project_.Read("out/reflection/all.module.json"), "\"stage\": "), 3u);
  EXPECT_EQ(count(project_.Read("out/reflection/two.module.json"), "\"stage\": "), 2u);
  EXPECT_EQ(project_.Read("out/reflection/two.module.json").find("\"compute\""), std::string::npos)
      << "the stage of an entry point that the module does not have sees nothing";
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 0);
  const RunResult again = project_.Kiln({"explain", "out/spirv-1.5/two.module.spv"});
  EXPECT_NE(again.out.find("fs, vs"), std::string::npos) << again.out << again.err;
}

/// "Structure.member" -> offset, of all structures in reflection JSON, without padding.
std::map<std::string, std::string> OffsetsOf(const std::string& json) {
  std::map<std::string, std::string> all;
  std::string structure;
  std::istringstream lines(json.substr(json.find("\"structures\"")));
  std::string member;
  const auto text_of = [](const std::string& line) {
    const size_t end = line.rfind('"');
    const size_t begin = line.rfind('"', end - 1) + 1;
    return line.substr(begin, end - begin);
  };
  for (std::string line; std::getline(lines, line);) {
    const size_t indent = line.find_first_not_of(' ');
    if (line.find("\"name\": ") == indent) (indent < 8 ? structure : member) = text_of(line);
    if (line.find("\"offset\": ") != indent || member.find("padding_") != std::string::npos) continue;
    // HLSL's members of a cbuffer have the name of the variable before them.
    all[structure + "." + member.substr(member.rfind('_') + 1)] = line.substr(line.find(':') + 2);
  }
  return all;
}

// glslang's own idea of where GLSL and HLSL put members is the judge.
TEST_F(Wgsl, BlocksHaveTheOffsetsOfTheSourceInEveryLanguage) {
  project_.Write("a.wgsl", R"(
struct Inner { a: f32, @size(32) b: f32, c: vec2f, @size(32) d: f32 }
struct U { x: f32, @size(32) y: f32, z: vec2f, @align(64) v: vec3f, w: f32, @align(32) inner: Inner,
           list: array<Inner, 3>, m: mat3x3f, pair: array<vec3f, 2>, k: f32, @size(128) q: u32, last: vec4f }
@group(0) @binding(0) var<uniform> u: U;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {
  out[i] = u.list[i].c.x + u.inner.d + u.m[i].x + u.pair[i].x + u.k + u.last.x + u.v.x + u.w + u.z.y + f32(u.q);
}
)");
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "a.json"}).exit, 0);
  const auto expected = OffsetsOf(project_.Read("a.json"));
  ASSERT_EQ(expected.at("U.last"), "640,") << project_.Read("a.json");
  for (const char* target : {"essl-310", "essl-320", "glsl-430", "glsl-450", "hlsl-5.1", "hlsl-6.0"}) {
    const RunResult made = project_.Kiln({"translate", "a.wgsl", "-o", "o.txt", "--target", target});
    ASSERT_EQ(made.exit, 0) << target << made.err;
    const bool is_hlsl = target[0] == 'h';
    const RunResult read = project_.Kiln({"translate", "o.txt", "--language", is_hlsl ? "hlsl" : "glsl", "--stage",
                                          "compute", "--entry", "main", "--target", "reflection", "-o", "o.json"});
    ASSERT_EQ(read.exit, 0) << target << read.err << project_.Read("o.txt");
    const auto found = OffsetsOf(project_.Read("o.json"));
    size_t compared = 0;
    for (const auto& [name, offset] : expected) {
      const bool is_inner = name.starts_with("Inner.");
      if (!is_inner && !name.starts_with("U.")) continue;
      ++compared;
      const std::string member = name.substr(name.find('.'));
      // The block is named as its variable, and another Inner may be that of values.
      const bool is_there = std::any_of(found.begin(), found.end(), [&](const auto& each) {
        const bool is_of_inner = each.first.starts_with("Inner");
        return each.first.ends_with(member) && each.second == offset && is_of_inner == is_inner;
      });
      EXPECT_TRUE(is_there) << target << ": " << name << " at " << offset << "\n" << project_.Read("o.txt");
    }
    EXPECT_EQ(compared, 16u);
  }
}

TEST_F(Wgsl, BlocksThatNoRuleFitsAreWords) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(0) var<uniform> floats: array<f32, 5>;
@group(0) @binding(1) var<storage, read_write> out: array<array<f32, 2>, 3>;
@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {
  out[0][1] = floats[i];
  let copy = out[i];
  out[1] = copy;
}
)");
  const struct {
    const char* target;
    const char* holds;
  } cases[] = {{"essl-310", "uvec4 inner[2];"}, {"hlsl-6.0", "uint4 floats_1_inner[2]"}};
  for (const auto& one : cases) {
    const std::string text = "o." + std::string(one.target);
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", text, "--target", one.target});
    ASSERT_EQ(run.exit, 0) << run.err;
    EXPECT_NE(project_.Read(text).find(one.holds), std::string::npos) << project_.Read(text);
    const bool is_hlsl = one.target[0] == 'h';
    const RunResult read = project_.Kiln({"translate", text, "--language", is_hlsl ? "hlsl" : "glsl", "--stage",
                                          "compute", "--entry", "main", "--target", "spirv", "-o", "o.spv"});
    EXPECT_EQ(read.exit, 0) << read.err << project_.Read(text);
  }
}

// Letters outside ASCII became '_', so that these names met.
TEST_F(Wgsl, NamesThatDifferInOneLetterStayApart) {
  project_.Write("a.wgsl", R"(
struct Größe { höhe: f32, hohe: f32 }
@group(0) @binding(0) var<uniform> größe: Größe;
@group(0) @binding(1) var<storage, read_write> Δ: array<f32>;
@group(0) @binding(2) var<storage, read_write> Θ: array<f32>;
fn été(é: f32, è: f32) -> f32 { return é - è; }
fn étè(é: f32, è: f32) -> f32 { return é + è; }
@compute @workgroup_size(1) fn zähle() { Δ[0] = été(Θ[0], größe.höhe) + étè(größe.hohe, 1); }
@compute @workgroup_size(1) fn zühle() { Δ[0] = 2; }
)");
  for (const char* target : {"msl-2.4", "hlsl-6.0", "glsl-450", "essl-310"}) {
    const RunResult run = project_.Kiln(
        {"translate", "a.wgsl", "-e", "zähle", "-o", "o.txt", "--target", target, "--bindings", "o.json"});
    ASSERT_EQ(run.exit, 0) << run.err;
    const std::string text = project_.Read("o.txt");
    for (const char* name : {"hu00f6he", "hohe", "u0394", "u0398", "u00e9tu00e9(", "u00e9tu00e8("}) {
      EXPECT_NE(text.find(name), std::string::npos) << target << " has no " << name << "\n" << text;
    }
    const std::string bindings = project_.Read("o.json");
    EXPECT_NE(bindings.find("\"name\": \"Δ\""), std::string::npos) << bindings;
    EXPECT_NE(bindings.find("\"textName\": \"u0394\""), std::string::npos) << bindings;
    const bool is_hlsl = target[0] == 'h';
    if (target[0] == 'm') continue;
    const RunResult read = project_.Kiln({"translate", "o.txt", "--language", is_hlsl ? "hlsl" : "glsl", "--stage",
                                          "compute", "--entry", "main", "--target", "spirv", "-o", "o.spv"});
    EXPECT_EQ(read.exit, 0) << target << read.err << text;
  }
  // Entry points of one Metal library come from several texts.
  for (const auto& [entry, name] : {std::pair("zähle", "zu00e4hle"), std::pair("zühle", "zu00fchle")}) {
    ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-e", entry, "-o", "o.metal", "--bindings", "o.json"}).exit, 0);
    EXPECT_NE(project_.Read("o.metal").find("kernel void " + std::string(name) + "("), std::string::npos);
    EXPECT_NE(project_.Read("o.json").find("\"entryPoint\": \"" + std::string(name) + "\""), std::string::npos);
  }
}

TEST_F(Wgsl, MetalSaysWhichBuffersItAsksForTheirSize) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(3) var<storage, read> b: array<u32, 4>;
@group(1) @binding(0) var<storage, read> c: array<vec4f>;
struct T { n: u32, list: array<f32> }
@group(1) @binding(2) var<storage, read_write> d: T;
@group(1) @binding(5) var<uniform> e: vec4u;
@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {
  a[i] = b[e.x & 3] + u32(c[0].x);
  d.n = arrayLength(&d.list);
}
)");
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"], "targets": {
    "msl-2.4": {"bindingsFile": true, "bindings": [{"set": 1, "binding": 2, "buffer": 17}]}}})");
  const RunResult run = project_.Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = project_.Read("out/msl-2.4/a.comp.metal");
  const std::string bindings = project_.Read("out/msl-2.4/a.comp.metal.bindings.json");
  const size_t sizes = bindings.find("\"bufferSizes\"");
  ASSERT_NE(sizes, std::string::npos) << bindings;
  std::string list = bindings.substr(sizes);
  std::erase_if(list, [](char c) { return c == ' ' || c == '\n'; });
  std::string expected = "\"bufferSizes\":{\"buffer\":25,\"entries\":[";
  // What the text reads, buffer by buffer, with the slot that the text gives it.
  for (const auto& [name, place] :
       {std::pair("a", "\"set\":0,\"binding\":0"), std::pair("c", "\"set\":1,\"binding\":0"),
        std::pair("d", "\"set\":1,\"binding\":2")}) {
    const std::string read = std::string(name) + "BufferSize = spvBufferSizeConstants[";
    const size_t at = text.find(read);
    ASSERT_NE(at, std::string::npos) << name << "\n" << text;
    const std::string slot = text.substr(at + read.size(), text.find(']', at) - at - read.size());
    EXPECT_NE(text.find(" " + std::string(name) + " [[buffer(" + slot + ")]]"), std::string::npos) << text;
    if (*name != 'a') expected += ",";
    expected += "{\"name\":\"" + std::string(name) + "\"," + place + ",\"index\":" + slot + "}";
  }
  EXPECT_EQ(list, expected + "]}}");
  EXPECT_NE(expected.find("\"index\":17"), std::string::npos);
}

TEST_F(Wgsl, EachProtectionCanBeTurnedOff) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(0) var<storage, read_write> b: array<i32>;
@group(0) @binding(1) var t: texture_2d<f32>;
var<workgroup> w: array<i32, 4>;
@compute @workgroup_size(1) fn main() {
  var x: array<i32, 4>;
  loop { if (b[0] / b[1] > 3) { break; } b[2] = b[3] << u32(b[4]); }
  x[b[5]] += i32(f32(b[6]) * 1e20);
  b[7] = x[b[8]] + w[1] + i32(textureLoad(t, vec2i(b[9]), 0).x);
}
)");
  const auto length = [&](const std::string& option) {
    std::vector<std::string> arguments = {"translate", "a.wgsl", "-o", "o.spv"};
    if (!option.empty()) arguments.push_back("--option=" + option);
    const RunResult run = project_.Kiln(arguments);
    EXPECT_EQ(run.exit, 0) << run.err;
    return project_.Read("o.spv").size();
  };
  const size_t all = length("");
  for (const char* name : {"bound-loops", "clamp-indices", "integer-division", "mask-shifts", "saturate-conversions",
                           "texture-bounds", "zero-variables", "zero-workgroup"}) {
    EXPECT_LT(length(std::string(name) + "=false"), all) << name;
    EXPECT_EQ(length(name), all) << name;
  }
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--option=clamp-indices=maybe"}).exit, 2);
  const RunResult unknown = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--option=clamp"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("[unknown-option]"), std::string::npos) << unknown.err;
  // In a manifest, for SPIR-V and for what is made of it.
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"], "targets": {
    "spirv-1.5": {"options": {"bound-loops": false}}, "spirv-1.3": {},
    "m": {"target": "msl-2.4", "options": {"clamp-indices": false}}, "n": {"target": "msl-2.4"}}})");
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  EXPECT_LT(project_.Read("out/spirv-1.5/a.comp.spv").size(), project_.Read("out/spirv-1.3/a.comp.spv").size());
  EXPECT_NE(project_.Read("out/n/a.comp.metal").find("spvBufferSizeConstants"), std::string::npos);
  EXPECT_EQ(project_.Read("out/m/a.comp.metal").find("spvBufferSizeConstants"), std::string::npos);
  // Metal is told where the host puts the lengths.
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.metal", "--bindings", "o.json"}).exit, 0);
  EXPECT_NE(project_.Read("o.json").find("\"bufferSizes\""), std::string::npos) << project_.Read("o.json");
}

TEST_F(Wgsl, OverridesAreGivenByNameOrId) {
  project_.Write("a.wgsl", R"(
override scale: f32 = 2.5;
@id(7) override more: bool = false;
override n = u32(scale * 4) + select(0u, 2u, more);
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
var<workgroup> w: array<f32, n>;
@compute @workgroup_size(n) fn main() { w[0] = scale; out[0] = w[1]; }
)");
  const RunResult none = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"});
  EXPECT_EQ(none.exit, 1);
  EXPECT_NE(none.err.find("--override scale=VALUE --override 7=VALUE"), std::string::npos) << none.err;
  const RunResult run =
      project_.Kiln({"translate", "a.wgsl", "-o", "o.wgsl", "--override", "scale=3", "--override=7=true"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(project_.Read("o.wgsl").find("@workgroup_size(14u)"), std::string::npos) << project_.Read("o.wgsl");
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "scale=3"}).exit, 0);
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "scale=three"}).exit, 2);
  EXPECT_NE(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "x=1"}).err.find("unknown-override"),
            std::string::npos);
  // Another value is another result, though the text is the same.
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.wgsl", "--override", "scale=4"}).exit, 0);
  EXPECT_NE(project_.Read("o.wgsl").find("@workgroup_size(16u)"), std::string::npos);
}

TEST_F(Wgsl, OverridesThatCannotBeAreErrorsThatSayWhy) {
  project_.Write("a.wgsl", R"(override scale: f32 = 2.5;
@id(7) override more: bool = false;
override count: u32 = 3;
override half: i32 = 3;
@compute @workgroup_size(count) fn main() { _ = scale; _ = more; _ = half; }
)");
  const struct {
    const char* given;
    int exit;
    const char* says;
  } cases[] = {
      {"count=1e400", 2, "'1e400' is larger than any type of an override can hold"},
      {"count=inf", 2, "'inf' is not finite"},
      {"count=", 2, "'count=' gives 'count' no value: the value is missing"},
      {"=4", 2, "'=4' names no override"},
      {"count=1e300", 1, "the override 'count' cannot be 1e300: it is of type 'u32'"},
      {"count=-1", 1, "a u32 is a whole number from 0 to 4294967295"},
      {"count=2.5", 1, "the override 'count' cannot be 2.5: it is of type 'u32'"},
      {"half=true", 1, "true and false are for bool only"},
      {"scale=1e39", 1, "an f32 is at most 3.4028234663852886e+38"},
      {"7=2", 1, "the override 'more', @id(7), cannot be 2: it is of type 'bool'"},
      {"more=true", 1, "'more' has an @id, which is its name here: 7"},
      {"mroe=true", 1, "did you mean 'more', named here by its @id: 7"},
      {"scael=1", 1, "did you mean 'scale'?"},
      {"9=1", 1, "the module has no override with @id(9)"},
      {"nothing_like_it=1", 1, "it has 'scale', '7', 'count', 'half'"},
  };
  for (const auto& one : cases) {
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", one.given});
    EXPECT_EQ(run.exit, one.exit) << one.given << ": " << run.err;
    EXPECT_NE(run.err.find(one.says), std::string::npos) << one.given << ": " << run.err;
  }
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "scale=1e-400"}).exit, 0);
}

TEST_F(Wgsl, OverridesOfAManifest) {
  project_.Write("a.wgsl", R"(@id(7) override more: bool = false;
override count = 2u;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(count) fn main() { out[0] = select(1u, 2u, more); }
@compute @workgroup_size(1) fn other() { out[0] = count; }
)");
  const auto manifest = [&](const std::string& overrides) {
    project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out", "layout": "{target}/{entry}.{ext}"},
"targets": ["wgsl", "msl-2.4", "reflection"], "programs": [{"source": "a.wgsl", "stages": [
  {"entry": "main", "overrides": )" +
                                    overrides + R"(}, {"entry": "other"}], "overrides": {"count": 5}}]})");
  };
  manifest("{\"7\": true}");
  const RunResult run = project_.Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(project_.Read("out/wgsl/main.wgsl").find("@workgroup_size(5u)"), std::string::npos);
  EXPECT_EQ(project_.Read("out/wgsl/main.wgsl").find("override"), std::string::npos);
  EXPECT_EQ(project_.Read("out/msl-2.4/main.metal").find("function_constant"), std::string::npos);
  EXPECT_NE(project_.Read("out/reflection/main.json").find("\"name\": \"main\""), std::string::npos);
  EXPECT_NE(project_.Read("out/wgsl/other.wgsl").find("5u"), std::string::npos) << project_.Read("out/wgsl/other.wgsl");

  manifest("{\"more\": true}");
  const RunResult unknown = project_.Kiln({"build"});
  EXPECT_EQ(unknown.exit, 1);
  EXPECT_NE(unknown.err.find("kiln.json:3:43: error: the module has no override 'more'"), std::string::npos)
      << unknown.err;
  EXPECT_NE(unknown.err.find("'more' has an @id, which is its name here: 7"), std::string::npos) << unknown.err;
  manifest("{\"7\": 3}");
  const RunResult bad = project_.Kiln({"build"});
  EXPECT_EQ(bad.exit, 1);
  EXPECT_NE(bad.err.find("kiln.json:3:40: error: the override 'more', @id(7), cannot be 3"), std::string::npos)
      << bad.err;
  EXPECT_NE(bad.err.find("a.wgsl:1:17: note: it is declared here"), std::string::npos) << bad.err;
}

TEST_F(Wgsl, PlanesOfExternalTexturesAreAnOption) {
  project_.Write("a.wgsl", R"(@group(0) @binding(0) var film: texture_external;
@fragment fn fs() -> @location(0) vec4f { return textureLoad(film, vec2u(1)); }
)");
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "one.spvasm"}).exit, 0);
  EXPECT_EQ(project_.Read("one.spvasm").find("film_plane1"), std::string::npos);
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--option", "external-planes=few"}).exit, 2);
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.metal", "--option", "external-planes"}).exit, 0);
  EXPECT_NE(project_.Read("o.metal").find("film_plane1"), std::string::npos) << project_.Read("o.metal");
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"], "targets": {
    "spirv-1.5": {"options": {"external-planes": true}}, "essl": {"options": {"external-planes": true}}, "msl-2.4": {}}})");
  const RunResult run = project_.Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(project_.Read("out/spirv-1.5/a.frag.spv").find("film_params"), std::string::npos);
  EXPECT_NE(project_.Read("out/essl/a.frag.essl").find("film_params"), std::string::npos);
  EXPECT_EQ(project_.Read("out/msl-2.4/a.frag.metal").find("film_params"), std::string::npos);
}

TEST_F(Wgsl, SpirvOfAllEntryPointsIsValid) {
  if (!HasProgram("spirv-val")) GTEST_SKIP() << "spirv-val is not installed";
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"}).exit, 0);
  const RunResult checked = RunProgram({"spirv-val", "--target-env", "vulkan1.2", project_ / "o.spv"});
  EXPECT_EQ(checked.exit, 0) << checked.all();
  EXPECT_NE(project_.Read("o.spv").find("vs"), std::string::npos);
}

TEST_F(Wgsl, TextIsAboutOneEntryPoint) {
  const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.metal"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("several entry points: 'vs' or 'fs'"), std::string::npos) << run.err;
  EXPECT_FALSE(Exists(project_ / "o.metal"));
}

TEST_F(Wgsl, ErrorsStandInTheSource) {
  project_.Write("a.wgsl", "@compute @workgroup_size(1) fn main() {\n  let x: u32 = 1.5;\n  return y;\n}\n");
  const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_NE(run.err.find("a.wgsl:2:16: error:"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("a.wgsl:3:10: error:"), std::string::npos) << run.err;
  EXPECT_FALSE(Exists(project_ / "o.spv"));
}

TEST_F(Wgsl, BuildsVerifiesAndRebuildsNothing) {
  const RunResult first = project_.Kiln({"build"});
  ASSERT_EQ(first.exit, 0) << first.err;
  for (const char* name : {"out/spirv-1.3/a.vert.spv", "out/spirv-1.3/a.frag.spv", "out/wgsl/a.frag.wgsl",
                           "out/msl-2.1/a.frag.metal", "out/reflection/a.vert.json"}) {
    EXPECT_TRUE(Exists(project_ / name)) << name;
  }
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 0);
  project_.Write("a.wgsl", std::string(kShader) + "// a comment\n");
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 4);
  const RunResult second = project_.Kiln({"build"});
  EXPECT_EQ(second.exit, 0) << second.err;
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 0);
}

TEST_F(Wgsl, AFailedBuildKeepsTheOldGeneration) {
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  const std::string before = TreeDigest(project_ / "out");
  project_.Write("a.wgsl", "@compute @workgroup_size(1) fn main() { let x: u32 = -1; }\n");
  EXPECT_EQ(project_.Kiln({"build"}).exit, 1);
  EXPECT_EQ(TreeDigest(project_ / "out"), before);
}

TEST_F(Wgsl, OnlyWgslBecomesWgsl) {
  project_.Write("b.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n");
  EXPECT_EQ(project_.Kiln({"translate", "b.frag", "-o", "o.wgsl"}).exit, 2);
}

}  // namespace
}  // namespace kiln::test
