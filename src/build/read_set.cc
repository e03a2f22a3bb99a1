// SPDX-License-Identifier: Apache-2.0
#include "build/read_set.h"

#include <algorithm>
#include <tuple>

#include "worker/encode.h"

namespace kiln::build {
namespace {

const graph::Import* FindImport(const graph::Graph& graph, std::string_view from, std::string_view spelled,
                                bool is_angled) {
  const auto before = [](const graph::Import& a, const std::tuple<std::string_view, std::string_view, bool>& b) {
    return std::tuple<std::string_view, std::string_view, bool>(a.from, a.spelled, a.is_angled) < b;
  };
  const std::tuple<std::string_view, std::string_view, bool> key(from, spelled, is_angled);
  const auto at = std::lower_bound(graph.imports.begin(), graph.imports.end(), key, before);
  if (at == graph.imports.end() || at->from != from || at->spelled != spelled || at->is_angled != is_angled) {
    return nullptr;
  }
  return &*at;
}

void AppendNumber(std::string& out, uint64_t number) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(number >> (8 * i));
}
void AppendText(std::string& out, std::string_view text) {
  AppendNumber(out, text.size());
  out += text;
}

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}
  bool is_ok() const { return is_ok_; }
  bool at_end() const { return rest_.empty(); }

  uint32_t Number() {
    const std::string_view bytes = Take(4);
    uint32_t number = 0;
    for (size_t i = 0; i < bytes.size(); ++i) number |= uint32_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    return number;
  }
  std::string Text() { return std::string(Take(Number())); }
  /// A count of things of at least `size` bytes each, so that a damaged one cannot ask for more than is there.
  uint32_t Count(size_t size) {
    const uint32_t count = Number();
    if (count > rest_.size() / size) is_ok_ = false;
    return is_ok_ ? count : 0;
  }
  std::string_view Take(size_t size) {
    if (size > rest_.size()) {
      is_ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

 private:
  std::string_view rest_;
  bool is_ok_ = true;
};

constexpr std::string_view kMagic = "KRS1";

}  // namespace

ModuleNames::ModuleNames(const std::string& root) { (void)Opaque(root); }

std::string ModuleNames::Opaque(const std::string& id) {
  const auto [at, is_new] = index_.emplace(id, ids_.size());
  if (is_new) ids_.push_back(id);
  return "m" + std::to_string(at->second);
}

const std::string* ModuleNames::Id(std::string_view opaque) const {
  if (opaque.size() < 2 || opaque.size() > 8 || opaque[0] != 'm') return nullptr;
  size_t index = 0;
  for (char c : opaque.substr(1)) {
    if (c < '0' || c > '9') return nullptr;
    index = index * 10 + static_cast<size_t>(c - '0');
  }
  return index < ids_.size() ? &ids_[index] : nullptr;
}

const graph::Module* FindModule(const graph::Graph& graph, std::string_view id) {
  for (const graph::Module* module : graph.modules) {
    if (module->id == id) return module;
  }
  return nullptr;
}

std::optional<NamedReads> ReadsOf(const graph::Graph& graph, const std::vector<ReadImport>& imports) {
  NamedReads named{{}, ModuleNames(graph.entry)};
  named.reads.modules.push_back(graph.modules.front()->digest);
  for (const ReadImport& import : imports) {
    ReadImport opaque;
    // Who asks was reached before: the root, or the answer to an earlier question.
    const size_t known = named.names.ids().size();
    opaque.from = named.names.Opaque(import.from);
    if (named.names.ids().size() != known) return std::nullopt;
    opaque.spelled = import.spelled;
    opaque.is_angled = import.is_angled;
    if (!import.to.empty()) {
      opaque.to = named.names.Opaque(import.to);
      if (named.names.ids().size() != known) {
        const graph::Module* module = FindModule(graph, import.to);
        if (module == nullptr) return std::nullopt;
        named.reads.modules.push_back(module->digest);
      }
    }
    named.reads.imports.push_back(std::move(opaque));
  }
  return named;
}

std::optional<std::vector<ReadImport>> Match(const graph::Graph& graph, const ReadSet& stored) {
  if (stored.modules.empty() || graph.modules.front()->digest != stored.modules[0]) return std::nullopt;
  std::vector<ReadImport> imports;
  ModuleNames names(graph.entry);
  for (const ReadImport& question : stored.imports) {
    const std::string* from = names.Id(question.from);
    if (from == nullptr) return std::nullopt;
    const graph::Import* answer = FindImport(graph, *from, question.spelled, question.is_angled);
    if (answer == nullptr || answer->to.empty() != question.to.empty()) return std::nullopt;
    if (!answer->to.empty()) {
      const size_t known = names.ids().size();
      // The same opaque ID, so that two files with equal text do not stand in for one file asked for twice.
      if (names.Opaque(answer->to) != question.to) return std::nullopt;
      if (names.ids().size() != known) {
        const graph::Module* module = FindModule(graph, answer->to);
        if (module == nullptr || known >= stored.modules.size() || module->digest != stored.modules[known]) {
          return std::nullopt;
        }
      }
    }
    imports.push_back(*answer);
  }
  return imports;
}

Digest CompileKey(std::string_view toolchain_digest, std::string_view operation, const Options& options,
                  const ReadSet& reads) {
  std::vector<worker::InputDigest> inputs;
  for (size_t i = 0; i < reads.modules.size(); ++i) inputs.push_back({"m" + std::to_string(i), reads.modules[i].Hex()});
  std::vector<worker::Import> imports;
  for (const ReadImport& import : reads.imports) {
    imports.push_back({import.from, import.spelled, import.is_angled, import.to});
  }
  return Sha256Of(worker::CanonicalAction(toolchain_digest, operation, options, std::move(inputs), std::move(imports)));
}

Digest ReadsKey(std::string_view toolchain_digest, std::string_view operation, const Options& options,
                const Digest& root) {
  return Sha256Of("kiln-reads 1\n" + worker::CanonicalAction(toolchain_digest, operation, options,
                                                             {{std::string(kRootModule), root.Hex()}}, {}));
}

std::string EncodeReadSets(const std::vector<ReadSet>& sets) {
  std::string bytes(kMagic);
  AppendNumber(bytes, std::min(sets.size(), kMaxReadSets));
  for (size_t i = 0; i < sets.size() && i < kMaxReadSets; ++i) {
    AppendNumber(bytes, sets[i].modules.size());
    for (const Digest& digest : sets[i].modules) bytes += digest.View();
    AppendNumber(bytes, sets[i].imports.size());
    for (const ReadImport& import : sets[i].imports) {
      AppendText(bytes, import.from);
      AppendText(bytes, import.spelled);
      AppendNumber(bytes, import.is_angled ? 1 : 0);
      AppendText(bytes, import.to);
    }
  }
  return bytes;
}

std::optional<std::vector<ReadSet>> DecodeReadSets(std::string_view bytes) {
  Decoder in(bytes);
  if (in.Take(kMagic.size()) != kMagic) return std::nullopt;
  std::vector<ReadSet> sets(std::min<size_t>(in.Count(8), kMaxReadSets));
  for (ReadSet& set : sets) {
    set.modules.resize(in.Count(sizeof(Digest)));
    for (Digest& digest : set.modules) {
      const std::string_view raw = in.Take(sizeof(Digest));
      std::copy(raw.begin(), raw.end(), digest.bytes.begin());
    }
    set.imports.resize(in.Count(16));
    for (ReadImport& import : set.imports) {
      import.from = in.Text();
      import.spelled = in.Text();
      import.is_angled = in.Number() != 0;
      import.to = in.Text();
    }
  }
  if (!in.is_ok() || !in.at_end()) return std::nullopt;
  return sets;
}

}  // namespace kiln::build
