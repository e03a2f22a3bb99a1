// SPDX-License-Identifier: Apache-2.0
// What the action cache keeps of one action: outputs, exit, diagnostics. Its stored form is the wire form of a REAPI v2
// ActionResult, so that the same bytes go to a remote cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "diag/diagnostic.h"

namespace kiln::store {

struct Output {
  std::string name;
  Digest digest;
  uint64_t size = 0;
  /// The bytes where they are at hand.
  std::optional<std::string> bytes;
  friend bool operator==(const Output&, const Output&) = default;
};

struct Entry {
  /// In order, names unique.
  std::vector<Output> outputs;
  int32_t exit_code = 0;
  std::vector<diag::Diagnostic> diagnostics;
  /// What the caller keeps beside them, as the imports that were consulted; any bytes.
  std::string note;
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// Deterministic. Outputs of at most `inline_limit` bytes that are at hand are written into the entry.
std::string EncodeEntry(const Entry& entry, uint64_t inline_limit);
/// nullopt where the bytes are no ActionResult of ours. Unknown fields are skipped. Digests of inlined bytes are not
/// computed here.
std::optional<Entry> DecodeEntry(std::string_view bytes);

/// Diagnostics as a JSON array, and back (nullopt where it is not one of ours).
std::string DiagnosticsToJson(const std::vector<diag::Diagnostic>& diagnostics);
std::optional<std::vector<diag::Diagnostic>> DiagnosticsFromJson(std::string_view json);

}  // namespace kiln::store
