// SPDX-License-Identifier: Apache-2.0
// Why an artifact is fresh or not, and the parts its key is made of. Like verify.h it starts no compiler.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "build/verify.h"

namespace kiln::build {

struct ArtifactExplanation {
  std::string path;  // relative to the output folder
  std::string program;
  std::string source;
  std::string stage;
  std::string entry;
  std::string target;
  bool is_fresh = false;
  std::vector<Change> reasons;  // empty when fresh
  /// Hex of the key it was published under and of the key it would have now; the latter is empty where only a build
  /// can know it (its includes changed).
  std::string published_key;
  std::string current_key;
  /// The parts in the order they are hashed: "toolchain" -> "debian ...", "option environment" -> "vulkan1.2",
  /// "input shaders/a.vert" -> digest, "absent shaders/x.h" -> "".
  std::vector<std::pair<std::string, std::string>> parts;
};

struct ExplainReport {
  Exit exit = Exit::kInternal;
  std::vector<ArtifactExplanation> artifacts;
};

/// `which` is a published path, a source, or a program name; empty explains every artifact. Code: unknown-artifact.
ExplainReport Explain(const BuildOptions& options, const std::string& which, diag::Sink& sink);

}  // namespace kiln::build
