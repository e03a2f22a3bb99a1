// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) with the instructions of the processor where it has them. The one hash of keys and contents,
// so that local keys are valid in remote caches.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct Digest {
  std::array<uint8_t, 32> bytes{};

  /// 64 lower-case digits.
  std::string Hex() const;
  /// Exactly 64 lower-case digits, else nullopt.
  static std::optional<Digest> FromHex(std::string_view hex);
  std::string_view View() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

/// The digest of no bytes.
extern const Digest kEmptyDigest;

class Sha256 {
 public:
  Sha256() { Reset(); }
  void Reset();
  Sha256& Update(std::string_view bytes);
  /// The digest of all updates; Reset before further use.
  Digest Finish();

 private:
  uint32_t state_[8];
  uint64_t length_;
  uint8_t block_[64];
};

Digest Sha256Of(std::string_view bytes);

namespace internal {
/// For tests: the portable form, whatever the processor has.
Digest Sha256Portable(std::string_view bytes);
bool HasShaInstructions();
}  // namespace internal

}  // namespace kiln

template <>
struct std::hash<kiln::Digest> {
  size_t operator()(const kiln::Digest& digest) const noexcept {
    size_t first;
    std::memcpy(&first, digest.bytes.data(), sizeof first);
    return first;  // already uniform
  }
};
