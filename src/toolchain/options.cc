// SPDX-License-Identifier: Apache-2.0
#include "toolchain/options.h"

#include <charconv>
#include <cstring>

#include "base/edit_distance.h"

namespace kiln::toolchain {

worker::ActionResult Refuse(std::string code, std::string message, std::string hint, worker::ExitKind exit) {
  worker::ActionResult result;
  result.exit = exit;
  diag::Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  result.diagnostics.push_back(std::move(diagnostic));
  return result;
}

Options::Options(const worker::Action& action) : action_(action), used_(action.options.size()) {}

const std::string* Options::Find(std::string_view name) {
  for (size_t i = 0; i < action_.options.size(); ++i) {
    if (action_.options[i].first != name) continue;
    used_[i] = true;
    return &action_.options[i].second;
  }
  return nullptr;
}

std::string Options::Text(std::string_view name, std::string_view fallback) {
  const std::string* value = Find(name);
  return value == nullptr ? std::string(fallback) : *value;
}

bool Options::Flag(std::string_view name, bool fallback) {
  const std::string* value = Find(name);
  if (value == nullptr) return fallback;
  if (*value == "1" || *value == "true") return true;
  if (*value != "0" && *value != "false") {
    Problem("option '" + std::string(name) + "' is '" + *value + "'; it must be 0, 1, false or true");
  }
  return false;
}

std::optional<uint32_t> Options::Number(std::string_view name) {
  const std::string* value = Find(name);
  if (value == nullptr) return std::nullopt;
  uint32_t number = 0;
  const auto end = std::from_chars(value->data(), value->data() + value->size(), number);
  if (end.ec == std::errc() && end.ptr == value->data() + value->size()) return number;
  Problem("option '" + std::string(name) + "' is '" + *value + "'; it must be a number from 0 to 4294967295");
  return std::nullopt;
}

std::string Options::OneOf(std::string_view name, std::span<const std::string_view> values, std::string_view fallback) {
  const std::string* value = Find(name);
  if (value == nullptr) return std::string(fallback);
  std::string list;
  for (const std::string_view allowed : values) {
    if (*value == allowed) return *value;
    list += (list.empty() ? "" : ", ") + std::string(allowed);
  }
  const std::string_view near = NearestName(*value, values);
  Problem("option '" + std::string(name) + "' is '" + *value + "'; it must be one of " + list,
          near.empty() ? "" : "did you mean '" + std::string(near) + "'?");
  return std::string(fallback);
}

void Options::WithPrefix(std::string_view prefix,
                         const std::function<void(const std::string&, const std::string&)>& visit) {
  for (size_t i = 0; i < action_.options.size(); ++i) {
    const auto& [name, value] = action_.options[i];
    if (!name.starts_with(prefix)) continue;
    used_[i] = true;
    visit(name.substr(prefix.size()), value);
  }
}

void Options::Remaining(const std::function<bool(const std::string&, const std::string&)>& takes) {
  for (size_t i = 0; i < action_.options.size(); ++i) {
    if (!used_[i] && takes(action_.options[i].first, action_.options[i].second)) used_[i] = true;
  }
}

void Options::Problem(std::string message, std::string hint) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "bad-option";
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  problems_.push_back(std::move(diagnostic));
}

std::optional<worker::ActionResult> Options::Problems(std::string_view operation) {
  for (size_t i = 0; i < action_.options.size(); ++i) {
    if (used_[i]) continue;
    diag::Diagnostic diagnostic;
    diagnostic.code = "unknown-option";
    diagnostic.message = "'" + std::string(operation) + "' has no option '" + action_.options[i].first + "'";
    problems_.push_back(std::move(diagnostic));
  }
  if (problems_.empty()) return std::nullopt;
  worker::ActionResult result;
  result.exit = worker::ExitKind::kUnsupported;
  result.diagnostics = std::move(problems_);
  return result;
}

const std::string* FindInput(const worker::Action& action, std::string_view name) {
  for (const worker::Blob& input : action.inputs) {
    if (input.name == name) return &input.bytes;
  }
  return nullptr;
}

bool SpirvWords(std::string_view bytes, std::vector<uint32_t>& words) {
  constexpr uint32_t kMagic = 0x07230203, kSwapped = 0x03022307;
  if (bytes.size() < 20 || bytes.size() % 4 != 0) return false;
  words.resize(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == kSwapped) {
    for (uint32_t& word : words) word = __builtin_bswap32(word);
  }
  return words[0] == kMagic;
}

std::string SpirvBytes(std::span<const uint32_t> words) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "SPIR-V artifacts are little-endian");
  return std::string(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

}  // namespace kiln::toolchain
