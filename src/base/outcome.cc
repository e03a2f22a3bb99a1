// SPDX-License-Identifier: Apache-2.0
#include "base/outcome.h"

#include <cerrno>
#include <cstring>

#include "base/utf8.h"

namespace kiln {

namespace {

std::string Describe(int code) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
  if (const char* text = strerrordesc_np(code)) return text;  // never translated, thread safe
  return "error " + std::to_string(code);
#else
  return std::strerror(code);
#endif
}

}  // namespace

bool OsError::IsAbsent() const { return code == ENOENT || code == ENOTDIR; }

bool OsError::IsNoRoom() const { return code == ENOSPC || code == EDQUOT || code == EROFS; }

std::string OsError::Message() const {
  std::string message = "cannot " + operation + " '" + Printable(path) + "'";
  if (!detail.empty()) return message + ": " + detail;
  if (code != 0) return message + ": " + Describe(code);
  return message;
}

std::string Printable(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const utf8::Decoded decoded = utf8::Decode(bytes, at);
    // C1 controls and the bidirectional overrides can rewrite a terminal line just as C0 can.
    const char32_t c = decoded.code_point;
    const bool is_control = c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
                            (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029;
    for (size_t i = 0; i < decoded.length; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[at + i]);
      if (decoded.is_valid && !is_control) {
        out += bytes[at + i];
      } else {
        out += "\\x";
        out += kHex[byte >> 4];
        out += kHex[byte & 15];
      }
    }
    at += decoded.length;
  }
  return out;
}

}  // namespace kiln
