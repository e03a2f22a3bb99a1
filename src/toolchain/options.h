// SPDX-License-Identifier: Apache-2.0
// Reads the options of an action. Every adapter asks for what it knows; what nobody asked for is an error, so that a
// misspelled option never changes nothing in silence.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "worker/action.h"

namespace kiln::toolchain {

/// A result that says no: kUnsupported (or another kind) with one error.
worker::ActionResult Refuse(std::string code, std::string message, std::string hint = "",
                            worker::ExitKind exit = worker::ExitKind::kUnsupported);

class Options {
 public:
  explicit Options(const worker::Action& action);

  std::string Text(std::string_view name, std::string_view fallback = "");
  /// 0, 1, true, false.
  bool Flag(std::string_view name, bool fallback = false);
  std::optional<uint32_t> Number(std::string_view name);
  /// One of `values`; the fallback, too, where it is something else (which is then a problem).
  std::string OneOf(std::string_view name, std::span<const std::string_view> values, std::string_view fallback);
  /// Every option whose name begins with `prefix`, with the rest of its name, in order of names.
  void WithPrefix(std::string_view prefix,
                  const std::function<void(const std::string& rest, const std::string& value)>& visit);
  /// Any not asked for yet; for tables whose names the caller knows.
  void Remaining(const std::function<bool(const std::string& name, const std::string& value)>& takes);

  void Problem(std::string message, std::string hint = "");
  /// What is wrong, unknown names included; nullopt where all is well. Ask last.
  std::optional<worker::ActionResult> Problems(std::string_view operation);

 private:
  const std::string* Find(std::string_view name);
  const worker::Action& action_;
  std::vector<bool> used_;
  std::vector<diag::Diagnostic> problems_;
};

/// The bytes of the input of that name; null where the action has none.
const std::string* FindInput(const worker::Action& action, std::string_view name);

/// The words of a SPIR-V input in host order; false where the bytes cannot be SPIR-V.
bool SpirvWords(std::string_view bytes, std::vector<uint32_t>& words);
std::string SpirvBytes(std::span<const uint32_t> words);

}  // namespace kiln::toolchain
