// SPDX-License-Identifier: Apache-2.0
// An action: a hermetic function from (operation, options, inputs) to outputs and diagnostics, run by a worker that
// holds foreign compilers. It is plain data, so that the same value is framed to a worker, hashed to a key, stored and
// replayed. Nothing in it may name a host path, a time, a locale or a job count.
//
// clang-format off
// Operations and their options (an option that is absent has the default in parentheses; flags are 0, 1, false, true; an
// option that an operation does not know is an error, code unknown-option or bad-option):
//
//   compile     source text -> "spirv". Inputs: modules (name = opaque module ID; a byte order mark is skipped). Options:
//               language (glsl|hlsl), entry (the root module's ID), stage (vertex, tesscontrol, tesseval, geometry,
//               fragment, compute, raygen, intersection, anyhit, closesthit, miss, callable, task, mesh), entry-point
//               (main), environment (vulkan1.0|vulkan1.1|[vulkan1.2]|vulkan1.3|vulkan1.4 where known|opengl4.5), spirv
//               (1.0..1.6; what the environment has), define:NAME or define:NAME(ARGS) (value), debug-info (0|1|
//               nonsemantic), entry-name (what SPIR-V calls the entry point; the same), std (450core, 310es: in place of
//               the source's #version), debug-name (what debug information calls the root module; its ID), default-version (100;
//               of a GLSL source without #version), no-warnings, relaxed-errors, vulkan-relaxed, invert-y, nan-clamp,
//               auto-map-bindings, auto-map-locations, shift:sampler|texture|image|ubo|ssbo|uav (number added to
//               bindings of that kind), hlsl-offsets, hlsl-io-mapping; HLSL alone: hlsl-16bit-types,
//               hlsl-dx9-compatible, hlsl-flatten-uniform-arrays, hlsl-functionality1, legalize (0|[1]; with
//               spirv-opt, as glslangValidator does with all HLSL).
//               `imports` resolves the include directives; what was consulted comes back in the result. A module with
//               `#pragma once` is included once. For what goes on to `translate` to GLSL or ESSL use vulkan1.2 or older:
//               newer environments turn `discard` into what those cannot say.
//   preprocess  options and inputs of compile -> "text".
//   optimize    "spirv" -> "spirv". Options: level ([performance]|size|a list of spirv-opt passes, with or without
//               their dashes, separated by commas or blanks), environment (universal1.6), preserve-bindings,
//               preserve-spec-constants, preserve-interface (newer sets only).
//   validate    "spirv" -> nothing. Options: environment (universal1.6; as of compile, and universal1.0..1.6),
//               relax-block-layout, uniform-buffer-standard-layout, scalar-block-layout, workgroup-scalar-block-layout,
//               skip-block-layout, relax-logical-pointer, before-hlsl-legalization. A module that uses what this
//               SPIRV-Tools has no name for is kOk with the warning spirv-too-new: it may be right.
//   translate   "spirv" -> "text" and "bindings" (JSON: the entry point's name in the text, and each resource with the
//               slots it was given). Options: target (msl|hlsl|glsl|essl), version (2.1, 5.1, 450, 310; both "450" and
//               "4.50", "51" and "5.1" are understood), platform ([macos]|ios), entry-point and stage (needed where
//               the module has several), rename-entry-point, remove-unused, flatten-uniform-blocks, require-extensions
//               (list), hlsl-automatic-registers, slot:SET.BINDING and slot:push-constants ("buffer=0", "texture=1
//               sampler=2" for MSL; "b=0 space=1", t=, u=, s= for HLSL; "binding=3" for GLSL and ESSL), and every
//               option of the set's SPIRV-Cross by the name of its C interface without prefix, in lower case with
//               dashes: flip-vertex-y, fixup-depth-convention, force-temporary, msl-argument-buffers,
//               hlsl-point-size-compat, glsl-separate-shader-objects, ...
//   reflect     "spirv" -> "reflection" (JSON by docs/reflection.schema.json). reflect/from_spirv.h does the same
//               without a worker.
//   disassemble "spirv" -> "text". Options: friendly-names (1), indent, header (1), offsets.
//   assemble    one input of any name, text -> "spirv". Options: environment (universal1.6), preserve-ids.
// clang-format on
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
