// SPDX-License-Identifier: Apache-2.0
// kiln.json as read: what was written, checked by itself, with its place. Reading asks the disk for one file only;
// whether sources exist, what globs match and which outputs collide is plan.h's. Every mistake is an error with file,
// line, column and a hint, and reading goes on after it, so that one run names them all.
// docs/configuration.md explains the format, docs/kiln.schema.json is its JSON Schema.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "build/names.h"
#include "build/override_values.h"
#include "diag/sink.h"
#include "diag/source.h"

namespace kiln::build {

/// The value of one `defines` entry; `true` is "1". `false` and null take away what a default defined.
struct Define {
  std::string name;
  std::string value;
  bool is_removed = false;
  friend bool operator==(const Define&, const Define&) = default;
};

/// A folder where includes are looked for: relative to the project, normalised.
struct IncludeFolder {
  std::string path;
  diag::Range where;
};

/// How sources are compiled; may stand at the top, in a target, in a program. What is absent is inherited.
struct CompileOptions {
  std::optional<std::string> environment;  // vulkan1.0 ... vulkan1.3, opengl4.5
  std::optional<std::string> optimize;     // none, performance, size, or a list of spirv-opt passes
  diag::Range optimize_where;
  std::optional<bool> debug_info;
  std::optional<std::string> validate;  // error, warning: what SPIR-V that breaks its rules is
};

/// One output language with its version and options, under a name of the author's.
struct Target {
  std::string name;
  TargetKind kind = TargetKind::kSpirv;
  std::string version;
  CompileOptions compile;
  /// For `translate`, by the names of worker/action.h; sorted by name.
  std::vector<std::pair<std::string, std::string>> options;
  /// An own layout or extension; empty for the project's.
  std::string layout;
  std::string extension;
  /// The slots that the toolchain gave are published too, beside each text.
  bool has_bindings_file = false;
  diag::Range where;
  diag::Range bindings_where;
};

/// One stage of a program as written; what is absent comes from the file.
struct StageRule {
  std::string source;
  std::optional<Stage> stage;
  std::optional<std::string> entry;
  std::optional<Language> language;
  std::vector<Define> defines;
  std::vector<GivenOverride> overrides;
  diag::Range where;
  diag::Range source_where;
  diag::Range entry_where;
  diag::Range stage_where;
};

/// One entry of `programs`: a short form, a named program, or a glob that makes programs.
struct ProgramRule {
  std::string name;  // empty: made from the stem of the source
  std::vector<StageRule> stages;
  std::string glob;  // empty: not a glob
  std::vector<std::string> except;
  bool may_be_empty = false;
  /// A source's entry points share one module, where the target can hold several.
  bool is_one_module = false;
  diag::Range one_module_where;
  /// Names of targets; empty means the project's.
  std::vector<std::pair<std::string, diag::Range>> targets;
  std::vector<IncludeFolder> include;
  std::vector<Define> defines;
  std::vector<GivenOverride> overrides;
  CompileOptions compile;
  std::optional<Language> language;
  diag::Range where;
};

/// "glslang": "16.6.0" of `toolchains`.`require`: the version, or whole parts of its beginning ("16.6").
struct RequiredVersion {
  std::string toolchain;
  std::string version;
  diag::Range where;
};

struct Config {
  /// Holds the text of the manifest; ranges here are in it. Never null.
  std::shared_ptr<diag::SourceSet> sources;
  std::string_view text;
  /// The manifest as messages name it, and the folder it stands in, absolute, without a slash at its end.
  std::string file;
  std::string folder;
  /// Of the file that was read; absent for a manifest that came from a snapshot.
  FileStat stat;

  std::string output_folder = "build/shaders";
  diag::Range output_where;
  std::string layout = "{target}/{program}.{stage}.{ext}";
  diag::Range layout_where;
  std::vector<IncludeFolder> include;
  std::vector<Define> defines;
  CompileOptions compile;
  std::optional<Language> language;
  std::vector<Target> targets;
  std::vector<ProgramRule> programs;
  /// Name of the toolchain set; empty for the newest found.
  std::string toolchain;
  diag::Range toolchain_where;
  /// Versions that the set must have.
  std::vector<RequiredVersion> required;
  /// Worker executables of the project's own, relative to it.
  std::vector<std::string> workers;
  unsigned jobs = 0;              // 0: as many as the machine has
  unsigned deadline_seconds = 0;  // 0: the pool's own
  unsigned memory_mib = 0;        // 0: the pool's own
};

/// Parses a manifest. `file` is what messages print; `folder` the absolute folder that its paths are relative to.
Result<Config> ParseConfig(std::string text, std::string file, std::string folder, diag::Sink& sink);

/// Where the manifest `path` (a file, or a folder that holds kiln.json) is; empty looks for kiln.json here and in the
/// folders above. Codes: config-missing, config-unreadable.
struct ManifestPlace {
  std::string file;      // as messages name it
  std::string absolute;  // normalised
};
Result<ManifestPlace> FindManifest(const std::string& path, diag::Sink& sink);

/// Reads and parses a manifest. Codes: config-missing, config-unreadable and what ParseConfig reports.
Result<Config> ReadConfig(const ManifestPlace& place, diag::Sink& sink);

}  // namespace kiln::build
