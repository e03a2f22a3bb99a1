// SPDX-License-Identifier: Apache-2.0
#include "build/config.h"

#include <gtest/gtest.h>

namespace kiln::build {
namespace {

std::string Show(const diag::Diagnostic& each) {
  std::string text = std::to_string(each.location.begin.line) + ":" + std::to_string(each.location.begin.column) + " " +
                     each.code + ": " + each.message;
  if (!each.hint.empty()) text += " | " + each.hint;
  return text;
}

std::vector<std::string> ErrorsOf(std::string_view body) {
  diag::Sink sink;
  const auto config = ParseConfig(std::string(body), "kiln.json", "/p", sink);
  EXPECT_EQ(config.ok(), !sink.has_errors());
  std::vector<std::string> all;
  for (const diag::Diagnostic& each : sink.diagnostics()) {
    EXPECT_EQ(each.location.file, "kiln.json");
    EXPECT_NE(each.location.begin.line, 0u) << Show(each);
    EXPECT_FALSE(each.hint.empty()) << Show(each);
    all.push_back(Show(each));
  }
  return all;
}

/// `text` is wrapped as a member after the version; its line is 2.
void ExpectError(std::string_view text, std::string_view expected) {
  const auto errors = ErrorsOf("{\"schemaVersion\": 1, \"programs\": [],\n" + std::string(text) + "}");
  ASSERT_EQ(errors.size(), 1u) << text << (errors.empty() ? "" : "\n" + errors[0]);
  EXPECT_NE(errors[0].find(expected), std::string::npos) << errors[0];
}

Config Good(std::string_view text) {
  diag::Sink sink;
  auto config = ParseConfig(std::string(text), "kiln.json", "/p", sink);
  for (const diag::Diagnostic& each : sink.diagnostics()) ADD_FAILURE() << Show(each);
  return config ? std::move(*config) : Config{};
}

TEST(Config, ShortestForm) {
  const Config config = Good(R"({"schemaVersion": 1, "programs": ["a.vert"]})");
  ASSERT_EQ(config.programs.size(), 1u);
  EXPECT_EQ(config.programs[0].stages[0].source, "a.vert");
  ASSERT_EQ(config.targets.size(), 1u);
  EXPECT_EQ(config.targets[0].name, "spirv-1.5");
}

TEST(Config, CommentsAndTrailingCommasAndCommentKeysAtEveryLevel) {
  const Config config = Good(R"({
    // a line
    "schemaVersion": 1, "_comment": "top", "_comment2": {"any": ["thing"]},
    "defines": {"_comment": "here too", "A": 1},
    "output": {"_comment": 1, "folder": "o"},
    "targets": {"_comment": [], "spirv": {"_comment": "x"}, "m": {"target": "msl-2.4", "bindings": [{"_comment": 1, "binding": 0, "buffer": 1}]}},
    "programs": [{"_comment": "x", "name": "p", "stages": [{"_comment": "y", "source": "a.vert"}]},],
  })");
  EXPECT_EQ(config.defines.size(), 1u);
  EXPECT_EQ(config.targets.size(), 2u);
}

TEST(Config, DefinesTakeTheValuesOfJson) {
  const Config config = Good(
      R"({"schemaVersion": 1, "programs": [], "defines": {"A": 1, "B": "x y", "C": true, "D": false, "E": null, "F": 1.50}})");
  ASSERT_EQ(config.defines.size(), 6u);
  EXPECT_EQ(config.defines[0].value, "1");
  EXPECT_EQ(config.defines[1].value, "x y");
  EXPECT_EQ(config.defines[2].value, "1");
  EXPECT_TRUE(config.defines[3].is_removed);
  EXPECT_TRUE(config.defines[4].is_removed);
  EXPECT_EQ(config.defines[5].value, "1.50");
}

TEST(Config, OverridesAreNumbersOrBools) {
  const Config config = Good(R"({"schemaVersion": 1, "programs": [{"source": "a.wgsl",
    "overrides": {"_comment": 1, "scale": 2.50, "7": true, "gone": null},
    "stages": [{"entry": "m", "overrides": {"scale": -1e3}}]}]})");
  const std::vector<GivenOverride>& all = config.programs[0].overrides;
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].key, "scale");
  EXPECT_EQ(all[0].value, "2.50");
  EXPECT_EQ(all[1].value, "true");
  EXPECT_TRUE(all[2].is_removed);
  EXPECT_EQ(config.programs[0].stages[0].overrides[0].value, "-1e3");
  const auto expect = [](const std::string& row, std::string_view expected) {
    const auto errors =
        ErrorsOf("{\"schemaVersion\": 1, \"programs\": [{\"source\": \"a.wgsl\", \"overrides\":\n{" + row + "}}]}");
    ASSERT_EQ(errors.size(), 1u) << row;
    EXPECT_EQ(errors[0], expected);
  };
  expect("\"n\": \"4\"",
         "2:7 wrong-type: the value of override 'n' must be a number, true, false or null, not a string | as in "
         "\"scale\": 2.5");
  expect("\"n\": 1e400",
         "2:7 bad-value: the value of override 'n': '1e400' is larger than any type of an override can hold | write a "
         "number that "
         "the type of the override has, as 2.5");
  expect("\"a b\": 1",
         "2:2 bad-value: 'a b' cannot name an override | write its name, or the number of its @id, as \"7\"");
}

TEST(Config, TargetOptions) {
  const Config config = Good(R"({"schemaVersion": 1, "programs": [], "targets": {
    "ios": {"target": "msl-2.4", "platform": "ios", "options": {"msl-argument-buffers": true, "msl-device-index": 3},
            "bindings": [{"set": 1, "binding": 2, "texture": 7, "buffer": 5}, {"pushConstants": true, "buffer": 9}]},
    "gl": {"target": "glsl-330", "optimize": ["-Os", "--ccp", "-O"], "bindings": [{"binding": 4, "slot": 6}]},
    "vk": {"target": "spirv-1.6", "environment": "vulkan1.3", "optimize": ["--eliminate-dead-branches", "--ccp"]}}})");
  ASSERT_EQ(config.targets.size(), 3u);
  const std::vector<std::pair<std::string, std::string>> ios = {{"msl-argument-buffers", "1"},
                                                                {"msl-device-index", "3"},
                                                                {"platform", "ios"},
                                                                {"slot:1.2", "buffer=5 texture=7"},
                                                                {"slot:push-constants", "buffer=9"}};
  EXPECT_EQ(config.targets[0].options, ios);
  EXPECT_EQ(config.targets[1].options[0], (std::pair<std::string, std::string>("slot:0.4", "binding=6")));
  EXPECT_EQ(config.targets[2].compile.optimize, "--eliminate-dead-branches --ccp");
  EXPECT_EQ(config.targets[1].compile.optimize, "-Os --ccp -O");
}

TEST(Config, UnknownKeysHaveANearMiss) {
  ExpectError("\"outptu\": \"x\"", "2:1 unknown-key: unknown key 'outptu' in the manifest | did you mean 'output'?");
  ExpectError("\"output\": {\"foldr\": \"x\"}", "2:12 unknown-key");
  ExpectError("\"targets\": {\"spirv\": {\"optimise\": \"size\"}}", "did you mean 'optimize'?");
  ExpectError("\"wholly-different\": 1", "it can hold '$schema'");
}

TEST(Config, WrongTypesAndValues) {
  ExpectError("\"jobs\": \"4\"", "2:9 wrong-type: 'jobs' must be a number, not a string");
  ExpectError("\"jobs\": 0", "bad-value: 'jobs' must be a whole number from 1 to 1024, not 0");
  ExpectError("\"jobs\": 1.5", "bad-value");
  ExpectError("\"environment\": \"vulkan1.4\"", "'environment' cannot be 'vulkan1.4'");
  ExpectError("\"output\": 3", "2:11 wrong-type");
  ExpectError("\"output\": \"/abs\"", "is absolute");
  ExpectError("\"output\": \"a\\\\b\"", "backslash");
  ExpectError("\"output\": \"\"", "is empty");
  ExpectError("\"include\": [1]", "wrong-type");
  ExpectError("\"defines\": {\"1A\": 1}", "no identifier");
  ExpectError("\"defines\": {\"A\": [1]}", "wrong-type");
  ExpectError("\"defines\": {\"A\": \"x\\ny\"}", "one line");
  ExpectError("\"targets\": {\"spirv-1.5\": {\"platform\": \"ios\"}}", "unknown-option: 'platform' means nothing");
  ExpectError("\"targets\": {\"x\": {\"target\": \"msl-9\"}}", "there is no version '9' of msl");
  ExpectError("\"targets\": {\"mine\": {}}", "a name of your own needs \"target\"");
  ExpectError("\"targets\": [\"spirv\", \"spirv\"]", "duplicate-name: there are two targets 'spirv'");
  ExpectError("\"toolchains\": {\"require\": {\"glslan\": \"16.6\"}}", "did you mean 'glslang'?");
  ExpectError("\"toolchains\": {\"require\": {\"glslang\": \"\"}}", "2:39 bad-value");
  ExpectError("\"toolchains\": {\"require\": \"16.6\"}", "wrong-type");
  ExpectError("\"validate\": \"never\"", "'error' or 'warning'");
  ExpectError("\"targets\": {\"spirv-1.3\": {\"bindingsFile\": true}}", "unknown-option");
  ExpectError("\"targets\": {\"hlsl-6.0\": {\"options\": {\"msl-multiview\": true}}}",
              "it is an option of another kind");
  ExpectError("\"targets\": {\"msl-2.4\": {\"options\": {\"msl-multivew\": true}}}", "did you mean 'msl-multiview'?");
  ExpectError("\"targets\": {\"msl-2.4\": {\"options\": {\"msl-multiview\": 1}}}", "must be a boolean");
  ExpectError("\"targets\": {\"msl-2.4\": {\"bindings\": [{\"set\": 0, \"buffer\": 1}]}}", "needs 'binding'");
  ExpectError("\"targets\": {\"msl-2.4\": {\"bindings\": [{\"binding\": 0}]}}", "needs the slot");
  ExpectError("\"targets\": {\"msl-2.4\": {\"bindings\": [{\"binding\": 0, \"t\": 1}]}}", "unknown-key");
  ExpectError("\"targets\": []", "there is nothing to build");
  ExpectError("\"targets\": 3", "2:12 wrong-type");
  ExpectError("\"targets\": {\"a/b\": {\"target\": \"spirv\"}}", "2:13 bad-value");
  ExpectError("\"targets\": {\"mine\": {\"target\": \"nothing\"}}", "unknown-target");
  ExpectError("\"targets\": {\"spirv\": {\"extension\": \"a/b\"}}", "2:36 bad-value");
  ExpectError("\"targets\": {\"reflection\": {\"options\": {}}}", "unknown-option");
  ExpectError(
      "\"targets\": {\"msl\": {\"bindings\": [{\"binding\": 0, \"buffer\": 1}, {\"binding\": 0, \"texture\": 1}]}}",
      "duplicate-binding");
  ExpectError("\"optimize\": [\"fast\"]", "is no spirv-opt pass");
  ExpectError("\"optimize\": [\"-O3\"]", "is no spirv-opt pass");
  ExpectError("\"environment\": \"vulkan1.4\"", "write one of these, or leave the key out");
  ExpectError("\"environment\": \"vulkna1.2\"", "did you mean 'vulkan1.2'?");
  const auto key =
      ErrorsOf(R"({"schemaVersion": 1, "programs": [{"stages": [{"source": "a.hlsl", "entrypoint": "f"}]}]})");
  ASSERT_EQ(key.size(), 1u);
  EXPECT_NE(key[0].find("did you mean 'entry'?"), std::string::npos) << key[0];
  ExpectError("\"targets\": [\"spriv-1.3\"]", "did you mean 'spirv-1.3'?");
  ExpectError("\"targets\": [\"metal\"]", "did you mean 'msl'?");
  ExpectError("\"toolchains\": 3", "wrong-type");
  ExpectError("\"include\": 3", "wrong-type");
  ExpectError("\"include\": \"" + std::string(300, 'n') + "\"", "cannot name a file");
  ExpectError("\"output\": \"a\\u0000b\"", "holds a NUL");
  ExpectError("\"jobs\": 2000", "the nearest that is allowed is 1024");
  ExpectError("\"jobs\": 1.5", "without a fraction");
  ExpectError("\"jobs\": -3", "the nearest that is allowed is 1");
  ExpectError("\"debugInfo\": 1", "write true or false");
}

TEST(Config, SpirvVersionMustFitItsEnvironment) {
  ExpectError("\"environment\": \"vulkan1.1\", \"targets\": [\"spirv-1.5\"]", "environment 'vulkan1.2' takes it");
}

TEST(Config, ProgramsMustBeWhole) {
  const auto errors = ErrorsOf(R"({"schemaVersion": 1, "programs": [
    3,
    {},
    {"glob": "a/*.vert", "name": "x"},
    {"glob": "*.vert", "source": "a.vert"},
    {"source": "a.vert", "except": "b"},
    {"name": "p", "stages": [{"stage": "vertex"}]},
    {"name": "p", "stages": []},
    {"name": "", "source": "a.vert"},
    {"source": "a.hlsl", "stages": [{"stage": "vertx"}]},
    {"source": "a.hlsl", "targets": []},
    {"source": "a.hlsl", "stages": [{"stage": "vertex", "entry": "a b"}]},
    {"glob": "*.hlsl", "stages": [{"source": "a.hlsl"}]}
  ]})");
  const std::vector<std::string> expected = {
      "2:5 wrong-type", "3:5 missing-key", "4:34 bad-value",  "5:34 bad-value",  "6:26 bad-value",  "7:30 missing-key",
      "8:29 bad-value", "9:14 bad-value",  "10:47 bad-value", "11:37 bad-value", "12:66 bad-value", "13:46 bad-value"};
  ASSERT_EQ(errors.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(errors[i].substr(0, expected[i].size()), expected[i]) << errors[i];
}

TEST(Config, VersionComesFirst) {
  const auto missing = ErrorsOf("{\"programs\": [], \"what\": 1}");
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_NE(missing[0].find("1:1 missing-key"), std::string::npos) << missing[0];
  EXPECT_NE(ErrorsOf("{\"schemaVersion\": 0}").at(0).find("write \"schemaVersion\": 1"), std::string::npos);
  const auto later = ErrorsOf("{\"schemaVersion\": 2, \"what\": 1}");
  ASSERT_EQ(later.size(), 1u);
  EXPECT_NE(later[0].find("schema-version"), std::string::npos) << later[0];
}

TEST(Config, SyntaxAndDuplicateKeys) {
  EXPECT_NE(ErrorsOf("{\"schemaVersion\": 1,\n \"jobs\" 3}").at(0).find("2:9 config-syntax"), std::string::npos);
  EXPECT_NE(ErrorsOf("{\"jobs\": 1,\n \"jobs\": 2}").at(0).find("2:2 config-syntax"), std::string::npos);
  EXPECT_EQ(ErrorsOf("").size(), 1u);
  EXPECT_EQ(ErrorsOf("[]").size(), 1u);
  EXPECT_EQ(ErrorsOf(std::string(100000, '[')).size(), 1u);
}

TEST(Config, EveryMistakeOfOneFileIsNamed) {
  EXPECT_EQ(ErrorsOf("{\"schemaVersion\": 1, \"jobs\": -1, \"memory\": 1, \"x\": 1, \"programs\": 3}").size(), 4u);
}

}  // namespace
}  // namespace kiln::build
