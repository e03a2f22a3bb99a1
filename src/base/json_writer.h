// SPDX-License-Identifier: Apache-2.0
// Writing JSON: streaming, deterministic, the same bytes on every machine. Doubles are the shortest text that reads
// back equal. Ill-formed UTF-8 in a string becomes U+FFFD, so the output is always well-formed.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::json {

enum class Layout : uint8_t {
  kCompact,   // no white space at all
  kIndented,  // two spaces a level, one member a line, for people and diffs
};

/// Appends `text` as a JSON string, quotes included.
void AppendString(std::string& out, std::string_view text);

/// Misuse (a key in an array, an unclosed object) is a broken invariant and aborts.
class Writer {
 public:
  explicit Writer(std::string& out, Layout layout = Layout::kCompact) : out_(out), layout_(layout) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  Writer& BeginObject();
  Writer& EndObject();
  Writer& BeginArray();
  Writer& EndArray();
  Writer& Key(std::string_view key);

  Writer& String(std::string_view text);
  Writer& Bool(bool value);
  Writer& Null();
  template <std::signed_integral T>
  Writer& Number(T value) {
    return Signed(value);
  }
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Writer& Number(T value) { return Unsigned(value); }
  /// Not a number and infinities become null: JSON has neither.
  Writer& Number(double value);
  /// A value that is JSON already.
  Writer& Raw(std::string_view json);

  // Key and value in one call.
  Writer& Member(std::string_view key, std::string_view text) { return Key(key).String(text); }
  Writer& Member(std::string_view key, const char* text) { return Key(key).String(text); }
  Writer& Member(std::string_view key, const std::string& text) { return Key(key).String(text); }
  Writer& Member(std::string_view key, bool value) { return Key(key).Bool(value); }
  template <std::integral T>
  Writer& Member(std::string_view key, T value) {
    return Key(key).Number(value);
  }
  Writer& Member(std::string_view key, double value) { return Key(key).Number(value); }

  /// Whether one whole value was written.
  bool IsComplete() const { return levels_.empty() && wrote_root_; }

 private:
  struct Level {
    bool is_object;
    bool is_empty = true;
    bool has_key = false;
  };
  void BeforeValue();
  Writer& Open(bool is_object, char bracket);
  Writer& Close(bool is_object, char bracket);
  void BreakLine();
  Writer& Signed(int64_t value);
  Writer& Unsigned(uint64_t value);

  std::string& out_;
  Layout layout_;
  std::vector<Level> levels_;
  bool wrote_root_ = false;
};

}  // namespace kiln::json
