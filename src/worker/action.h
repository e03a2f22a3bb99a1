// SPDX-License-Identifier: Apache-2.0
// An action: a hermetic function from (operation, options, inputs) to outputs and diagnostics, run by a worker that
// holds foreign compilers. It is plain data, so that the same value is framed to a worker, hashed to a key, stored and
// replayed. Nothing in it may name a host path, a time, a locale or a job count.
//
// Operations and their options (an option that is absent has the default in parentheses):
//   compile     source text -> "spirv". Inputs: modules (name = opaque module ID). Options: language (glsl|hlsl),
//               entry (the root module's ID), stage (vertex, tesscontrol, tesseval, geometry, fragment, compute,
//               raygen, intersection, anyhit, closesthit, miss, callable, task, mesh), entry-point (main), environment
//               (vulkan1.0|vulkan1.1|vulkan1.2|vulkan1.3|opengl4.5), spirv (1.0..1.6), define:NAME (value),
//               debug-info (0|1), debug-name (what debug info calls the root module), and what the adapter documents.
//               `imports` resolves the include directives; what was consulted comes back in the result.
//   preprocess  as compile -> "text".
//   optimize    "spirv" -> "spirv". Options: level (performance|size|<list of spirv-opt passes>).
//   validate    "spirv" -> nothing. Options: environment.
//   translate   "spirv" -> "text" (+ "bindings": JSON of the slots given). Options: target (msl|hlsl|glsl|essl),
//   version,
//               platform (macos|ios), entry-point, stage, and every SPIRV-Cross option by its documented name.
//   reflect     "spirv" -> "reflection" (JSON by docs/reflection.schema.json).
//   disassemble "spirv" -> "text".  assemble  "text" -> "spirv".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"

namespace kiln::worker {

struct Blob {
  std::string name;
  std::string bytes;
  friend bool operator==(const Blob&, const Blob&) = default;
};

/// How one include directive resolves: the module that holds it, the text between the quotes or angles, and the module
/// it names; `to` is empty where capture found nothing under that name.
struct Import {
  std::string from;
  std::string spelled;
  bool is_angled = false;
  std::string to;
  friend bool operator==(const Import&, const Import&) = default;
  friend auto operator<=>(const Import&, const Import&) = default;
};

struct Action {
  std::string operation;
  /// Sorted by name, names unique.
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<Blob> inputs;
  std::vector<Import> imports;
};

enum class ExitKind : uint8_t {
  kOk,            // outputs are there
  kSourceErrors,  // the author's source is wrong: diagnostics say where
  kUnsupported,   // the toolchain cannot do this (a target that cannot express the shader): diagnostics say what
  kNeedsModule,   // an include that `imports` does not resolve: `unresolved` names it; capture it and run again
  kCrashed,       // the worker died (signal or exit) on this action, twice
  kDeadline,      // the worker was killed at the deadline
  kMemory,        // the worker was killed at the memory limit
  kCancelled,     // the pool was told to stop before an answer came; no diagnostic
};

struct ActionResult {
  ExitKind exit = ExitKind::kOk;
  std::vector<Blob> outputs;
  /// `Location::file` is a module ID of the action.
  std::vector<diag::Diagnostic> diagnostics;
  /// compile and preprocess: every import the compiler asked for, in the order asked, each once.
  std::vector<Import> consulted;
  /// kNeedsModule: the import that has no answer (its `to` is empty).
  std::vector<Import> unresolved;

  bool ok() const { return exit == ExitKind::kOk; }
};

}  // namespace kiln::worker
