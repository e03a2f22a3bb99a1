// SPDX-License-Identifier: Apache-2.0
// Answers glslang's include requests from the action's import map and nothing else.
#pragma once

#include <glslang/Public/ShaderLang.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "toolchain/compiler_log.h"
#include "worker/action.h"

namespace kiln::toolchain {

/// What capture found is included, what capture did not find is the compiler's error, and what capture was never asked
/// is noted in `unresolved` and read as empty, so that one run finds all that is missing.
class ImportIncluder : public glslang::TShader::Includer {
 public:
  /// `texts` gains a row for every module that is included; its names are safe between the quotes of a #line.
  ImportIncluder(const worker::Action& action, const std::string& root, std::vector<NamedText>& texts);
  ~ImportIncluder() override;

  IncludeResult* includeLocal(const char* spelled, const char* from, size_t depth) override;
  IncludeResult* includeSystem(const char* spelled, const char* from, size_t depth) override;
  void releaseInclude(IncludeResult* result) override;

  std::vector<worker::Import> consulted;
  std::vector<worker::Import> unresolved;
  /// The includes of a circle that passed the depth, from a module back to itself; empty where there was none.
  std::vector<worker::Import> cycle;

 private:
  struct Entered;
  IncludeResult* Include(std::string_view spelled, bool is_angled);
  IncludeResult* FailTooDeep(const worker::Import& last);
  IncludeResult* Fail(std::string message);
  IncludeResult* Give(const NamedText& text, std::string_view bytes, bool is_entered);
  const NamedText* TextOf(const std::string& module);

  const worker::Action& action_;
  std::map<std::tuple<std::string_view, std::string_view, bool>, const worker::Import*> imports_;
  std::vector<NamedText>& texts_;
  std::vector<std::string> stack_;
  std::vector<const worker::Import*> entered_;  // how the modules of stack_ after the first were reached
  std::set<std::string> once_;
  std::set<worker::Import> seen_;
  bool local_failed_ = false;
  std::string local_failure_;
  size_t count_ = 0;
};

/// A name for messages and debug information that a quoted text of a directive can hold.
std::string SafeName(std::string_view name);

}  // namespace kiln::toolchain
