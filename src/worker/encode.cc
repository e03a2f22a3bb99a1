// SPDX-License-Identifier: Apache-2.0
#include "worker/encode.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"

namespace kiln::worker {
namespace {

constexpr std::string_view kMagic = "KWF1";

class Writer {
 public:
  void U8(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void U32(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) U8(static_cast<uint8_t>(value >> shift));
  }
  void Size(size_t value) {
    KILN_CHECK(value <= UINT32_MAX);
    U32(static_cast<uint32_t>(value));
  }
  void Text(std::string_view text) {
    Size(text.size());
    bytes_.append(text);
  }
  void Reserve(size_t size) { bytes_.reserve(size); }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Every getter answers a zero value once something was wrong; `ok()` at the end says whether all was there.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  uint8_t U8() {
    if (bytes_.empty()) return Fail();
    const uint8_t value = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  uint32_t U32() {
    uint32_t value = 0;
    for (int shift = 0; shift < 32; shift += 8) value |= static_cast<uint32_t>(U8()) << shift;
    return value;
  }
  std::string Text() {
    const uint32_t size = U32();
    if (size > bytes_.size()) {
      Fail();
      return {};
    }
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  bool Bool() {
    const uint8_t value = U8();
    if (value > 1) Fail();
    return value == 1;
  }
  template <typename Enum>
  Enum OneOf(Enum last) {
    const uint8_t value = U8();
    if (value > static_cast<uint8_t>(last)) return static_cast<Enum>(Fail());
    return static_cast<Enum>(value);
  }
  // The count of a list whose elements take at least `smallest` bytes each, so that a lie cannot ask for much memory.
  size_t Count(size_t smallest) {
    const uint32_t count = U32();
    if (count > bytes_.size() / smallest) return Fail();
    return count;
  }
  bool ok() const { return is_ok_; }
  bool AtEnd() const { return is_ok_ && bytes_.empty(); }

 private:
  uint8_t Fail() {
    is_ok_ = false;
    bytes_ = {};
    return 0;
  }
  std::string_view bytes_;
  bool is_ok_ = true;
};

void Put(Writer& to, const std::vector<Blob>& blobs) {
  to.Size(blobs.size());
  for (const Blob& blob : blobs) {
    to.Text(blob.name);
    to.Text(blob.bytes);
  }
}

std::vector<Blob> GetBlobs(Reader& from) {
  std::vector<Blob> blobs(from.Count(8));
  for (Blob& blob : blobs) {
    blob.name = from.Text();
    blob.bytes = from.Text();
  }
  return blobs;
}

void Put(Writer& to, const std::vector<Import>& imports) {
  to.Size(imports.size());
  for (const Import& import : imports) {
    to.Text(import.from);
    to.Text(import.spelled);
    to.U8(import.is_angled);
    to.Text(import.to);
  }
}

std::vector<Import> GetImports(Reader& from) {
  std::vector<Import> imports(from.Count(13));
  for (Import& import : imports) {
    import.from = from.Text();
    import.spelled = from.Text();
    import.is_angled = from.Bool();
    import.to = from.Text();
  }
  return imports;
}

void Put(Writer& to, const std::vector<std::pair<std::string, std::string>>& options) {
  to.Size(options.size());
  for (const auto& [name, value] : options) {
    to.Text(name);
    to.Text(value);
  }
}

void Put(Writer& to, const diag::Location& location) {
  to.Text(location.file);
  to.U32(location.begin.line);
  to.U32(location.begin.column);
  to.U32(location.end.line);
  to.U32(location.end.column);
}

diag::Location GetLocation(Reader& from) {
  diag::Location location;
  location.file = from.Text();
  location.begin.line = from.U32();
  location.begin.column = from.U32();
  location.end.line = from.U32();
  location.end.column = from.U32();
  return location;
}

void Put(Writer& to, const std::vector<diag::Diagnostic>& diagnostics) {
  to.Size(diagnostics.size());
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    to.U8(static_cast<uint8_t>(diagnostic.severity));
    to.Text(diagnostic.code);
    Put(to, diagnostic.location);
    to.Text(diagnostic.message);
    to.Text(diagnostic.hint);
    to.Size(diagnostic.notes.size());
    for (const diag::Note& note : diagnostic.notes) {
      Put(to, note.location);
      to.Text(note.message);
    }
    to.Text(diagnostic.source_line);
  }
}

std::vector<diag::Diagnostic> GetDiagnostics(Reader& from) {
  std::vector<diag::Diagnostic> diagnostics(from.Count(41));
  for (diag::Diagnostic& diagnostic : diagnostics) {
    diagnostic.severity = from.OneOf(diag::Severity::kInfo);
    diagnostic.code = from.Text();
    diagnostic.location = GetLocation(from);
    diagnostic.message = from.Text();
    diagnostic.hint = from.Text();
    diagnostic.notes.resize(from.Count(24));
    for (diag::Note& note : diagnostic.notes) {
      note.location = GetLocation(from);
      note.message = from.Text();
    }
    diagnostic.source_line = from.Text();
  }
  return diagnostics;
}

}  // namespace

std::string EncodeAction(const Action& action) {
  Writer to;
  size_t size = 1024;
  for (const Blob& input : action.inputs) size += input.bytes.size() + input.name.size() + 8;
  to.Reserve(size);
  to.Text(action.operation);
  Put(to, action.options);
  Put(to, action.inputs);
  Put(to, action.imports);
  return to.Take();
}

bool DecodeAction(std::string_view bytes, Action& out) {
  Reader from(bytes);
  out = {};
  out.operation = from.Text();
  out.options.resize(from.Count(8));
  for (auto& [name, value] : out.options) {
    name = from.Text();
    value = from.Text();
  }
  out.inputs = GetBlobs(from);
  out.imports = GetImports(from);
  return from.AtEnd();
}

std::string EncodeResult(const ActionResult& result) {
  Writer to;
  size_t size = 1024;
  for (const Blob& output : result.outputs) size += output.bytes.size() + output.name.size() + 8;
  to.Reserve(size);
  to.U8(static_cast<uint8_t>(result.exit));
  Put(to, result.outputs);
  Put(to, result.diagnostics);
  Put(to, result.consulted);
  Put(to, result.unresolved);
  return to.Take();
}

bool DecodeResult(std::string_view bytes, ActionResult& out) {
  Reader from(bytes);
  out = {};
  out.exit = from.OneOf(ExitKind::kCancelled);
  out.outputs = GetBlobs(from);
  out.diagnostics = GetDiagnostics(from);
  out.consulted = GetImports(from);
  out.unresolved = GetImports(from);
  return from.AtEnd();
}

std::string CanonicalAction(std::string_view toolchain_digest, std::string_view operation,
                            std::vector<std::pair<std::string, std::string>> options, std::vector<InputDigest> inputs,
                            std::vector<Import> imports) {
  std::sort(options.begin(), options.end());
  std::sort(imports.begin(), imports.end());
  std::sort(inputs.begin(), inputs.end(), [](const InputDigest& a, const InputDigest& b) {
    return std::tie(a.name, a.digest) < std::tie(b.name, b.digest);
  });
  Writer to;
  to.Text("kiln-action-1");
  to.Text(toolchain_digest);
  to.Text(operation);
  Put(to, options);
  to.Size(inputs.size());
  for (const InputDigest& input : inputs) {
    to.Text(input.name);
    to.Text(input.digest);
  }
  Put(to, imports);
  return to.Take();
}

std::string EncodeHello(const Hello& hello) {
  Writer to;
  to.U32(hello.protocol);
  to.Text(hello.identity_digest);
  return to.Take();
}

bool DecodeHello(std::string_view bytes, Hello& out) {
  // Another version may say more after these two.
  Reader from(bytes);
  out.protocol = from.U32();
  out.identity_digest = from.Text();
  return from.ok() && (out.protocol != kProtocolVersion || from.AtEnd());
}

std::string MakeFrame(FrameKind kind, std::string_view payload) {
  KILN_CHECK(payload.size() <= kMaxFrame);
  std::string frame;
  frame.reserve(kFrameHeader + payload.size());
  frame += kMagic;
  frame.push_back(static_cast<char>(kind));
  for (int shift = 0; shift < 32; shift += 8) frame.push_back(static_cast<char>(payload.size() >> shift));
  frame += payload;
  return frame;
}

FrameReader::State FrameReader::Next(FrameKind& kind, std::string& payload) {
  const std::string_view rest = std::string_view(buffer_).substr(at_);
  if (is_broken_ || rest.substr(0, kMagic.size()) != kMagic.substr(0, std::min(rest.size(), kMagic.size()))) {
    is_broken_ = true;
    return State::kBroken;
  }
  if (rest.size() < kFrameHeader) return State::kNeedsMore;
  size_t size = 0;
  for (size_t i = 0; i < 4; ++i) size |= static_cast<size_t>(static_cast<uint8_t>(rest[5 + i])) << (8 * i);
  const uint8_t number = static_cast<uint8_t>(rest[4]);
  if (size > kMaxFrame || number < 1 || number > static_cast<uint8_t>(FrameKind::kResult)) {
    is_broken_ = true;
    return State::kBroken;
  }
  if (rest.size() < kFrameHeader + size) return State::kNeedsMore;
  kind = static_cast<FrameKind>(number);
  payload.assign(rest.substr(kFrameHeader, size));
  at_ += kFrameHeader + size;
  if (at_ == buffer_.size()) {
    buffer_.clear();
    at_ = 0;
  }
  return State::kFrame;
}

}  // namespace kiln::worker
