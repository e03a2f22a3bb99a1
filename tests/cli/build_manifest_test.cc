// SPDX-License-Identifier: Apache-2.0
// What a manifest asks `kiln build` for, and its mistakes: versions of compilers, slots, stages, include folders.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "build_project.h"
#include "support/run.h"

namespace kiln::test {
namespace {

TEST_F(Build, RequiredVersionsChooseTheSetOrNameWhatWasFound) {
  const std::string head = R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["shaders/c.frag"],
)";
  project_.Write("kiln.json", head + "\"toolchains\": {\"require\": {\"glslang\": \"12.0\"}}}");
  const RunResult old = Kiln({"build"});
  EXPECT_EQ(old.exit, 0) << old.all();
  EXPECT_NE(old.out.find("debian"), std::string::npos) << old.out;
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
  for (const char* version : {"12.", "2.0", "99"}) {
    project_.Write("kiln.json", head + "\"toolchains\": {\"require\": {\"glslang\": \"" + version + "\"}}}");
    const RunResult run = Kiln({"build"});
    EXPECT_EQ(run.exit, 3) << version;
    EXPECT_TRUE(std::regex_search(run.err, std::regex("kiln.json:2:[0-9]+: error: .*\\[toolchain-version\\]")))
        << run.err;
    EXPECT_NE(run.err.find("set 'debian' with glslang 12.0.0"), std::string::npos) << run.err;
    // What is published was not built by it either, and no set is needed to see that.
    const RunResult verified = project_.Kiln({"verify"}, {.environment = {"KILN_WORKER_PATH=/nowhere"}});
    EXPECT_EQ(verified.exit, 4) << verified.all();
    EXPECT_NE(verified.out.find(std::string("glslang ") + version + " is required"), std::string::npos) << verified.out;
  }
  project_.Write("kiln.json",
                 head + "\"toolchains\": {\"use\": \"debian\", \"require\": {\"spirv-tools\": \"1999.1\"}}}");
  const RunResult named = Kiln({"build"});
  EXPECT_EQ(named.exit, 3);
  EXPECT_NE(named.err.find("has spirv-tools 2023.1"), std::string::npos) << named.err;
}

TEST_F(Build, SlotsArePublishedBesideTheText) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["s.frag"],
    "targets": {"m": {"target": "msl-2.4", "bindingsFile": true, "bindings": [{"set": 0, "binding": 1, "texture": 5}]},
                "spirv-1.3": {}}})");
  project_.Write("s.frag",
                 "#version 450\nlayout(location = 0) out vec4 color;\n"
                 "layout(set = 0, binding = 1) uniform texture2D image;\n"
                 "layout(set = 0, binding = 2) uniform sampler smooth_;\n"
                 "void main() { color = texture(sampler2D(image, smooth_), vec2(0.5)); }\n");
  EXPECT_EQ(Written(),
            (std::set<std::string>{"m/s.frag.metal", "m/s.frag.metal.bindings.json", "spirv-1.3/s.frag.spv"}));
  const std::string report = project_.Read("out/m/s.frag.metal.bindings.json");
  EXPECT_TRUE(std::regex_search(report, std::regex("\"name\": \"image\"[^}]*\"texture\": 5"))) << report;
  EXPECT_TRUE(std::regex_search(report, std::regex("\"name\": \"smooth_?\"[^}]*\"sampler\": [0-9]"))) << report;
  EXPECT_TRUE(IsIdle());
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.metal", "--bindings", "s.json"}).exit, 0);
  EXPECT_NE(project_.Read("s.json").find("\"entryPoint\": \"main0\""), std::string::npos) << project_.Read("s.json");
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.spv", "--bindings", "s.json"}).exit, 2);
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.metal", "--bindings", "s.metal"}).exit, 2);
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.metal", "--bindings", "s.frag"}).exit, 2);
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["s.frag"],
    "targets": {"m": {"target": "msl-2.4"}}})");
  EXPECT_NE(Kiln({"build", "-v"}).out.find("m/s.frag.metal.bindings.json"), std::string::npos);
  EXPECT_FALSE(Exists(project_ / "out/m/s.frag.metal.bindings.json"));
}

TEST_F(Build, SlotsThatMeetAreTheManifestsMistake) {
  const auto manifest = [&](const char* second) {
    project_.Write("kiln.json", std::string(R"({"schemaVersion": 1, "programs": ["u.frag"], "targets": {"m": {
  "target": "msl-2.4", "bindings": [{"binding": 0, "buffer": 2}, {"binding": 1, "buffer": )") +
                                    second + "}]}}}");
  };
  project_.Write("u.frag",
                 "#version 450\nlayout(binding = 0) uniform A { vec4 a; } first;\n"
                 "layout(binding = 1) uniform B { vec4 b; } second;\nlayout(location = 0) out vec4 o;\n"
                 "void main() { o = first.a + second.b; }\n");
  manifest("2");
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2) << run.all();
  EXPECT_NE(
      run.err.find("kiln.json:2:36: error: msl-2.4: 'first' (set 0, binding 0) and 'second' (set 0, binding 1) both "
                   "get buffer 2 [slot-collision]"),
      std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("hint: "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("u.frag: note: in this source"), std::string::npos) << run.err;
  manifest("3");
  EXPECT_EQ(Kiln({"build"}).exit, 0);
}

// glslang takes this HLSL and gives two inputs one location.
constexpr const char* kMadeInvalid =
    "float4 main([[vk::location(0)]] float3 color : COLOR0, uint rate : SV_ShadingRate) : SV_Target0 {\n"
    "  return float4(color, float(rate));\n}\n";

TEST_F(Build, SpirvThatACompilerMadeInvalidIsRefusedUnlessAskedFor) {
  const std::string head = R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["r.frag.hlsl"],
    "targets": ["spirv-1.3"])";
  project_.Write("r.frag.hlsl", kMadeInvalid);
  project_.Write("kiln.json", head + "}");
  const RunResult refused = Kiln({"build"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_TRUE(std::regex_search(refused.err, std::regex("error: .*conflicting input location.*\\[spirv-invalid\\]")))
      << refused.err;
  EXPECT_NE(refused.err.find("'validate' as 'warning'"), std::string::npos) << refused.err;
  EXPECT_FALSE(Exists(project_ / "out"));
  project_.Write("kiln.json", head + ", \"validate\": \"warning\"}");
  const RunResult passed = Kiln({"build"});
  EXPECT_EQ(passed.exit, 0) << passed.all();
  EXPECT_TRUE(std::regex_search(passed.err, std::regex("warning: .*conflicting input location"))) << passed.err;
  EXPECT_TRUE(Exists(project_ / "out/spirv-1.3/r.frag.spv"));
  EXPECT_NE(Kiln({"build"}).err.find("warning: "), std::string::npos) << "a warning is repeated";
  EXPECT_EQ(Kiln({"translate", "r.frag.hlsl", "-o", "r.spv"}).exit, 1);
  EXPECT_FALSE(Exists(project_ / "r.spv"));
  EXPECT_EQ(Kiln({"translate", "r.frag.hlsl", "-o", "r.spv", "--validate=warning"}).exit, 0);
  EXPECT_TRUE(Exists(project_ / "r.spv"));
}

TEST_F(Build, AnUnknownProgramIsAnsweredWithEachThatThereIs) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "programs": [{"name": "lamp", "source": "l.glsl",
    "stages": [{"stage": "vertex"}, {"stage": "fragment"}]}]})");
  project_.Write("l.glsl", "#version 450\nvoid main() {}\n");
  const RunResult run = Kiln({"build", "-p", "zzzzzz"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("it has 'lamp'\n"), std::string::npos) << run.err;
}

TEST_F(Build, AnHlslStageThatTheSourceContradictsIsTheManifestsMistake) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "programs": [{"source": "s.hlsl",
    "stages": [{"stage": "vertex", "entry": "PS"}]}]})");
  project_.Write("s.hlsl", "\n[shader(\"pixel\")]\nfloat4 PS() : SV_Target { return 1; }\n");
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2) << run.all();
  EXPECT_NE(run.err.find("kiln.json:2:26: error: 'PS' of 's.hlsl' is built as a vertex shader"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("s.hlsl:2:2: note: "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("hint: ask for stage fragment"), std::string::npos) << run.err;
  EXPECT_EQ(Kiln({"check"}).exit, 2);
  project_.Write("kiln.json", R"({"schemaVersion": 1, "programs": [{"source": "s.hlsl",
    "stages": [{"stage": "fragment", "entry": "PS"}]}]})");
  EXPECT_EQ(Kiln({"build"}).exit, 0);
}

TEST_F(Build, PassesOfSpirvOptAreJudgedAtTheirPlace) {
  const std::string rest = R"("output": "out", "programs": ["shaders/*.frag"]})";
  for (const char* level : {"-O", "-Os"}) {
    project_.Write("kiln.json", "{\"schemaVersion\": 1, \"optimize\": [\"" + std::string(level) + "\"],\n" + rest);
    const RunResult run = Kiln({"build"});
    EXPECT_EQ(run.exit, 0) << run.err;
  }
  project_.Write("kiln.json", "{\"schemaVersion\": 1,\n \"optimize\": [\"--merge-blocks\", \"--nope\"],\n" + rest);
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2) << run.err;
  EXPECT_TRUE(run.err.starts_with("kiln.json:2:14: error: 'optimize': spirv-opt does not take '--nope' as a pass"))
      << run.err;
  EXPECT_EQ(run.err.find("error:"), run.err.rfind("error:")) << "one mistake of three shaders: " << run.err;
}

TEST_F(Build, AnIncludeFolderThatIsNotThere) {
  project_.Write("kiln.json", R"({"schemaVersion": 1,
 "include": "lib", "programs": ["l.vert"]})");
  project_.Write("l.vert", "#version 450\nvoid main() {}\n");
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("kiln.json:2:13: error: there is no include folder 'lib'"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("hint: "), std::string::npos) << run.err;
  project_.Write("lib/x.glsl", "");
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  std::filesystem::remove_all(project_ / "lib");
  EXPECT_EQ(Kiln({"build"}).exit, 2) << "also where nothing else changed";
}

}  // namespace
}  // namespace kiln::test
