// SPDX-License-Identifier: Apache-2.0
#include "build/config.h"

#include <algorithm>
#include <iterator>

#include "base/files.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "build/config_reader.h"

namespace kiln::build {
namespace {

/// As for the package manifests of architecture.md, with room for long lists.
constexpr uint64_t kMaxManifestBytes = uint64_t{4} << 20;
constexpr std::string_view kFileName = "kiln.json";
constexpr std::string_view kTopKeys[] = {"$schema",     "schemaVersion", "output",    "include",  "defines", "language",
                                         "environment", "optimize",      "debugInfo", "validate", "targets", "programs",
                                         "toolchains",  "jobs",          "deadline",  "memory"};

void ReadOutput(ConfigReader& reader, const json::Value& value, Config& config) {
  static constexpr std::string_view kKeys[] = {"folder", "layout"};
  const json::Value* folder = &value;
  config.output_where = reader.RangeOf(value);
  if (value.Is(json::Kind::kObject)) {
    reader.CheckKeys(value, "'output'", kKeys);
    folder = value.Find("folder");
    if (const json::Value* layout = value.Find("layout")) {
      config.layout_where = reader.RangeOf(*layout);
      if (auto text = reader.String(*layout, "'layout'")) config.layout = *text;
    }
  } else if (!value.Is(json::Kind::kString)) {
    reader.sink().Error(reader.RangeOf(value), "wrong-type").Hint("as in \"output\": \"build/shaders\"")
        << "'output' must be a folder or an object with 'folder' and 'layout', not " << json::NameOf(value.kind);
    return;
  }
  if (folder == nullptr) return;
  config.output_where = reader.RangeOf(*folder);
  if (auto path = reader.RelativePath(*folder, "the output folder")) config.output_folder = *path;
}

void ReadToolchains(ConfigReader& reader, const json::Value& value, Config& config) {
  static constexpr std::string_view kKeys[] = {"use", "require", "workers"};
  static constexpr std::string_view kToolchains[] = {"glslang", "spirv-cross", "spirv-tools"};
  if (value.Is(json::Kind::kString)) {
    config.toolchain = reader.String(value, "'toolchains'").value_or("");
    config.toolchain_where = reader.RangeOf(value);
    return;
  }
  if (!value.Is(json::Kind::kObject)) {
    reader.sink()
            .Error(reader.RangeOf(value), "wrong-type")
            .Hint("as in \"toolchains\": \"current\"; 'kiln doctor' says which sets there are")
        << "'toolchains' must be the name of a set or an object with 'use', 'require' and 'workers', not "
        << json::NameOf(value.kind);
    return;
  }
  reader.CheckKeys(value, "'toolchains'", kKeys);
  if (const json::Value* use = value.Find("use")) {
    config.toolchain = reader.String(*use, "'use'").value_or("");
    config.toolchain_where = reader.RangeOf(*use);
  }
  if (const json::Value* required = value.Find("require"); required != nullptr) {
    if (!reader.CheckKeys(*required, "'require'", kToolchains)) return;
    for (const json::Member& member : required->members) {
      if (std::find(std::begin(kToolchains), std::end(kToolchains), member.key) == std::end(kToolchains)) continue;
      const auto version = reader.String(*member.value, "the version of " + std::string(member.key));
      if (!version) continue;
      if (version->empty()) {
        reader.sink().Error(reader.RangeOf(*member.value), "bad-value").Hint("'kiln doctor' says which there are")
            << "the version of " << member.key << " is empty";
        continue;
      }
      config.required.push_back({std::string(member.key), *version, reader.RangeOf(*member.value)});
    }
  }
  if (const json::Value* workers = value.Find("workers")) config.workers = reader.RelativePaths(*workers, "'workers'");
}

/// The version is looked at first: a manifest of a later format gives one error, not one a line.
bool CheckVersion(ConfigReader& reader, const json::Value& root) {
  const json::Value* version = root.Find("schemaVersion");
  if (version == nullptr) {
    auto error = reader.sink().Error(reader.RangeOf(json::Span{root.span.begin, root.span.begin + 1}), "missing-key");
    error << "'schemaVersion' is missing";
    error.Hint("add \"schemaVersion\": 1");
    return false;
  }
  const auto number = version->AsUint();
  if (number && *number == 1) return true;
  auto error = reader.sink().Error(reader.RangeOf(*version), "schema-version");
  error << "this version of Kiln reads schema version 1";
  error.Hint(number && *number > 1 ? "the manifest was written for a newer Kiln" : "write \"schemaVersion\": 1");
  return false;
}

void ReadTop(ConfigReader& reader, const json::Value& root, Config& config) {
  if (!reader.Expect(root, json::Kind::kObject, "a manifest") || !CheckVersion(reader, root)) return;
  reader.CheckKeys(root, "the manifest", kTopKeys);
  if (const json::Value* value = root.Find("$schema")) (void)reader.String(*value, "'$schema'");
  if (const json::Value* value = root.Find("output")) ReadOutput(reader, *value, config);
  if (const json::Value* value = root.Find("include")) config.include = reader.IncludeFolders(*value);
  if (const json::Value* value = root.Find("defines")) config.defines = reader.Defines(*value);
  if (const json::Value* value = root.Find("language")) config.language = reader.LanguageOf(*value);
  reader.Compile(root, config.compile);
  if (const json::Value* value = root.Find("toolchains")) ReadToolchains(reader, *value, config);
  if (const json::Value* value = root.Find("jobs"))
    config.jobs = reader.Unsigned(*value, "'jobs'", 1, 1024).value_or(0);
  if (const json::Value* value = root.Find("deadline")) {
    config.deadline_seconds = reader.Unsigned(*value, "'deadline' (seconds)", 1, 86400).value_or(0);
  }
  if (const json::Value* value = root.Find("memory")) {
    config.memory_mib = reader.Unsigned(*value, "'memory' (MiB)", 64, 1u << 20).value_or(0);
  }
  if (const json::Value* value = root.Find("targets")) {
    ReadTargets(reader, *value, config);
    if (config.targets.empty() && !reader.sink().has_errors()) {
      reader.sink()
              .Error(reader.RangeOf(*value), "bad-value")
              .Hint("name one, as in [\"spirv-1.5\"], or leave 'targets' out")
          << "'targets' is empty: there is nothing to build";
    }
  } else {
    Target target;
    target.name = "spirv-1.5";
    target.version = "1.5";
    config.targets.push_back(std::move(target));
  }
  if (const json::Value* value = root.Find("programs")) {
    ReadPrograms(reader, *value, config);
  } else {
    auto error = reader.sink().Error(reader.RangeOf(json::Span{root.span.begin, root.span.begin + 1}), "missing-key");
    error << "'programs' is missing";
    error.Hint("add \"programs\": [\"shaders/**/*.{vert,frag,comp}\"]");
  }
}

}  // namespace

Result<Config> ParseConfig(std::string text, std::string file, std::string folder, diag::Sink& sink) {
  Config config;
  config.sources = std::make_shared<diag::SourceSet>();
  config.file = file;
  config.folder = std::move(folder);
  const diag::SourceFile& source = config.sources->Add(std::move(file), std::move(text));
  config.text = std::string_view(source.text());
  diag::Sink own(*config.sources);
  ConfigReader reader(own, source.base());
  Arena arena;
  const json::ReadResult read = json::Read(source.text(), arena, {.comments = true, .trailing_commas = true});
  if (read.ok()) {
    ReadTop(reader, *read.root, config);
  } else {
    auto error = own.Error(reader.RangeOf(read.error.span), "config-syntax");
    error << read.error.message;
    if (!read.error.other_message.empty()) {
      error.Note(reader.RangeOf(read.error.other), read.error.other_message);
      error.Hint("keep one of the two");
    } else {
      error.Hint("a manifest is JSON: keys and texts in double quotes, ':' after a key, ',' between members");
    }
  }
  const bool failed = own.has_errors();
  sink.Append(own.TakeDiagnostics());
  if (failed) return sink.FailedBecauseReported();
  return config;
}

Result<ManifestPlace> FindManifest(const std::string& path, diag::Sink& sink) {
  Disk& disk = SystemDisk();
  const auto here = CurrentFolder();
  if (!here) return sink.Error("config-unreadable") << here.error().Message();
  if (!path.empty()) {
    const std::string absolute = path::Absolute(*here, path);
    if (const auto stat = disk.Stat(absolute); stat && stat->kind == FileKind::kFolder) {
      return ManifestPlace{path::Join(path, kFileName), path::Join(absolute, kFileName)};
    }
    return ManifestPlace{path, absolute};
  }
  // From here upward, as git looks for its folder.
  for (std::string folder = *here;; folder = std::string(path::Parent(folder))) {
    const std::string candidate = path::Join(folder, kFileName);
    const auto stat = disk.Stat(candidate);
    if (stat && stat->kind == FileKind::kRegular) return ManifestPlace{path::Relative(*here, candidate), candidate};
    if (folder != "/") continue;
    auto error = sink.Error("config-missing");
    error << "there is no " << kFileName << " here or in a folder above";
    error.Hint("'kiln init' writes one");
    return error;
  }
}

Result<Config> ReadConfig(const ManifestPlace& place, diag::Sink& sink) {
  FileStat stat;
  auto text = SystemDisk().ReadFile(place.absolute, kMaxManifestBytes, stat);
  if (!text) {
    if (text.error().IsAbsent()) {
      auto error = sink.Error("config-missing");
      error << "there is no '" << Printable(place.file) << "'";
      error.Hint("'kiln init' writes one");
      return error;
    }
    return sink.Error("config-unreadable") << text.error().Message();
  }
  auto config = ParseConfig(std::move(*text), place.file, std::string(path::Parent(place.absolute)), sink);
  if (config) config->stat = stat;
  return config;
}

}  // namespace kiln::build
