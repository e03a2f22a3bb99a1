// SPDX-License-Identifier: Apache-2.0
// `programs` of a manifest: short forms, named programs, globs.
#include <algorithm>

#include "base/glob.h"
#include "base/outcome.h"
#include "build/config_reader.h"

namespace kiln::build {
namespace {

constexpr std::string_view kProgramKeys[] = {"name",      "source",   "stages",     "glob",      "except",
                                             "targets",   "include",  "defines",    "language",  "optimize",
                                             "debugInfo", "validate", "allowEmpty", "oneModule", "overrides"};
constexpr std::string_view kStageKeys[] = {"source", "stage", "entry", "language", "defines", "overrides"};

void ReadStageBody(ConfigReader& reader, const json::Value& value, StageRule& rule) {
  if (const json::Value* source = value.Find("source")) {
    rule.source = reader.RelativePath(*source, "'source'").value_or("");
    rule.source_where = reader.RangeOf(*source);
  }
  if (const json::Value* stage = value.Find("stage")) {
    rule.stage_where = reader.RangeOf(*stage);
    std::vector<std::string_view> names;
    for (Stage each : AllStages()) names.push_back(NameOf(each));
    if (auto text = reader.String(*stage, "'stage'")) {
      rule.stage = StageFromName(*text);
      if (!rule.stage) {
        auto error = reader.sink().Error(rule.stage_where, "bad-value");
        error << "'" << Printable(*text) << "' is no shader stage";
        error.Hint("it can be " + Quoted(names));
      }
    }
  }
  if (const json::Value* entry = value.Find("entry")) {
    rule.entry_where = reader.RangeOf(*entry);
    rule.entry = reader.String(*entry, "'entry'");
    if (rule.entry && (rule.entry->empty() || rule.entry->find_first_of(" /\t\r\n") != std::string::npos)) {
      reader.sink().Error(rule.entry_where, "bad-value").Hint("as in \"entry\": \"main\"")
          << "'entry' must be the name of a function";
      rule.entry.reset();
    }
  }
  if (const json::Value* language = value.Find("language")) rule.language = reader.LanguageOf(*language);
  if (const json::Value* defines = value.Find("defines")) rule.defines = reader.Defines(*defines);
  if (const json::Value* overrides = value.Find("overrides")) rule.overrides = reader.Overrides(*overrides);
}

void ReadStages(ConfigReader& reader, const json::Value& value, const StageRule& whole, bool is_glob,
                ProgramRule& program) {
  if (!reader.Expect(value, json::Kind::kArray, "'stages'")) return;
  if (value.elements.empty()) {
    reader.sink().Error(reader.RangeOf(value), "bad-value").Hint("as in \"stages\": [\"sky.vert\", \"sky.frag\"]")
        << "'stages' is empty";
  }
  for (const json::Value* element : value.elements) {
    StageRule rule;
    rule.where = reader.RangeOf(*element);
    if (element->Is(json::Kind::kString)) {
      rule.source = reader.RelativePath(*element, "a stage").value_or("");
      rule.source_where = rule.where;
    } else {
      if (!reader.CheckKeys(*element, "a stage", kStageKeys)) continue;
      ReadStageBody(reader, *element, rule);
    }
    if (is_glob && rule.source_where.is_known()) {
      reader.sink().Error(rule.source_where, "bad-value").Hint("leave 'source' out, or 'glob'")
          << "a stage of a glob takes its source from the glob";
      continue;
    }
    if (!rule.source_where.is_known()) {
      rule.source = whole.source;
      rule.source_where = whole.source_where;
    }
    if (rule.source.empty() && !is_glob) {
      if (!rule.source_where.is_known()) {
        reader.sink().Error(rule.where, "missing-key").Hint("as in {\"source\": \"sky.hlsl\", \"stage\": \"vertex\"}")
            << "a stage needs 'source', here or in its program";
      }
      continue;
    }
    program.stages.push_back(std::move(rule));
  }
}

void ReadProgram(ConfigReader& reader, const json::Value& value, Config& config) {
  ProgramRule program;
  program.where = reader.RangeOf(value);
  if (!reader.CheckKeys(value, "a program", kProgramKeys)) return;
  StageRule whole;
  whole.where = program.where;
  const json::Value* glob = value.Find("glob");
  const json::Value* stages = value.Find("stages");
  const json::Value* source = value.Find("source");
  if (source != nullptr) {
    whole.source = reader.RelativePath(*source, "'source'").value_or("");
    whole.source_where = reader.RangeOf(*source);
  }
  if (const json::Value* name = value.Find("name")) {
    program.name = reader.String(*name, "'name'").value_or("");
    program.where = reader.RangeOf(*name);
    if (program.name.empty() || program.name.front() == '/' || program.name.find('\n') != std::string::npos) {
      reader.sink().Error(program.where, "bad-value").Hint("as in \"name\": \"water\" or \"name\": \"post/blur\"")
          << "a program's name must not be empty, hold a line break or begin with '/'";
    }
    if (glob != nullptr) {
      reader.sink().Error(program.where, "bad-value").Hint("leave 'name' out, or name the sources in 'stages'")
          << "a glob makes many programs and names each by its file";
    }
  }
  if (glob != nullptr) {
    program.where = reader.RangeOf(*glob);
    program.glob = reader.RelativePath(*glob, "'glob'").value_or("");
    if (source != nullptr) {
      reader.sink().Error(whole.source_where, "bad-value").Hint("make two programs of it, one with 'source'")
          << "a program has 'glob' or 'source', not both";
    }
    if (const json::Value* except = value.Find("except")) program.except = reader.RelativePaths(*except, "'except'");
    if (const json::Value* may = value.Find("allowEmpty")) {
      program.may_be_empty = reader.Bool(*may, "'allowEmpty'").value_or(false);
    }
  } else {
    for (std::string_view key : {"except", "allowEmpty"}) {
      if (const json::Member* member = value.FindMember(key)) {
        reader.sink().Error(reader.RangeOf(member->key_span), "bad-value").Hint("take it out, or add 'glob'")
            << "'" << key << "' needs 'glob'";
      }
    }
    if (source == nullptr && stages == nullptr) {
      reader.sink().Error(program.where, "missing-key").Hint("as in {\"source\": \"sky.frag\"}")
          << "a program needs 'source', 'stages' or 'glob'";
      return;
    }
  }
  if (stages != nullptr) {
    ReadStages(reader, *stages, whole, glob != nullptr, program);
  } else if (source != nullptr && !whole.source.empty()) {
    program.stages.push_back(whole);
  }
  if (const json::Value* targets = value.Find("targets")) {
    if (targets->Is(json::Kind::kArray)) {
      for (const json::Value* element : targets->elements) {
        if (auto name = reader.String(*element, "an element of 'targets'")) {
          program.targets.emplace_back(*name, reader.RangeOf(*element));
        }
      }
      if (targets->elements.empty()) {
        reader.sink().Error(reader.RangeOf(*targets), "bad-value").Hint("leave 'targets' out for all of the manifest's")
            << "'targets' is empty: the program would give nothing";
      }
    } else {
      reader.Expect(*targets, json::Kind::kArray, "'targets' of a program");
    }
  }
  if (const json::Value* include = value.Find("include")) program.include = reader.IncludeFolders(*include);
  if (const json::Value* defines = value.Find("defines")) program.defines = reader.Defines(*defines);
  if (const json::Value* overrides = value.Find("overrides")) program.overrides = reader.Overrides(*overrides);
  if (const json::Value* language = value.Find("language")) program.language = reader.LanguageOf(*language);
  if (const json::Member* one = value.FindMember("oneModule")) {
    program.one_module_where = reader.RangeOf(one->key_span);
    program.is_one_module = reader.Bool(*one->value, "'oneModule'").value_or(false);
  }
  reader.Compile(value, program.compile);
  config.programs.push_back(std::move(program));
}

}  // namespace

void ReadPrograms(ConfigReader& reader, const json::Value& value, Config& config) {
  if (!reader.Expect(value, json::Kind::kArray, "'programs'")) return;
  for (const json::Value* element : value.elements) {
    if (element->Is(json::Kind::kObject)) {
      ReadProgram(reader, *element, config);
      continue;
    }
    if (!element->Is(json::Kind::kString)) {
      reader.sink().Error(reader.RangeOf(*element), "wrong-type").Hint("as in \"shaders/*.frag\"")
          << "a program must be a path, a glob or an object, not " << json::NameOf(element->kind);
      continue;
    }
    auto text = reader.RelativePath(*element, "a program");
    if (!text) continue;
    ProgramRule program;
    program.where = reader.RangeOf(*element);
    if (HasGlobCharacters(*text)) {
      program.glob = *text;
    } else {
      StageRule stage;
      stage.source = *text;
      stage.where = stage.source_where = program.where;
      program.stages.push_back(std::move(stage));
    }
    config.programs.push_back(std::move(program));
  }
}

}  // namespace kiln::build
