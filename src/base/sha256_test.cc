// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <gtest/gtest.h>

#include <random>

namespace kiln {
namespace {

// The examples of FIPS 180-4 and of NIST's test vectors.
TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(Sha256Of("").Hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Of("abc").Hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").Hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Of(std::string(1'000'000, 'a')).Hex(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(Sha256Of(""), kEmptyDigest);
}

TEST(Sha256, PortableFormGivesTheSame) {
  EXPECT_EQ(internal::Sha256Portable("abc").Hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  std::string text;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(internal::Sha256Portable(text), Sha256Of(text)) << i;
    text += static_cast<char>(i * 37);
  }
}

TEST(Sha256, PiecesOfAnySizeGiveTheSame) {
  std::mt19937 random(7);
  std::string text(5000, '\0');
  for (char& c : text) c = static_cast<char>(random());
  for (int round = 0; round < 100; ++round) {
    Sha256 hasher;
    for (size_t at = 0; at < text.size();) {
      const size_t take = std::min<size_t>(random() % 200, text.size() - at);
      hasher.Update(std::string_view(text).substr(at, take));
      at += take;
    }
    ASSERT_EQ(hasher.Finish(), Sha256Of(text));
  }
}

TEST(Sha256, ResetStartsAfresh) {
  Sha256 hasher;
  hasher.Update("something else").Reset();
  EXPECT_EQ(hasher.Update("abc").Finish(), Sha256Of("abc"));
}

TEST(Digest, HexGoesBothWaysAndRefusesTheRest) {
  const Digest digest = Sha256Of("abc");
  EXPECT_EQ(Digest::FromHex(digest.Hex()), digest);
  EXPECT_FALSE(Digest::FromHex(digest.Hex().substr(1)));
  EXPECT_FALSE(Digest::FromHex(digest.Hex() + "0"));
  std::string upper = digest.Hex();
  upper[0] = 'B';
  EXPECT_FALSE(Digest::FromHex(upper));
}

}  // namespace
}  // namespace kiln
