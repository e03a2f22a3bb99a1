// SPDX-License-Identifier: Apache-2.0
// A snapshot out of its file: form, bounds and every digest are checked.
#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <utility>

#include "base/arena.h"
#include "base/json.h"
#include "base/utf8.h"
#include "diag/source.h"
#include "graph/snapshot.h"
#include "graph/snapshot_format.h"

namespace kiln::graph {

namespace {

// Bounds of a whole file, whose graphs are bounded one by one as well.
constexpr size_t kMaxModules = 1 << 20;
constexpr size_t kMaxEntries = 1 << 20;

std::string DigestOf(const std::vector<Import>& imports) {
  ListDigest digest;
  for (const Import& import : imports) AddImport(digest, import);
  return digest.Hex();
}

bool QuestionBefore(const Import& a, const Import& b) {
  return std::tie(a.from, a.spelled, a.is_angled) < std::tie(b.from, b.spelled, b.is_angled);
}

struct Reader {
  diag::Sink& sink;
  const diag::SourceFile& file;

  diag::Location At(json::Span span) const {
    return {file.name(), file.PositionAt(file.base() + span.begin), file.PositionAt(file.base() + span.end)};
  }
  diag::Sink::Builder Malformed(json::Span span) const { return sink.Error(At(span), "snapshot-malformed"); }
  diag::Sink::Builder Tampered(json::Span span) const { return sink.Error(At(span), "snapshot-tampered"); }

  // The member `key` of the kind; null (reported) where it is not there.
  const json::Value* Get(const json::Value& object, std::string_view key, json::Kind kind) const {
    const json::Value* value = object.Find(key);
    if (value == nullptr) {
      Malformed(object.span) << "this needs a member '" << key << "'";
      return nullptr;
    }
    if (value->Is(kind)) return value;
    Malformed(value->span) << "'" << key << "' must be " << json::NameOf(kind);
    return nullptr;
  }

  std::optional<std::string> GetText(const json::Value& object, std::string_view key) const {
    const json::Value* value = Get(object, key, json::Kind::kString);
    if (value == nullptr) return std::nullopt;
    return std::string(value->text);
  }

  bool CheckObject(const json::Value& value, std::initializer_list<std::string_view> keys) const {
    if (!value.Is(json::Kind::kObject)) {
      Malformed(value.span) << "expected an object";
      return false;
    }
    for (const json::Member& member : value.members) {
      if (std::ranges::find(keys, member.key) != keys.end()) continue;
      Malformed(member.key_span) << "a snapshot has no key '" << member.key << "' here";
      return false;
    }
    return true;
  }
};

bool ReadAttachments(const Reader& in, const json::Value& list,
                     std::map<std::string, std::string, std::less<>>& attachments) {
  for (const json::Value* item : list.elements) {
    if (!in.CheckObject(*item, {"name", "sha256", "text"})) return false;
    const auto name = in.GetText(*item, "name"), sha256 = in.GetText(*item, "sha256"), text = in.GetText(*item, "text");
    if (!name || !sha256 || !text) return false;
    if (Sha256Of(*text).Hex() != *sha256) {
      in.Tampered(item->span) << "the attachment '" << *name << "' is not what was captured: its digest differs";
      return false;
    }
    if (!attachments.emplace(*name, *text).second) {
      in.Malformed(item->span) << "the attachment '" << *name << "' is here twice";
      return false;
    }
  }
  return true;
}

bool ReadModules(const Reader& in, const json::Value& list, const Limits& limits,
                 std::map<std::string, std::unique_ptr<Module>, std::less<>>& modules) {
  if (list.elements.size() > kMaxModules) {
    in.Malformed(list.span) << "more than " << kMaxModules << " modules";
    return false;
  }
  for (const json::Value* item : list.elements) {
    if (!in.CheckObject(*item, {"id", "sha256", "text"})) return false;
    const auto id = in.GetText(*item, "id"), sha256 = in.GetText(*item, "sha256"), text = in.GetText(*item, "text");
    if (!id || !sha256 || !text) return false;
    auto module = std::make_unique<Module>();
    module->digest = Sha256Of(*text);
    if (module->digest.Hex() != *sha256) {
      in.Tampered(item->span) << "the module '" << *id << "' is not what was captured: its digest differs";
      return false;
    }
    if (text->size() > limits.module_bytes) {
      in.Malformed(item->span) << "the module '" << *id << "' is longer than " << limits.module_bytes << " bytes";
      return false;
    }
    if (id->empty() || utf8::FindTextFault(*text)) {
      in.Malformed(item->span) << "the module '" << *id << "' has no name or is no text";
      return false;
    }
    module->id = *id;
    module->file_digest = module->digest;
    module->text = *text;
    module->includes = ScanIncludes(module->text);
    if (!modules.emplace(*id, std::move(module)).second) {
      in.Malformed(item->span) << "the module '" << *id << "' is here twice";
      return false;
    }
  }
  return true;
}

bool ReadImport(const Reader& in, const json::Value& item, Import& import) {
  const auto& e = item.elements;
  const bool is_whole = item.Is(json::Kind::kArray) && e.size() == 4 && e[0]->AsString() && e[1]->AsString() &&
                        e[2]->AsString() && (e[3]->AsString() || e[3]->Is(json::Kind::kNull));
  if (!is_whole || (e[2]->text != kQuoted && e[2]->text != kAngled)) {
    in.Malformed(item.span) << "an import is [from, spelled, \"quoted\" or \"angled\", to or null]";
    return false;
  }
  import = {std::string(e[0]->text), std::string(e[1]->text), e[2]->text == kAngled, std::string(e[3]->text)};
  return true;
}

bool ReadSearches(const Reader& in, const json::Value& list,
                  std::map<std::string, std::vector<Import>, std::less<>>& out) {
  for (const json::Value* item : list.elements) {
    if (!in.CheckObject(*item, {"name", "sha256", "imports"})) return false;
    const auto name = in.GetText(*item, "name"), sha256 = in.GetText(*item, "sha256");
    const json::Value* imports = in.Get(*item, "imports", json::Kind::kArray);
    if (!name || !sha256 || imports == nullptr) return false;
    std::vector<Import> read;
    read.reserve(imports->elements.size());
    for (const json::Value* each : imports->elements) {
      if (!ReadImport(in, *each, read.emplace_back())) return false;
      if (read.size() > 1 && !QuestionBefore(read[read.size() - 2], read.back())) {
        in.Tampered(each->span) << "the imports are not in order, or one is here twice";
        return false;
      }
    }
    if (DigestOf(read) != *sha256) {
      in.Tampered(imports->span) << "the imports of the search '" << *name
                                 << "' are not what was captured: their digest differs";
      return false;
    }
    if (!out.emplace(*name, std::move(read)).second) {
      in.Malformed(item->span) << "the search '" << *name << "' is here twice";
      return false;
    }
  }
  return true;
}

}  // namespace

Result<Snapshot> Snapshot::Read(std::string_view name, std::string_view json, diag::Sink& sink, const Limits& limits) {
  const diag::Location whole = {std::string(name), {}, {}};
  if (json.size() > kMaxSnapshotBytes) {
    return sink.Error(whole, "snapshot-too-large") << "a snapshot has at most " << kMaxSnapshotBytes << " bytes";
  }
  diag::SourceSet sources;
  const diag::SourceFile& file = sources.AddView(std::string(name), json);
  const Reader in{sink, file};
  Arena arena;
  const json::ReadResult parsed = json::Read(json, arena);
  if (!parsed.ok()) return in.Malformed(parsed.error.span) << parsed.error.message;
  const json::Value& root = *parsed.root;
  const json::Value* kind = root.Find("kind");
  if (kind == nullptr || kind->AsString() != kSnapshotKind)
    return in.Malformed({0, 0}) << "this file is no snapshot of Kiln";
  const json::Value* schema = root.Find("schema");
  if (schema == nullptr || schema->AsInt() != kSnapshotSchema) {
    return sink.Error(in.At(schema == nullptr ? root.span : schema->span), "snapshot-schema")
           << "this Kiln reads snapshots of schema " << kSnapshotSchema << " only";
  }
  if (!in.CheckObject(root, {"kind", "schema", "attachments", "searches", "entries", "entries_sha256", "modules"})) {
    return sink.FailedBecauseReported();
  }
  const json::Value* attachments = in.Get(root, "attachments", json::Kind::kArray);
  const json::Value* searches = in.Get(root, "searches", json::Kind::kArray);
  const json::Value* entries = in.Get(root, "entries", json::Kind::kArray);
  const json::Value* modules = in.Get(root, "modules", json::Kind::kArray);
  const std::optional<std::string> entries_sha256 = in.GetText(root, "entries_sha256");
  if (attachments == nullptr || searches == nullptr || entries == nullptr || modules == nullptr || !entries_sha256) {
    return sink.FailedBecauseReported();
  }

  Snapshot snapshot;
  snapshot.name_ = name;
  snapshot.limits_ = limits;
  if (!ReadAttachments(in, *attachments, snapshot.attachments_) || !ReadSearches(in, *searches, snapshot.searches_) ||
      !ReadModules(in, *modules, limits, snapshot.modules_)) {
    return sink.FailedBecauseReported();
  }
  if (entries->elements.size() > kMaxEntries)
    return in.Malformed(entries->span) << "more than " << kMaxEntries << " entries";
  ListDigest digest;
  for (const json::Value* item : entries->elements) {
    if (!in.CheckObject(*item, {"id", "language", "search"})) return sink.FailedBecauseReported();
    const auto id = in.GetText(*item, "id"), language = in.GetText(*item, "language"),
               search = in.GetText(*item, "search");
    if (!id || !language || !search) return sink.FailedBecauseReported();
    digest.Add(*id).Add(*language).Add(*search);
    if (!snapshot.modules_.contains(*id)) return in.Tampered(item->span) << "the entry '" << *id << "' has no module";
    if (!snapshot.searches_.contains(*search)) {
      return in.Tampered(item->span) << "the search '" << *search << "' of the entry '" << *id << "' is not here";
    }
    snapshot.entries_.push_back({*id, *language, *search});
  }
  if (digest.Hex() != *entries_sha256) {
    return in.Tampered(entries->span) << "the entries are not what was captured: their digest differs";
  }
  for (const auto& [search, imports] : snapshot.searches_) {
    for (const Import& import : imports) {
      const bool is_whole =
          snapshot.modules_.contains(import.from) && (import.to.empty() || snapshot.modules_.contains(import.to));
      if (is_whole) continue;
      return in.Tampered(searches->span) << "the import of '" << import.spelled << "' in '" << import.from
                                         << "' names a module that is not here";
    }
  }
  return snapshot;
}

}  // namespace kiln::graph
