// SPDX-License-Identifier: Apache-2.0
// What values that were read answer: members by key, and numbers as C++ types.
#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/json.h"

namespace kiln::json {

namespace {

template <typename T>
std::optional<T> ToNumber(const Value& value) {
  if (value.kind != Kind::kNumber) return std::nullopt;
  T number{};
  const char* end = value.text.data() + value.text.size();
  const auto result = std::from_chars(value.text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

}  // namespace

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "a boolean";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
  }
  KILN_UNREACHABLE("kind");
}

const Member* Value::FindMember(std::string_view key) const {
  if (sorted_index.empty()) {
    for (const Member& member : members) {
      if (member.key == key) return &member;
    }
    return nullptr;
  }
  const auto it = std::ranges::lower_bound(sorted_index, key, {}, [this](uint32_t i) { return members[i].key; });
  return it != sorted_index.end() && members[*it].key == key ? &members[*it] : nullptr;
}

const Value* Value::Find(std::string_view key) const {
  const Member* member = FindMember(key);
  return member == nullptr ? nullptr : member->value;
}

std::optional<std::string_view> Value::AsString() const {
  if (kind != Kind::kString) return std::nullopt;
  return text;
}

std::optional<bool> Value::AsBool() const {
  if (kind != Kind::kBool) return std::nullopt;
  return boolean;
}

std::optional<int64_t> Value::AsInt() const { return ToNumber<int64_t>(*this); }

std::optional<uint64_t> Value::AsUint() const {
  if (text == "-0") return kind == Kind::kNumber ? std::optional<uint64_t>(0) : std::nullopt;
  return ToNumber<uint64_t>(*this);
}

std::optional<double> Value::AsDouble() const { return ToNumber<double>(*this); }

}  // namespace kiln::json
