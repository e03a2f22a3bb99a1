// SPDX-License-Identifier: Apache-2.0
// Reading JSON into a tree that knows where each value and key stands, so that every complaint about a value can point
// at it. Comments and trailing commas are tolerated only where an option says so. Duplicate keys and invalid UTF-8 are
// errors. Depth is bounded. Writing is base/json_writer.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"

namespace kiln::json {

enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

/// "a string", "an object", as messages name them.
std::string_view NameOf(Kind kind);

/// Bytes of the text that was read; add SourceFile::base() for a diag::Range.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend bool operator==(Span, Span) = default;
};

struct Value;

struct Member {
  std::string_view key;
  Span key_span;
  const Value* value;
};

/// Trivial, in an arena. Exactly the field of its kind is meaningful.
struct Value {
  Kind kind = Kind::kNull;
  bool boolean = false;
  Span span;
  std::string_view text;  // kString: without escapes, UTF-8, may hold NUL from \u0000; kNumber: as spelled
  std::span<const Value* const> elements;
  std::span<const Member> members;         // in order of the text
  std::span<const uint32_t> sorted_index;  // of members by key, where there are many

  bool Is(Kind other) const { return kind == other; }
  /// The value of a key; null where this is no object or has no such key.
  const Value* Find(std::string_view key) const;
  const Member* FindMember(std::string_view key) const;

  /// nullopt where this is of another kind, or the number is no integer or out of range.
  std::optional<std::string_view> AsString() const;
  std::optional<bool> AsBool() const;
  std::optional<int64_t> AsInt() const;
  std::optional<uint64_t> AsUint() const;
  std::optional<double> AsDouble() const;
};

struct ReadOptions {
  bool comments = false;  // and a byte order mark
  bool trailing_commas = false;
  uint32_t max_depth = 64;  // at most 512
};

struct ReadError {
  Span span;
  std::string message;  // "expected ',' or '}' after a member"
  Span other;           // a second place, as the first of two equal keys; {0,0} for none
  std::string other_message;
};

struct ReadResult {
  const Value* root = nullptr;  // null where `error` says why
  ReadError error;
  bool ok() const { return root != nullptr; }
};

/// `text` (below 4 GiB) outlives the tree: strings without escapes point into it.
ReadResult Read(std::string_view text, Arena& arena, const ReadOptions& options = {});

/// 1-based line and column (code points) of a byte of `text`.
struct LineColumn {
  uint32_t line;
  uint32_t column;
};
LineColumn Locate(std::string_view text, uint32_t offset);

}  // namespace kiln::json
