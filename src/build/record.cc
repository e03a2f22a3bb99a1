// SPDX-License-Identifier: Apache-2.0
#include "build/record.h"

#include <algorithm>

#include "base/arena.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/paths.h"

namespace kiln::build {
namespace {

constexpr std::string_view kKind = "kiln-record";
constexpr int kSchema = 1;

/// "<x>" where angled, the bare text where quoted; a quoted text that looks angled keeps its quotes.
std::string Spell(const ReadImport& import) {
  if (import.is_angled) return "<" + import.spelled + ">";
  const bool is_plain = import.spelled.empty() || (import.spelled[0] != '<' && import.spelled[0] != '"');
  return is_plain ? import.spelled : "\"" + import.spelled + "\"";
}

void Unspell(std::string_view text, ReadImport& import) {
  const bool is_wrapped =
      text.size() >= 2 && ((text.front() == '<' && text.back() == '>') || (text.front() == '"' && text.back() == '"'));
  import.is_angled = is_wrapped && text.front() == '<';
  import.spelled = std::string(is_wrapped ? text.substr(1, text.size() - 2) : text);
}

void WriteUnit(json::Writer& out, const RecordUnit& unit) {
  out.BeginObject();
  out.Member("program", unit.program).Member("source", unit.source);
  out.Member("stage", unit.stage).Member("entry", unit.entry);
  out.Key("imports").BeginArray();
  for (const ReadImport& import : unit.imports) {
    std::string row = "[";
    json::AppendString(row, import.from);
    row += ", ";
    json::AppendString(row, Spell(import));
    row += ", ";
    if (import.to.empty()) {
      row += "null";
    } else {
      json::AppendString(row, import.to);
    }
    out.Raw(row + "]");
  }
  out.EndArray();
  out.Key("files").BeginObject();
  for (const auto& [path, file] : unit.files) {
    out.Key(path).BeginObject();
    out.Member("target", file.target).Member("recipe", file.recipe);
    out.Member("key", file.key.Hex()).Member("sha256", file.digest.Hex()).Member("size", file.size);
    out.EndObject();
  }
  out.EndObject().EndObject();
}

/// Reads fields and remembers whether all were there.
struct Fields {
  bool is_ok = true;

  std::string Text(const json::Value& object, std::string_view key) {
    const json::Value* value = object.Find(key);
    if (value == nullptr || !value->Is(json::Kind::kString)) {
      is_ok = false;
      return {};
    }
    return std::string(value->text);
  }
  Digest Hex(std::string_view text) {
    const auto digest = Digest::FromHex(text);
    if (!digest) is_ok = false;
    return digest.value_or(Digest{});
  }
  std::span<const json::Member> Members(const json::Value& object, std::string_view key) {
    const json::Value* value = object.Find(key);
    if (value == nullptr || !value->Is(json::Kind::kObject)) {
      is_ok = false;
      return {};
    }
    return value->members;
  }
  std::span<const json::Value* const> Elements(const json::Value& object, std::string_view key) {
    const json::Value* value = object.Find(key);
    if (value == nullptr || !value->Is(json::Kind::kArray)) {
      is_ok = false;
      return {};
    }
    return value->elements;
  }
};

RecordUnit ReadUnit(const json::Value& value, Fields& fields) {
  RecordUnit unit;
  unit.program = fields.Text(value, "program");
  unit.source = fields.Text(value, "source");
  unit.stage = fields.Text(value, "stage");
  unit.entry = fields.Text(value, "entry");
  for (const json::Value* row : fields.Elements(value, "imports")) {
    ReadImport import;
    if (row->elements.size() != 3 || !row->elements[0]->Is(json::Kind::kString) ||
        !row->elements[1]->Is(json::Kind::kString)) {
      fields.is_ok = false;
      continue;
    }
    import.from = std::string(row->elements[0]->text);
    Unspell(row->elements[1]->text, import);
    if (row->elements[2]->Is(json::Kind::kString)) import.to = std::string(row->elements[2]->text);
    unit.imports.push_back(std::move(import));
  }
  for (const json::Member& member : fields.Members(value, "files")) {
    RecordFile file;
    file.target = fields.Text(*member.value, "target");
    file.recipe = fields.Text(*member.value, "recipe");
    file.key = fields.Hex(fields.Text(*member.value, "key"));
    file.digest = fields.Hex(fields.Text(*member.value, "sha256"));
    const json::Value* size = member.value->Find("size");
    const auto number = size == nullptr ? std::nullopt : size->AsUint();
    if (!number) fields.is_ok = false;
    file.size = number.value_or(0);
    // A path that leads out of the folder is not ours to remove or compare.
    const std::string path(member.key);
    if (path.empty() || path::IsAbsolute(path) || path::Normalise(path) != path || path.substr(0, 2) == "..") {
      fields.is_ok = false;
    }
    unit.files.emplace(path, std::move(file));
  }
  return unit;
}

}  // namespace

size_t Record::FileCount() const {
  size_t count = 0;
  for (const RecordUnit& unit : units) count += unit.files.size();
  return count;
}

std::string AddRecipe(Record& record, const Recipe& recipe) {
  std::vector<std::string> lines = recipe.Lines();
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const Digest digest = Sha256Of(text);
  std::string name = digest.Hex().substr(0, 12);
  const auto [at, is_new] = record.recipes.emplace(name, lines);
  if (!is_new && at->second != lines) {
    name = digest.Hex();
    record.recipes.emplace(name, std::move(lines));
  }
  return name;
}

std::string WriteRecord(const Record& record) {
  std::string text;
  json::Writer out(text, json::Layout::kIndented);
  out.BeginObject();
  out.Member("kind", kKind).Member("schema", kSchema);
  out.Key("toolchain").BeginObject();
  out.Member("set", record.toolchain_set).Member("identity", record.toolchain_digest);
  out.Member("versions", record.toolchain_versions).EndObject();
  out.Key("recipes").BeginObject();
  for (const auto& [name, lines] : record.recipes) {
    out.Key(name).BeginArray();
    for (const std::string& line : lines) out.String(line);
    out.EndArray();
  }
  out.EndObject();
  out.Key("inputs").BeginObject();
  for (const auto& [path, digest] : record.inputs) out.Member(path, digest.Hex());
  out.EndObject();
  out.Key("units").BeginArray();
  std::vector<const RecordUnit*> units;
  for (const RecordUnit& unit : record.units) units.push_back(&unit);
  // By first output, so that the order of the manifest does not show.
  std::sort(units.begin(), units.end(), [](const RecordUnit* a, const RecordUnit* b) {
    return (a->files.empty() ? "" : a->files.begin()->first) < (b->files.empty() ? "" : b->files.begin()->first);
  });
  for (const RecordUnit* unit : units) WriteUnit(out, *unit);
  out.EndArray().EndObject();
  text += "\n";
  return text;
}

std::optional<Record> ReadRecord(std::string_view text, std::string& why) {
  Arena arena;
  const json::ReadResult read = json::Read(text, arena);
  if (!read.ok()) {
    why = "it is not JSON: " + read.error.message;
    return std::nullopt;
  }
  Fields fields;
  const json::Value& root = *read.root;
  if (fields.Text(root, "kind") != kKind) {
    why = "it is no record of Kiln";
    return std::nullopt;
  }
  const json::Value* schema = root.Find("schema");
  if (schema == nullptr || schema->AsInt() != kSchema) {
    why = "it was written by another version of Kiln";
    return std::nullopt;
  }
  Record record;
  if (const json::Value* toolchain = root.Find("toolchain")) {
    record.toolchain_set = fields.Text(*toolchain, "set");
    record.toolchain_digest = fields.Text(*toolchain, "identity");
    record.toolchain_versions = fields.Text(*toolchain, "versions");
  } else {
    fields.is_ok = false;
  }
  for (const json::Member& member : fields.Members(root, "recipes")) {
    std::vector<std::string>& lines = record.recipes[std::string(member.key)];
    for (const json::Value* line : member.value->elements) lines.emplace_back(line->text);
  }
  for (const json::Member& member : fields.Members(root, "inputs")) {
    record.inputs.emplace(member.key, fields.Hex(member.value->text));
  }
  for (const json::Value* unit : fields.Elements(root, "units")) record.units.push_back(ReadUnit(*unit, fields));
  if (!fields.is_ok) {
    why = "it is damaged";
    return std::nullopt;
  }
  return record;
}

RecordIndex::RecordIndex(const Record& record) {
  for (const RecordUnit& unit : record.units) {
    for (const auto& [path, file] : unit.files) places_.emplace(path, Place{&unit, &file});
  }
}

const RecordIndex::Place* RecordIndex::Find(const std::string& path) const {
  const auto at = places_.find(path);
  return at == places_.end() ? nullptr : &at->second;
}

}  // namespace kiln::build
