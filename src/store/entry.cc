// SPDX-License-Identifier: Apache-2.0
#include "store/entry.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "store/wire.h"

namespace kiln::store {

namespace {

// Field numbers of build.bazel.remote.execution.v2.
enum ActionResultField : uint32_t { kOutputFiles = 2, kExitCode = 4, kStdoutRaw = 5, kStderrRaw = 7 };
enum OutputFileField : uint32_t { kPath = 1, kDigest = 2, kContents = 5 };
enum DigestField : uint32_t { kHash = 1, kSizeBytes = 2 };

constexpr size_t kMaxOutputs = 4096;

std::string EncodeDigest(const Output& output) {
  std::string out;
  WireWriter writer(out);
  writer.Bytes(kHash, output.digest.Hex());
  writer.Varint(kSizeBytes, output.size);
  return out;
}

bool DecodeDigest(std::string_view bytes, Output& output) {
  WireReader reader(bytes);
  bool has_hash = false;
  while (std::optional<WireField> field = reader.Next()) {
    if (field->number == kHash && field->is_bytes) {
      const std::optional<Digest> digest = Digest::FromHex(field->bytes);
      if (!digest) return false;
      output.digest = *digest;
      has_hash = true;
    } else if (field->number == kSizeBytes && !field->is_bytes) {
      output.size = field->value;
    }
  }
  return reader.ok() && has_hash;
}

bool DecodeOutput(std::string_view bytes, Output& output) {
  WireReader reader(bytes);
  bool has_digest = false;
  while (std::optional<WireField> field = reader.Next()) {
    if (!field->is_bytes) continue;
    if (field->number == kPath) output.name = field->bytes;
    if (field->number == kContents) output.bytes = std::string(field->bytes);
    if (field->number == kDigest) has_digest = DecodeDigest(field->bytes, output);
  }
  // An empty `contents` is not written; a file of no bytes is at hand all the same.
  if (has_digest && output.size == 0 && !output.bytes) output.bytes = std::string();
  return reader.ok() && has_digest && (!output.bytes || output.bytes->size() == output.size);
}

std::string_view NameOf(diag::Severity severity) {
  switch (severity) {
    case diag::Severity::kError:
      return "error";
    case diag::Severity::kWarning:
      return "warning";
    case diag::Severity::kInfo:
      return "info";
  }
  KILN_UNREACHABLE("severity");
}

std::optional<diag::Severity> SeverityOf(std::string_view name) {
  for (const auto severity : {diag::Severity::kError, diag::Severity::kWarning, diag::Severity::kInfo}) {
    if (NameOf(severity) == name) return severity;
  }
  return std::nullopt;
}

void WriteLocation(json::Writer& writer, const diag::Location& location) {
  writer.BeginObject().Member("file", location.file);
  writer.Key("at").BeginArray();
  for (const diag::Position& position : {location.begin, location.end}) {
    writer.Number(position.line).Number(position.column);
  }
  writer.EndArray().EndObject();
}

std::string StringOf(const json::Value& object, std::string_view key) {
  const json::Value* value = object.Find(key);
  return value == nullptr ? std::string() : std::string(value->AsString().value_or(""));
}

bool ReadLocation(const json::Value* value, diag::Location& location) {
  if (value == nullptr) return true;
  const json::Value* at = value->Find("at");
  if (at == nullptr || at->elements.size() != 4) return false;
  uint32_t numbers[4];
  for (size_t i = 0; i < 4; ++i) {
    const std::optional<uint64_t> number = at->elements[i]->AsUint();
    if (!number || *number > UINT32_MAX) return false;
    numbers[i] = static_cast<uint32_t>(*number);
  }
  location.file = StringOf(*value, "file");
  location.begin = {numbers[0], numbers[1]};
  location.end = {numbers[2], numbers[3]};
  return true;
}

bool ReadDiagnostic(const json::Value& value, diag::Diagnostic& diagnostic) {
  const std::optional<diag::Severity> severity = SeverityOf(StringOf(value, "severity"));
  if (!severity || !ReadLocation(value.Find("location"), diagnostic.location)) return false;
  diagnostic.severity = *severity;
  diagnostic.code = StringOf(value, "code");
  diagnostic.message = StringOf(value, "message");
  diagnostic.hint = StringOf(value, "hint");
  diagnostic.source_line = StringOf(value, "line");
  if (const json::Value* notes = value.Find("notes")) {
    for (const json::Value* note : notes->elements) {
      diag::Note& added = diagnostic.notes.emplace_back();
      added.message = StringOf(*note, "message");
      if (!ReadLocation(note->Find("location"), added.location)) return false;
    }
  }
  return true;
}

}  // namespace

std::string EncodeEntry(const Entry& entry, uint64_t inline_limit) {
  std::string out;
  WireWriter writer(out);
  for (const Output& output : entry.outputs) {
    std::string file;
    WireWriter fields(file);
    fields.Bytes(kPath, output.name);
    fields.Bytes(kDigest, EncodeDigest(output));
    if (output.bytes && !output.bytes->empty() && output.size <= inline_limit) fields.Bytes(kContents, *output.bytes);
    writer.Bytes(kOutputFiles, file);
  }
  // int32: a negative number is written as 64 bits.
  if (entry.exit_code != 0) writer.Varint(kExitCode, static_cast<uint64_t>(int64_t{entry.exit_code}));
  if (!entry.diagnostics.empty()) writer.Bytes(kStdoutRaw, DiagnosticsToJson(entry.diagnostics));
  if (!entry.note.empty()) writer.Bytes(kStderrRaw, entry.note);
  return out;
}

std::optional<Entry> DecodeEntry(std::string_view bytes) {
  Entry entry;
  WireReader reader(bytes);
  while (std::optional<WireField> field = reader.Next()) {
    if (field->number == kOutputFiles && field->is_bytes) {
      if (entry.outputs.size() == kMaxOutputs || !DecodeOutput(field->bytes, entry.outputs.emplace_back())) {
        return std::nullopt;
      }
    } else if (field->number == kExitCode && !field->is_bytes) {
      entry.exit_code = static_cast<int32_t>(static_cast<uint32_t>(field->value));
    } else if (field->number == kStdoutRaw && field->is_bytes) {
      std::optional<std::vector<diag::Diagnostic>> diagnostics = DiagnosticsFromJson(field->bytes);
      if (!diagnostics) return std::nullopt;
      entry.diagnostics = *std::move(diagnostics);
    } else if (field->number == kStderrRaw && field->is_bytes) {
      entry.note = field->bytes;
    }
  }
  if (!reader.ok()) return std::nullopt;
  return entry;
}

std::string DiagnosticsToJson(const std::vector<diag::Diagnostic>& diagnostics) {
  std::string out;
  json::Writer writer(out);
  writer.BeginArray();
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    writer.BeginObject().Member("severity", NameOf(diagnostic.severity)).Member("code", diagnostic.code);
    writer.Member("message", diagnostic.message);
    if (diagnostic.location != diag::Location()) WriteLocation(writer.Key("location"), diagnostic.location);
    if (!diagnostic.hint.empty()) writer.Member("hint", diagnostic.hint);
    if (!diagnostic.source_line.empty()) writer.Member("line", diagnostic.source_line);
    if (!diagnostic.notes.empty()) {
      writer.Key("notes").BeginArray();
      for (const diag::Note& note : diagnostic.notes) {
        writer.BeginObject().Member("message", note.message);
        if (note.location != diag::Location()) WriteLocation(writer.Key("location"), note.location);
        writer.EndObject();
      }
      writer.EndArray();
    }
    writer.EndObject();
  }
  writer.EndArray();
  return out;
}

std::optional<std::vector<diag::Diagnostic>> DiagnosticsFromJson(std::string_view json) {
  Arena arena;
  const json::ReadResult result = json::Read(json, arena);
  if (!result.ok() || !result.root->Is(json::Kind::kArray)) return std::nullopt;
  std::vector<diag::Diagnostic> diagnostics;
  diagnostics.reserve(result.root->elements.size());
  for (const json::Value* value : result.root->elements) {
    if (!ReadDiagnostic(*value, diagnostics.emplace_back())) return std::nullopt;
  }
  return diagnostics;
}

}  // namespace kiln::store
