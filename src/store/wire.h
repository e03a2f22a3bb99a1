// SPDX-License-Identifier: Apache-2.0
// The wire form of protocol buffers, as much of it as a REAPI ActionResult needs: varints and length-delimited fields;
// fixed-width fields are skipped. Written in the order of the calls, so that equal values give equal bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::store {

class WireWriter {
 public:
  explicit WireWriter(std::string& out) : out_(out) {}

  void Varint(uint32_t number, uint64_t value) {
    Raw(uint64_t{number} << 3);
    Raw(value);
  }
  void Bytes(uint32_t number, std::string_view bytes) {
    Raw(uint64_t{number} << 3 | 2);
    Raw(bytes.size());
    out_ += bytes;
  }

 private:
  void Raw(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(static_cast<unsigned char>(value | 0x80));
    out_ += static_cast<char>(static_cast<unsigned char>(value));
  }
  std::string& out_;
};

struct WireField {
  uint32_t number;
  bool is_bytes;  // else a varint
  uint64_t value = 0;
  std::string_view bytes;  // into the text that is read
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  /// The next field that is a varint or bytes; nullopt at the end and at the first malformed byte (then !ok()).
  std::optional<WireField> Next() {
    while (ok_ && at_ < bytes_.size()) {
      const uint64_t tag = Raw();
      WireField field = {static_cast<uint32_t>(tag >> 3), false, 0, {}};
      if (tag >> 3 == 0 || tag >> 3 > 0x1FFFFFFF) ok_ = false;
      switch (tag & 7) {
        case 0:
          field.value = Raw();
          if (ok_) return field;
          break;
        case 1:
          Take(8);
          break;
        case 2:
          field.is_bytes = true;
          field.bytes = Take(Raw());
          if (ok_) return field;
          break;
        case 5:
          Take(4);
          break;
        default:
          ok_ = false;
      }
    }
    return std::nullopt;
  }
  bool ok() const { return ok_; }

 private:
  uint64_t Raw() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::string_view Take(uint64_t size) {
    if (!ok_ || size > bytes_.size() - at_) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, static_cast<size_t>(size));
    at_ += taken.size();
    return taken;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace kiln::store
