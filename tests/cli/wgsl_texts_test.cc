// SPDX-License-Identifier: Apache-2.0
// What WGSL becomes in MSL, HLSL, GLSL and ESSL: layouts of blocks, names, buffer sizes, planes of external textures.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "support/run.h"

namespace kiln::test {
namespace {

class WgslTexts : public testing::Test {
 protected:
  Project project_;
};

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
TEST_F(WgslTexts, BlocksHaveTheOffsetsOfTheSourceInEveryLanguage) {
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

TEST_F(WgslTexts, BlocksThatNoRuleFitsAreWords) {
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

// SPIRV-Cross wrote packHalf2x16 and vec2 into HLSL.
TEST_F(WgslTexts, QuantizeToF16IsHlsl) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(0) var<storage, read_write> out: array<vec3f>;
@compute @workgroup_size(1) fn main() { out[0] = quantizeToF16(out[1]) * quantizeToF16(out[2].x); }
)");
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.hlsl"}).exit, 0);
  const RunResult read = project_.Kiln(
      {"translate", "o.hlsl", "--stage", "compute", "--entry", "main", "--target", "spirv", "-o", "o.spv"});
  EXPECT_EQ(read.exit, 0) << read.err << project_.Read("o.hlsl");
}

// The columns of a narrow matrix are members `m_0`, `m_1`, as the author's own may be called.
TEST_F(WgslTexts, MembersKeepTheirNamesBesideSplitMatrices) {
  project_.Write("a.wgsl", R"(
struct U { m: mat3x2f, m_0: f32, m_1_: f32, m_1: f32, padding_44: f32 }
@group(0) @binding(0) var<uniform> u: U;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1) fn main() {
  out[0] = u.m[1].x + u.m_0 + u.m_1_ + u.m_1 + u.padding_44;
}
)");
  for (const auto& [target, before] :
       {std::pair("essl-310", "float "), std::pair("msl-2.4", "float "), std::pair("hlsl-6.0", "float u_")}) {
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.txt", "--target", target});
    ASSERT_EQ(run.exit, 0) << run.err;
    const std::string text = project_.Read("o.txt");
    for (const char* member : {"m_0", "m_1", "m_1_", "padding_44"}) {
      const std::string written = before + std::string(member);
      EXPECT_TRUE(text.find(written + ";") != std::string::npos || text.find(written + " :") != std::string::npos)
          << target << " has no " << member << "\n"
          << text;
    }
  }
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spvasm"}).exit, 0);
  const std::string words = project_.Read("o.spvasm");
  for (const char* name : {"3 \"m_0\"", "0 \"m_0_\"", "1 \"m_1_x\"", "4 \"m_1_\"", "5 \"m_1\""}) {
    EXPECT_NE(words.find(name), std::string::npos) << name << "\n" << words;
  }
}

// Letters outside ASCII became '_', so that these names met.
TEST_F(WgslTexts, NamesThatDifferInOneLetterStayApart) {
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

TEST_F(WgslTexts, MetalSaysWhichBuffersItAsksForTheirSize) {
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

TEST_F(WgslTexts, PlanesOfExternalTexturesAreAnOption) {
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

}  // namespace
}  // namespace kiln::test
