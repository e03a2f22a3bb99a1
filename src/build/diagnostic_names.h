// SPDX-License-Identifier: Apache-2.0
// Names in diagnostics. A worker speaks of opaque modules ("m3"), the store keeps stable opaque ones, records and the
// engine speak of IDs ("shaders/a.frag"), people want paths they can open. Each border translates once.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "build/read_set.h"
#include "build/recipe.h"
#include "build/sources.h"
#include "diag/diagnostic.h"
#include "worker/action.h"

namespace kiln::build {

/// Opaque names to IDs; lines of source are filled in where they are missing.
std::vector<diag::Diagnostic> WithGraphNames(std::vector<diag::Diagnostic> diagnostics, const ModuleNames& names,
                                             const graph::Graph& graph);

/// Opaque names of a run to those that are kept. A place in a module that has no stable name loses its place.
std::vector<diag::Diagnostic> WithStableNames(std::vector<diag::Diagnostic> diagnostics, const ModuleNames& run,
                                              const ModuleNames& stable);

/// What a step after the compiler reports has no place: it is about `module` and says for which target.
std::vector<diag::Diagnostic> AboutArtifact(std::vector<diag::Diagnostic> diagnostics, const Step& step,
                                            const std::string& module);

/// Adds to messages about includes that were not found where was looked, or what was probably meant.
void ExplainIncludes(std::vector<diag::Diagnostic>& diagnostics, const worker::ActionResult& result,
                     const ModuleNames& names, const std::vector<std::string>& include, Sources& sources);

/// SPIR-V that breaks its rules though a compiler made it of a source it took: what can be done about it, and only a
/// warning where the step says so.
void ExplainInvalid(std::vector<diag::Diagnostic>& diagnostics, const Step& step);

/// An action that was ended at its deadline: what may have cost the time, and how to give more.
void ExplainDeadline(std::vector<diag::Diagnostic>& diagnostics, std::string_view operation);

/// Equal for messages that say the same of the same place, as several artifacts of one unit do.
std::string MessageKey(const diag::Diagnostic& each);

/// What SPIRV-Cross refuses in WGSL though Kiln found nothing that the target lacks: of which entry point it is said,
/// and what can be done.
void ExplainUnsupported(std::vector<diag::Diagnostic>& diagnostics, const Unit& unit);

/// IDs to the names that people see.
void Rename(std::vector<diag::Diagnostic>& diagnostics, const std::function<std::string(const std::string&)>& name);

}  // namespace kiln::build
