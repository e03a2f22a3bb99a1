// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <algorithm>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace kiln {

namespace {

alignas(16) constexpr uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr uint32_t kInitial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

using Compressor = void (*)(uint32_t state[8], const uint8_t* blocks, size_t count);

uint32_t Rotate(uint32_t x, int by) { return (x >> by) | (x << (32 - by)); }

uint32_t LoadBig(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

void StoreBig(uint8_t* bytes, uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
}

void CompressPortable(uint32_t state[8], const uint8_t* blocks, size_t count) {
  for (; count != 0; --count, blocks += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; ++i) w[i] = LoadBig(blocks + 4 * i);
    for (int i = 16; i < 64; ++i) {
      const uint32_t s0 = Rotate(w[i - 15], 7) ^ Rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const uint32_t s1 = Rotate(w[i - 2], 17) ^ Rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; ++i) {
      const uint32_t s1 = Rotate(e, 6) ^ Rotate(e, 11) ^ Rotate(e, 25);
      const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
      const uint32_t s0 = Rotate(a, 2) ^ Rotate(a, 13) ^ Rotate(a, 22);
      const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const uint32_t after[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i) state[i] += after[i];
  }
}

#if defined(__x86_64__)

// The instructions hold the state as (A,B,E,F) and (C,D,G,H), highest lane first, and do two rounds each.
__attribute__((target("sha,sse4.1,ssse3"))) void CompressSha(uint32_t state[8], const uint8_t* blocks, size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i abcd = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state));
  const __m128i efgh = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state + 4));
  const __m128i badc = _mm_shuffle_epi32(abcd, 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(efgh, 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
  for (; count != 0; --count, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks + 16 * i)), big_endian);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      const __m128i sum = _mm_add_epi32(w[i & 3], _mm_load_si128(reinterpret_cast<const __m128i*>(kRound + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      if (i < 12) {  // w[i] has been used: put the words of four groups later in its place
        const __m128i with_s0 = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
        const __m128i with_w7 = _mm_add_epi32(with_s0, _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
        w[i & 3] = _mm_sha256msg2_epu32(with_w7, w[(i + 3) & 3]);
      }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool DetectShaInstructions() {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & (1u << 29)) == 0) return false;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  return (c & (1u << 19)) != 0 && (c & (1u << 9)) != 0;  // SSE4.1 and SSSE3
}

Compressor ChooseCompressor() { return DetectShaInstructions() ? CompressSha : CompressPortable; }

#else

bool DetectShaInstructions() { return false; }
Compressor ChooseCompressor() { return CompressPortable; }

#endif

Compressor BestCompressor() {
  static const Compressor chosen = ChooseCompressor();
  return chosen;
}

// Pads the last, partial block and compresses it.
Digest FinishState(uint32_t state[8], uint8_t block[64], uint64_t length, Compressor compress) {
  size_t used = length % 64;
  block[used++] = 0x80;
  if (used > 56) {
    std::memset(block + used, 0, 64 - used);
    compress(state, block, 1);
    used = 0;
  }
  std::memset(block + used, 0, 56 - used);
  StoreBig(block + 56, static_cast<uint32_t>(length >> 29));
  StoreBig(block + 60, static_cast<uint32_t>(length << 3));
  compress(state, block, 1);
  Digest digest;
  for (int i = 0; i < 8; ++i) StoreBig(digest.bytes.data() + 4 * i, state[i]);
  return digest;
}

Digest OneShot(std::string_view bytes, Compressor compress) {
  uint32_t state[8];
  std::copy(std::begin(kInitial), std::end(kInitial), state);
  compress(state, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size() / 64);
  uint8_t block[64];
  const size_t rest = bytes.size() % 64;
  if (rest != 0) std::memcpy(block, bytes.data() + (bytes.size() - rest), rest);
  return FinishState(state, block, bytes.size(), compress);
}

}  // namespace

const Digest kEmptyDigest = {{0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
                              0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
                              0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55}};

void Sha256::Reset() {
  std::copy(std::begin(kInitial), std::end(kInitial), state_);
  length_ = 0;
}

Sha256& Sha256::Update(std::string_view bytes) {
  const Compressor compress = BestCompressor();
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  const size_t used = length_ % 64;
  length_ += left;
  if (used != 0) {
    const size_t take = std::min(left, 64 - used);
    std::memcpy(block_ + used, at, take);
    if (used + take < 64) return *this;
    compress(state_, block_, 1);
    at += take;
    left -= take;
  }
  compress(state_, at, left / 64);
  if (left % 64 != 0) std::memcpy(block_, at + (left - left % 64), left % 64);
  return *this;
}

Digest Sha256::Finish() { return FinishState(state_, block_, length_, BestCompressor()); }

Digest Sha256Of(std::string_view bytes) { return OneShot(bytes, BestCompressor()); }

std::string Digest::Hex() const {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out(64, '0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    out[2 * i] = kHex[bytes[i] >> 4];
    out[2 * i + 1] = kHex[bytes[i] & 15];
  }
  return out;
}

std::optional<Digest> Digest::FromHex(std::string_view hex) {
  if (hex.size() != 64) return std::nullopt;
  const auto nibble = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  Digest digest;
  for (size_t i = 0; i < digest.bytes.size(); ++i) {
    const int high = nibble(hex[2 * i]), low = nibble(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest.bytes[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return digest;
}

namespace internal {

Digest Sha256Portable(std::string_view bytes) { return OneShot(bytes, CompressPortable); }
bool HasShaInstructions() { return DetectShaInstructions(); }

}  // namespace internal
}  // namespace kiln
