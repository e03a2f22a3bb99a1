// SPDX-License-Identifier: Apache-2.0
// A recipe: what is done to one unit's source for one target, as data. Compile options and the steps after them, each
// in the form of worker/action.h. Keys, records, explanations and the engine all read the same recipe, so that what is
// hashed is what is run.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "build/plan.h"
#include "build/revisions.h"

namespace kiln::build {

using Options = std::vector<std::pair<std::string, std::string>>;

/// The ID of the entry module in every action; the others are m1, m2, ... in order of first reach.
inline constexpr std::string_view kRootModule = "m0";

/// Adds an option where it sorts, or gives it another value.
void SetOption(Options& options, std::string name, std::string value);

struct Step {
  /// optimize, validate, translate, disassemble, assemble of worker/action.h, or "reflect", which runs in this process.
  std::string operation;
  Options options;  // sorted
  /// The output of the operation that goes on; empty for its "spirv" or "text".
  std::string output = {};
  /// What it finds wrong is a warning, and the chain goes on.
  bool is_advisory = false;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Recipe {
  /// "compile", or "preprocess" for text after the preprocessor.
  std::string front = "compile";
  /// Options of `front`; empty for a source that needs none (SPIR-V).
  Options compile;  // sorted
  std::vector<Step> steps;

  /// One line an option, "compile environment=vulkan1.2": for keys, records and explanations.
  std::vector<std::string> Lines() const;
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// `config` and `unit` as planned.
Recipe RecipeOf(const Config& config, const Unit& unit, const Target& target);
/// Of a planned artifact: the same, or where it is about the slots of another, the recipe of that up to them.
Recipe RecipeOf(const Config& config, const Plan& plan, const PlannedArtifact& artifact);
/// The report of slots that the text of this recipe was given, as JSON.
Recipe BindingsOf(Recipe recipe);

/// Text targets pass through SPIR-V of at most this environment and version: newer ones turn `discard` into demote,
/// which SPIRV-Cross can write for Vulkan only.
inline constexpr std::string_view kTextEnvironment = "vulkan1.2";

/// The newest environment that a SPIR-V version needs: "vulkan1.3" for 1.6, "vulkan1.2" for 1.4 and 1.5, ...
std::string_view EnvironmentFor(std::string_view spirv_version);

/// The key of an artifact: who made it (digest of the toolchains), from what (key of the compiled sources) and how.
Digest ArtifactKey(std::string_view toolchain_digest, const Digest& source_key, const Recipe& recipe,
                   std::string_view revision = RecipeRevision());

}  // namespace kiln::build
