// SPDX-License-Identifier: Apache-2.0
#include "build/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "base/edit_distance.h"
#include "base/paths.h"

namespace kiln::build {
namespace {

struct StageRow {
  Stage stage;
  std::string_view name;
  std::string_view extension;
  /// Further spellings in file names and on command lines, of HLSL and of other tools.
  std::array<std::string_view, 3> others;
};

constexpr StageRow kStages[] = {
    {Stage::kVertex, "vertex", "vert", {"vs", "vtx"}},
    {Stage::kTessControl, "tesscontrol", "tesc", {"hs", "hull"}},
    {Stage::kTessEval, "tesseval", "tese", {"ds", "domain"}},
    {Stage::kGeometry, "geometry", "geom", {"gs"}},
    {Stage::kFragment, "fragment", "frag", {"ps", "fs", "pixel"}},
    {Stage::kCompute, "compute", "comp", {"cs"}},
    {Stage::kRaygen, "raygen", "rgen", {"raygeneration"}},
    {Stage::kIntersection, "intersection", "rint", {}},
    {Stage::kAnyHit, "anyhit", "rahit", {}},
    {Stage::kClosestHit, "closesthit", "rchit", {}},
    {Stage::kMiss, "miss", "rmiss", {}},
    {Stage::kCallable, "callable", "rcall", {}},
    {Stage::kTask, "task", "task", {"as", "amplification"}},
    {Stage::kMesh, "mesh", "mesh", {"ms"}},
};

constexpr std::string_view kSpirvVersions[] = {"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"};
constexpr std::string_view kMslVersions[] = {"2.1", "2.2", "2.3", "2.4", "3.0", "3.1", "3.2"};
constexpr std::string_view kHlslVersions[] = {"5.0", "5.1", "6.0", "6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7"};
constexpr std::string_view kGlslVersions[] = {"330", "400", "410", "420", "430", "440", "450", "460"};
constexpr std::string_view kEsslVersions[] = {"300", "310", "320"};

struct TargetRow {
  TargetKind kind;
  std::string_view name;
  std::string_view extension;
  std::span<const std::string_view> versions;
  std::string_view default_version;
};

constexpr TargetRow kTargets[] = {
    {TargetKind::kSpirv, "spirv", "spv", kSpirvVersions, "1.5"},
    {TargetKind::kMsl, "msl", "metal", kMslVersions, "2.4"},
    {TargetKind::kHlsl, "hlsl", "hlsl", kHlslVersions, "6.1"},
    {TargetKind::kGlsl, "glsl", "glsl", kGlslVersions, "450"},
    {TargetKind::kEssl, "essl", "essl", kEsslVersions, "310"},
    {TargetKind::kWgsl, "wgsl", "wgsl", {}, ""},
    {TargetKind::kReflection, "reflection", "json", {}, ""},
};

/// What other tools and people call the languages.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"metal", "msl"}, {"vulkan", "spirv"}, {"spv", "spirv"},       {"dxil", "hlsl"},         {"directx", "hlsl"},
    {"d3d", "hlsl"},  {"opengl", "glsl"},  {"gl", "glsl"},         {"opengles", "essl"},     {"gles", "essl"},
    {"es", "essl"},   {"webgpu", "wgsl"},  {"json", "reflection"}, {"reflect", "reflection"}};

struct LanguageRow {
  Language language;
  std::string_view name;
  std::array<std::string_view, 3> extensions;
};
constexpr LanguageRow kLanguages[] = {
    {Language::kGlsl, "glsl", {"glsl"}},
    {Language::kHlsl, "hlsl", {"hlsl", "fx"}},
    {Language::kSpirv, "spirv", {"spv", "spirv"}},
    {Language::kWgsl, "wgsl", {"wgsl"}},
};

const TargetRow& RowOf(TargetKind kind) {
  for (const TargetRow& row : kTargets) {
    if (row.kind == kind) return row;
  }
  KILN_UNREACHABLE("target kind");
}

std::string JoinNames(std::span<const std::string_view> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

/// Splits the last extension, without its dot, off a file name; empty where there is none.
std::string_view TakeExtension(std::string_view& path) {
  const std::string_view extension = path::Extension(path);
  if (extension.size() < 2) return {};
  path.remove_suffix(extension.size());
  return extension.substr(1);
}

}  // namespace

std::string_view NameOf(Language language) {
  for (const LanguageRow& row : kLanguages) {
    if (row.language == language) return row.name;
  }
  KILN_UNREACHABLE("language");
}

std::string_view NameOf(Stage stage) { return kStages[static_cast<size_t>(stage)].name; }
std::string_view ExtensionOf(Stage stage) { return kStages[static_cast<size_t>(stage)].extension; }
std::string_view NameOf(TargetKind kind) { return RowOf(kind).name; }
std::string_view ExtensionOf(TargetKind kind) { return RowOf(kind).extension; }
std::span<const std::string_view> VersionsOf(TargetKind kind) { return RowOf(kind).versions; }
std::string_view DefaultVersionOf(TargetKind kind) { return RowOf(kind).default_version; }

std::optional<Language> LanguageFromName(std::string_view name) {
  for (const LanguageRow& row : kLanguages) {
    if (row.name == name) return row.language;
  }
  return std::nullopt;
}

std::optional<Stage> StageFromName(std::string_view name) {
  for (const StageRow& row : kStages) {
    if (row.name == name || row.extension == name) return row.stage;
    for (std::string_view other : row.others) {
      if (!other.empty() && other == name) return row.stage;
    }
  }
  return std::nullopt;
}

Stage StageOf(core::Stage stage) {
  switch (stage) {
    case core::Stage::kVertex:
      return Stage::kVertex;
    case core::Stage::kFragment:
      return Stage::kFragment;
    case core::Stage::kCompute:
      return Stage::kCompute;
  }
  KILN_UNREACHABLE("stage");
}

std::span<const Stage> AllStages() {
  static constexpr auto kAll = [] {
    std::array<Stage, std::size(kStages)> all{};
    for (size_t i = 0; i < all.size(); ++i) all[i] = kStages[i].stage;
    return all;
  }();
  return kAll;
}

SourceKind KindOfSource(std::string_view path) {
  SourceKind kind;
  kind.stem = path;
  std::string_view rest = path;
  std::string extension = ascii::Lower(TakeExtension(rest));
  for (const LanguageRow& row : kLanguages) {
    for (std::string_view known : row.extensions) {
      if (known.empty() || known != extension) continue;
      kind.language = row.language;
      kind.stem = rest;
      extension = ascii::Lower(TakeExtension(rest));
      break;
    }
    if (kind.language) break;
  }
  // A stage alone means GLSL only in the spelling that GLSL tools use; "shader.vs" may be anything.
  for (const StageRow& row : kStages) {
    const bool is_short = std::find(row.others.begin(), row.others.end(), extension) != row.others.end();
    if (extension.empty() || !(extension == row.extension || (kind.language && (is_short || extension == row.name)))) {
      continue;
    }
    kind.stage = row.stage;
    if (!kind.language) kind.language = Language::kGlsl;
    kind.stem = rest;
    break;
  }
  return kind;
}

std::optional<TargetName> ParseTargetName(std::string_view text, std::string& why, std::string& hint) {
  std::vector<std::string_view> names;
  for (const TargetRow& row : kTargets) {
    names.push_back(row.name);
    if (text.substr(0, row.name.size()) != row.name) continue;
    std::string_view version = text.substr(row.name.size());
    if (version.empty()) return TargetName{row.kind, std::string(row.default_version)};
    if (version.front() != '-') continue;
    version.remove_prefix(1);
    if (row.versions.empty()) {
      why = "target '" + std::string(row.name) + "' has no versions";
      hint = "write '" + std::string(row.name) + "' alone";
      return std::nullopt;
    }
    for (std::string_view known : row.versions) {
      if (known == version) return TargetName{row.kind, std::string(version)};
    }
    why = "there is no version '" + std::string(version) + "' of " + std::string(row.name) + "; it can be " +
          JoinNames(row.versions);
    hint = "'" + std::string(row.name) + "' alone is '" + std::string(row.name) + "-" +
           std::string(row.default_version) + "'";
    return std::nullopt;
  }
  why = "'" + std::string(text) + "' is no target";
  const size_t dash = std::min(text.find('-'), text.size());
  const std::string kind = ascii::Lower(text.substr(0, dash));
  std::string_view near = NearestName(kind, names);
  for (const auto& [other, own] : kOtherNames) {
    if (other == kind) near = own;
  }
  if (near.empty()) {
    why += "; it can be " + JoinNames(names) + ", with a version as in 'spirv-1.5'";
    return std::nullopt;
  }
  // With the version where the kind that was meant has it.
  std::string meant(near);
  for (const TargetRow& row : kTargets) {
    const auto& all = row.versions;
    const std::string_view version = text.substr(std::min(dash + 1, text.size()));
    if (row.name == near && std::find(all.begin(), all.end(), version) != all.end())
      meant += "-" + std::string(version);
  }
  hint = "did you mean '" + meant + "'?";
  return std::nullopt;
}

}  // namespace kiln::build
