// SPDX-License-Identifier: Apache-2.0
// What the tests of this room share: the workers that were built, and actions in one line.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/process.h"
#include "worker/pool.h"

namespace kiln::toolchain {

inline const worker::Discovery& BuiltSets() {
  static const worker::Discovery found = [] {
    const std::string self = SelfExecutable();
    worker::DiscoveryOptions options;
    options.folders = {self.substr(0, self.rfind('/'))};
    return worker::Discover(options);
  }();
  return found;
}

/// One pool for all tests of the process: workers stay warm, as in a build.
inline worker::Pool& SharedPool() {
  static worker::Pool* pool = [] {
    worker::PoolOptions options;
    options.jobs = 2;
    options.use_jobserver = false;
    return new worker::Pool(options);
  }();
  return *pool;
}

using OptionList = std::vector<std::pair<std::string, std::string>>;

inline std::string Output(const worker::ActionResult& result, std::string_view name) {
  for (const worker::Blob& output : result.outputs) {
    if (output.name == name) return output.bytes;
  }
  return "";
}

/// "file:line:column: code: message", one a line.
inline std::string Render(const worker::ActionResult& result) {
  std::string text;
  for (const diag::Diagnostic& d : result.diagnostics) {
    text += d.location.file + ":" + std::to_string(d.location.begin.line) + ":" +
            std::to_string(d.location.begin.column) + ": " + d.code + ": " + d.message + "\n";
  }
  return text;
}

/// A test that runs once for each set that was built.
class WithSet : public testing::TestWithParam<std::string> {
 protected:
  const worker::ToolchainSet& set() const { return *BuiltSets().Find(GetParam()); }
  bool is_current() const { return GetParam() == "current"; }

  worker::ActionResult Run(worker::Action action) { return SharedPool().Run(set(), std::move(action)); }
  worker::ActionResult Run(std::string operation, std::string input, std::string bytes, OptionList options = {}) {
    worker::Action action;
    action.operation = std::move(operation);
    action.options = std::move(options);
    action.inputs = {{std::move(input), std::move(bytes)}};
    return Run(std::move(action));
  }
  worker::ActionResult Compile(std::string stage, std::string source, OptionList options = {}) {
    options.insert(options.end(), {{"entry", "a"}, {"stage", std::move(stage)}});
    return Run("compile", "a", std::move(source), std::move(options));
  }
  /// The SPIR-V of a source that compiles.
  std::string Spirv(std::string stage, std::string source, OptionList options = {}) {
    const worker::ActionResult result = Compile(std::move(stage), std::move(source), std::move(options));
    EXPECT_TRUE(result.ok()) << Render(result);
    return Output(result, "spirv");
  }
  std::string Translate(const std::string& spirv, OptionList options) {
    const worker::ActionResult result = Run("translate", "spirv", spirv, std::move(options));
    EXPECT_TRUE(result.ok()) << Render(result);
    return Output(result, "text");
  }
};

inline std::vector<std::string> SetNames() {
  std::vector<std::string> names;
  for (const worker::ToolchainSet& set : BuiltSets().sets) names.push_back(set.name());
  return names;
}

}  // namespace kiln::toolchain

#define KILN_FOR_EACH_SET(fixture)                                                          \
  INSTANTIATE_TEST_SUITE_P(Sets, fixture, testing::ValuesIn(::kiln::toolchain::SetNames()), \
                           [](const auto& i) { return i.param; })
