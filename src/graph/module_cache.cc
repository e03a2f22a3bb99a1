// SPDX-License-Identifier: Apache-2.0
#include "graph/module_cache.h"

#include <cerrno>

#include "base/utf8.h"
#include "diag/source.h"

namespace kiln::graph {

namespace {

LoadFault ReadFault(const OsError& error, std::string_view id) {
  const auto fault = [&](LoadFault::Kind kind, std::string message) {
    return LoadFault{kind, std::move(message), {std::string(id), {}, {}}};
  };
  if (error.IsAbsent()) return fault(LoadFault::Kind::kAbsent, "there is no such file");
  if (error.code == EISDIR) return fault(LoadFault::Kind::kFolder, "it is a folder");
  if (error.code == EFBIG) return fault(LoadFault::Kind::kTooLong, error.detail);
  const std::string message = error.Message();
  // The message without the path of this machine: "cannot open '/home/…': Permission denied".
  const size_t reason = message.rfind("': ");
  return fault(LoadFault::Kind::kUnreadable, reason == std::string::npos ? message : message.substr(reason + 3));
}

LoadFault TextFault(const utf8::TextFault& fault, std::string_view text, std::string_view id) {
  const bool is_nul = fault.kind == utf8::TextFault::Kind::kNul;
  LoadFault out{is_nul ? LoadFault::Kind::kNul : LoadFault::Kind::kInvalidUtf8,
                (is_nul ? "a NUL byte at byte " : "invalid UTF-8 at byte ") + std::to_string(fault.offset),
                {}};
  diag::SourceSet sources;
  const diag::SourceFile& file = sources.AddView(std::string(id), text);
  const auto offset = static_cast<uint32_t>(fault.offset);
  out.location = {std::string(id), file.PositionAt(file.base() + offset), file.PositionAt(file.base() + offset)};
  out.source_line = Printable(file.Line(out.location.begin.line));
  return out;
}

}  // namespace

ModuleCache::Loaded ModuleCache::Load(const std::string& path, std::string_view id, bool keeps_mark) {
  const auto [it, is_new] = by_path_.try_emplace(path);
  Slot& slot = it->second;
  if (is_new) Read(path, id, slot);
  const bool has_mark = slot.module != nullptr && slot.module->digest != slot.module->file_digest;
  if (!has_mark || !keeps_mark) return {slot.module.get(), slot.fault.get()};
  if (slot.marked == nullptr) {
    slot.marked = std::make_unique<Module>(*slot.module);
    slot.marked->text.insert(0, utf8::kByteOrderMark);
    slot.marked->digest = slot.marked->file_digest;
  }
  return {slot.marked.get(), nullptr};
}

void ModuleCache::Read(const std::string& path, std::string_view id, Slot& slot) {
  auto module = std::make_unique<Module>();
  Outcome<std::string> bytes = disk_.ReadFile(path, limits_.module_bytes, module->stat);
  if (!bytes) {
    slot.fault = std::make_unique<LoadFault>(ReadFault(bytes.error(), id));
    return;
  }
  if (const std::optional<utf8::TextFault> fault = utf8::FindTextFault(*bytes)) {
    slot.fault = std::make_unique<LoadFault>(TextFault(*fault, *bytes, id));
    return;
  }
  module->id = id;
  module->path = path;
  module->file_digest = Sha256Of(*bytes);
  module->digest = module->file_digest;
  module->text = *std::move(bytes);
  if (module->text.starts_with(utf8::kByteOrderMark)) {
    module->text.erase(0, utf8::kByteOrderMark.size());
    module->digest = Sha256Of(module->text);
  }
  module->includes = ScanIncludes(module->text);
  slot.module = std::move(module);
}

}  // namespace kiln::graph
