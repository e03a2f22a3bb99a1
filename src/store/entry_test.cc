// SPDX-License-Identifier: Apache-2.0
#include "store/entry.h"

#include <gtest/gtest.h>

#include <random>

#include "store/wire.h"

namespace kiln::store {
namespace {

Output Of(std::string name, std::string bytes) {
  Output output;
  output.name = std::move(name);
  output.digest = Sha256Of(bytes);
  output.size = bytes.size();
  output.bytes = std::move(bytes);
  return output;
}

Entry Full() {
  Entry entry;
  entry.outputs = {Of("spirv", std::string("\x03\x02\x23\x07\0\xFF", 6)), Of("empty", ""),
                   Of("text", "void main() {}\n")};
  entry.exit_code = -7;
  diag::Diagnostic warning;
  warning.severity = diag::Severity::kWarning;
  warning.code = "some-code";
  warning.location = {"a \"b\".glsl", {3, 4}, {3, 9}};
  warning.message = "line\nbreak \xCE\xA9";
  warning.hint = "a hint";
  warning.source_line = "\tfloat x;";
  warning.notes = {{{"b.h", {1, 1}, {0, 0}}, "included here"}, {{}, "no place"}};
  entry.diagnostics = {warning, diag::Diagnostic()};
  entry.note = std::string("any\0bytes", 9);
  return entry;
}

TEST(Entry, GoesBothWays) {
  EXPECT_EQ(DecodeEntry(EncodeEntry(Full(), 1000)), Full());
  EXPECT_EQ(DecodeEntry(EncodeEntry(Entry(), 1000)), Entry());
  EXPECT_EQ(EncodeEntry(Full(), 1000), EncodeEntry(Full(), 1000));
}

TEST(Entry, LargeOutputsStayOutside) {
  Entry expected = Full();
  expected.outputs[2].bytes.reset();
  EXPECT_EQ(DecodeEntry(EncodeEntry(Full(), 10)), expected);
}

// The bytes that protoc writes for the same ActionResult:
//   output_files { path: "t" digest { hash: "ba78…" size_bytes: 3 } contents: "abc" } exit_code: 1
TEST(Entry, IsTheWireFormOfAnActionResult) {
  Entry entry;
  entry.outputs = {Of("t", "abc")};
  entry.exit_code = 1;
  const std::string hash = Sha256Of("abc").Hex();
  EXPECT_EQ(EncodeEntry(entry, 100), std::string("\x12\x4E\x0A\x01t\x12\x44\x0A\x40") + hash + "\x10\x03" +
                                         "\x2A\x03"
                                         "abc" +
                                         "\x20\x01");
}

TEST(Entry, UnknownFieldsAreSkipped) {
  std::string bytes;
  WireWriter writer(bytes);
  writer.Bytes(9, "execution_metadata");
  writer.Varint(100, 7);
  bytes += std::string(
      "\x31"
      "12345678",
      9);  // field 6, fixed64
  bytes += std::string(
      "\x3D"
      "1234",
      5);  // field 7, fixed32
  bytes += EncodeEntry(Full(), 1000);
  EXPECT_EQ(DecodeEntry(bytes), Full());
}

TEST(Entry, MalformedBytesAreRefused) {
  EXPECT_FALSE(DecodeEntry("\x12"));
  EXPECT_FALSE(
      DecodeEntry("\x12\x05"
                  "ab"));
  EXPECT_FALSE(DecodeEntry("\x13"));                      // a group
  EXPECT_FALSE(DecodeEntry(std::string("\x00\x00", 2)));  // field 0
  EXPECT_FALSE(DecodeEntry(std::string(20, '\xFF')));
  EXPECT_FALSE(DecodeEntry("\x2A\x02{}"));                         // diagnostics are a list
  EXPECT_FALSE(DecodeEntry(std::string("\x12\x03\x0A\x01t", 5)));  // an output without digest
}

TEST(Entry, DamagedBytesNeverCrash) {
  const std::string good = EncodeEntry(Full(), 1000);
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 4 == 0) bytes.resize(random() % bytes.size());
    (void)DecodeEntry(bytes);
  }
}

TEST(Diagnostics, JsonGoesBothWaysAndRefusesOthers) {
  EXPECT_EQ(DiagnosticsFromJson(DiagnosticsToJson(Full().diagnostics)), Full().diagnostics);
  EXPECT_EQ(DiagnosticsFromJson("[]"), std::vector<diag::Diagnostic>());
  EXPECT_FALSE(DiagnosticsFromJson("{}"));
  EXPECT_FALSE(DiagnosticsFromJson("[{}]"));
  EXPECT_FALSE(DiagnosticsFromJson("[{\"severity\":\"error\",\"location\":{\"file\":\"a\",\"at\":[1]}}]"));
  EXPECT_FALSE(DiagnosticsFromJson("[{\"severity\":\"fatal\"}]"));
}

}  // namespace
}  // namespace kiln::store
