// SPDX-License-Identifier: Apache-2.0
// Bytes for actions and results. Three uses: the wire (frames between pool and worker), the store (an encoded
// ActionResult keeps the diagnostics that a cache hit repeats) and keys (CanonicalAction, the bytes that are hashed).
// Integers are little-endian, texts and lists carry their length, so that no two values share an encoding. Decoding
// checks every length against what is there: any input gives a value or false, never a crash or a large allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "worker/action.h"

namespace kiln::worker {

std::string EncodeAction(const Action& action);
bool DecodeAction(std::string_view bytes, Action& out);

std::string EncodeResult(const ActionResult& result);
bool DecodeResult(std::string_view bytes, ActionResult& out);

/// A named input by the digest of its bytes (lower-case hex SHA-256).
struct InputDigest {
  std::string name;
  std::string digest;
};

/// The bytes whose SHA-256 is the key of an action: format version, toolchain identity digest, operation, options,
/// inputs and imports. Options, inputs and imports are put in order, so the caller's order does not matter.
std::string CanonicalAction(std::string_view toolchain_digest, std::string_view operation,
                            std::vector<std::pair<std::string, std::string>> options, std::vector<InputDigest> inputs,
                            std::vector<Import> imports);

// --- The wire -------------------------------------------------------------------------------------------------------
// A frame is 4 bytes "KWF1", 1 byte type, 4 bytes payload length, payload. A worker speaks first (hello), then answers
// each request with one result, in order.

inline constexpr uint32_t kProtocolVersion = 1;
inline constexpr size_t kFrameHeader = 9;
/// Past this a frame is refused: four times what a whole source graph may hold.
inline constexpr size_t kMaxFrame = size_t{128} << 20;

enum class FrameKind : uint8_t {
  kHello = 1,    // worker -> pool: Hello
  kRequest = 2,  // pool -> worker: Action
  kResult = 3,   // worker -> pool: ActionResult
};

struct Hello {
  uint32_t protocol = kProtocolVersion;
  std::string identity_digest;
};
std::string EncodeHello(const Hello& hello);
bool DecodeHello(std::string_view bytes, Hello& out);

/// Header and payload in one string. The payload is at most kMaxFrame.
std::string MakeFrame(FrameKind kind, std::string_view payload);

/// Takes frames out of a stream of bytes that arrives in pieces.
class FrameReader {
 public:
  enum class State : uint8_t { kNeedsMore, kFrame, kBroken };

  void Append(const char* bytes, size_t count) { buffer_.append(bytes, count); }
  /// kFrame fills `kind` and `payload`. kBroken is final: what arrived is no frame of this protocol.
  State Next(FrameKind& kind, std::string& payload);
  bool empty() const { return buffer_.size() == at_; }

 private:
  std::string buffer_;
  size_t at_ = 0;
  bool is_broken_ = false;
};

}  // namespace kiln::worker
