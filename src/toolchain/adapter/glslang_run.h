// SPDX-License-Identifier: Apache-2.0
// What `compile` and `preprocess` share: the options of a source, its texts, and a shader object set up from them.
#pragma once

#include <glslang/Public/ShaderLang.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/adapter/includer.h"
#include "toolchain/compiler_log.h"
#include "toolchain/options.h"

namespace kiln::toolchain {

class GlslangRun {
 public:
  /// Reads the options; problems are in `options`.
  GlslangRun(const worker::Action& action, Options& options);

  /// Sets up the shader. A result is a refusal.
  std::optional<worker::ActionResult> Prepare();

  glslang::TShader& shader() { return *shader_; }
  ImportIncluder& includer() { return *includer_; }
  EShMessages messages() const { return messages_; }
  bool is_hlsl() const { return is_hlsl_; }
  bool has_debug_info() const { return debug_ != "0"; }
  bool has_debug_sources() const { return debug_ == "nonsemantic"; }
  EShLanguage stage() const { return stage_; }
  /// Of `std`: what stands in place of the source's own #version.
  EProfile profile() const { return profile_; }
  bool has_forced_version() const { return has_forced_version_; }
  int default_version() const { return static_cast<int>(default_version_); }

  /// The result so far: what was asked of the includer, and the log as diagnostics. kNeedsModule where something is
  /// unresolved, else kSourceErrors where the log has errors or `failed`.
  worker::ActionResult Conclude(std::string_view log, bool failed) const;

 private:
  void ReadStandard(Options& options);

  const worker::Action& action_;
  std::string root_, language_, entry_point_, entry_name_, environment_, spirv_, debug_, shown_root_, preamble_;
  EShLanguage stage_ = EShLangVertex;
  bool is_hlsl_ = false;
  uint32_t default_version_ = 100;
  EProfile profile_ = ENoProfile;
  bool has_forced_version_ = false;
  EShMessages messages_ = EShMsgDefault;
  std::vector<std::function<void(glslang::TShader&)>> settings_;
  std::vector<NamedText> texts_;
  const char* text_pointer_ = nullptr;
  int text_length_ = 0;
  const char* name_pointer_ = nullptr;
  std::unique_ptr<ImportIncluder> includer_;
  std::unique_ptr<glslang::TShader> shader_;
};

/// Once a process, before anything else of glslang.
void StartGlslang();

}  // namespace kiln::toolchain
