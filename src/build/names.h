// SPDX-License-Identifier: Apache-2.0
// The closed lists of the build: languages, stages, kinds of target. Each has one name in kiln.json, on the command
// line and in messages, and one extension. A new one is one row in names.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/enums.h"

namespace kiln::build {

enum class Language : uint8_t { kGlsl, kHlsl, kSpirv, kWgsl };

enum class Stage : uint8_t {
  kVertex,
  kTessControl,
  kTessEval,
  kGeometry,
  kFragment,
  kCompute,
  kRaygen,
  kIntersection,
  kAnyHit,
  kClosestHit,
  kMiss,
  kCallable,
  kTask,
  kMesh,
};

enum class TargetKind : uint8_t { kSpirv, kMsl, kHlsl, kGlsl, kEssl, kWgsl, kReflection };

/// What SPIRV-Cross makes of SPIR-V.
constexpr bool IsText(TargetKind kind) {
  return kind == TargetKind::kMsl || kind == TargetKind::kHlsl || kind == TargetKind::kGlsl ||
         kind == TargetKind::kEssl;
}

/// As in kiln.json and in worker/action.h: "glsl"; "vertex", "tesscontrol"; "msl".
std::string_view NameOf(Language language);
std::string_view NameOf(Stage stage);
std::string_view NameOf(TargetKind kind);

/// "vert", "tesc", ...; "spv", "metal", "hlsl", "glsl", "essl", "wgsl", "json".
std::string_view ExtensionOf(Stage stage);
std::string_view ExtensionOf(TargetKind kind);

std::optional<Language> LanguageFromName(std::string_view name);
/// Takes the name and every usual short form: "vertex", "vert", "vs", "pixel", "ps", "cs", ...
std::optional<Stage> StageFromName(std::string_view name);
std::span<const Stage> AllStages();
/// The same stage as WGSL's compiler calls it.
Stage StageOf(core::Stage stage);

/// What a file name says: "a/b.vert" is a GLSL vertex shader with the stem "a/b"; so is "a/b.vert.glsl";
/// "b.ps.hlsl" and "b.frag.hlsl" are HLSL fragment shaders; "b.hlsl" is HLSL of no known stage.
struct SourceKind {
  std::optional<Language> language;
  std::optional<Stage> stage;
  /// The path without the extensions that were understood.
  std::string_view stem;
};
SourceKind KindOfSource(std::string_view path);

/// A target as it is written: "spirv-1.5", "msl-2.4", "essl-300", "wgsl", "reflection".
struct TargetName {
  TargetKind kind = TargetKind::kSpirv;
  /// "1.5", "2.4", "6.0", "450", "300"; empty where the kind has no version or none was written.
  std::string version;
};
/// Null when it is no target; `why` then says so, with the versions that there are, and `hint` what was probably meant;
/// empty where that cannot be known.
std::optional<TargetName> ParseTargetName(std::string_view text, std::string& why, std::string& hint);
/// The versions a kind is offered in, oldest first; empty for kinds without one.
std::span<const std::string_view> VersionsOf(TargetKind kind);
/// The version that is meant where none is written.
std::string_view DefaultVersionOf(TargetKind kind);

}  // namespace kiln::build
