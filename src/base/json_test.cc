// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gtest/gtest.h>

#include "base/json_writer.h"

namespace kiln::json {
namespace {

constexpr ReadOptions kLenient = {true, true, 64};

void ExpectError(std::string_view text, std::string_view expected, const ReadOptions& options = {}) {
  Arena arena;
  const ReadResult result = Read(text, arena, options);
  ASSERT_FALSE(result.ok()) << text;
  const LineColumn place = Locate(text, result.error.span.begin);
  EXPECT_EQ(std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + result.error.message, expected);
}

TEST(Json, ReadsEveryKindWithItsPlace) {
  Arena arena;
  const std::string_view text = R"({"a": [1, -2.5e3, true, null], "b": "x\u00e9\n\ud83d\udd25"})";
  const ReadResult result = Read(text, arena);
  ASSERT_TRUE(result.ok()) << result.error.message;
  const Value* a = result.root->Find("a");
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->elements.size(), 4u);
  EXPECT_EQ(a->elements[0]->AsInt(), 1);
  EXPECT_EQ(a->elements[1]->AsDouble(), -2500.0);
  EXPECT_EQ(a->elements[1]->AsInt(), std::nullopt);
  EXPECT_EQ(a->elements[2]->AsBool(), true);
  EXPECT_TRUE(a->elements[3]->Is(Kind::kNull));
  EXPECT_EQ(result.root->Find("b")->AsString(), "x\xC3\xA9\n\xF0\x9F\x94\xA5");
  EXPECT_EQ(result.root->Find("c"), nullptr);
  const Member* member = result.root->FindMember("b");
  EXPECT_EQ(text.substr(member->key_span.begin, member->key_span.end - member->key_span.begin), "\"b\"");
  EXPECT_EQ(text.substr(a->span.begin, a->span.end - a->span.begin), "[1, -2.5e3, true, null]");
}

TEST(Json, NumbersKeepTheirRange) {
  Arena arena;
  const ReadResult result = Read("[9223372036854775807, -9223372036854775808, 18446744073709551615, 1e2, -0]", arena);
  ASSERT_TRUE(result.ok());
  const auto& e = result.root->elements;
  EXPECT_EQ(e[0]->AsInt(), INT64_MAX);
  EXPECT_EQ(e[1]->AsInt(), INT64_MIN);
  EXPECT_EQ(e[1]->AsUint(), std::nullopt);
  EXPECT_EQ(e[2]->AsUint(), UINT64_MAX);
  EXPECT_EQ(e[2]->AsInt(), std::nullopt);
  EXPECT_EQ(e[3]->AsInt(), std::nullopt);
  EXPECT_EQ(e[4]->AsUint(), 0u);
}

TEST(Json, ErrorsNameThePlace) {
  ExpectError("", "1:1: expected a value, found the end of the file");
  ExpectError("{\n  \"a\" 1\n}", "2:7: expected ':' after a key, found '1'");
  ExpectError("{\"a\": 1 \"b\": 2}", "1:9: expected ',' or '}' after a member, found a string");
  ExpectError("[1 2]", "1:4: expected ',' or ']' after an element, found '2'");
  ExpectError("{a: 1}", "1:2: expected a key in double quotes, found 'a'");
  ExpectError("['a']", "1:2: strings are written with double quotes");
  ExpectError("[01]", "1:2: a number may not begin with 0");
  ExpectError("[1.]", "1:2: a number needs a digit after '.'");
  ExpectError("[.5]", "1:2: expected a value, found '.'");
  ExpectError("[1e]", "1:2: a number needs a digit in its exponent");
  ExpectError("[-]", "1:2: a number needs a digit after '-'");
  ExpectError("[0x10]", "1:2: '0x10' is no number");
  ExpectError("[NaN]", "1:2: expected a value, found 'NaN'");
  ExpectError("[\"a\nb\"]", "1:2: this string has no closing quote");
  ExpectError("[\"\t\"]", "1:3: a control character in a string must be written as an escape");
  ExpectError("[\"\\x\"]", "1:3: '\\x' is no escape");
  ExpectError("[\"\\ud800\"]", "1:3: half of a surrogate pair stands alone");
  ExpectError("[\"\\udc00\\ud800\"]", "1:3: half of a surrogate pair stands alone");
  ExpectError("[\"\\u12\"]", "1:3: '\\u' needs four hexadecimal digits");
  ExpectError("[1] x", "1:5: expected the end of the file, found 'x'");
  ExpectError("[1", "1:3: expected ',' or ']' after an element, found the end of the file");
  ExpectError("[\"a", "1:2: this string has no closing quote");
  ExpectError("[\"a\\", "1:4: '\\' is no escape");
  ExpectError("[\"\xC3\x28\"]", "1:3: the text is not valid UTF-8 at byte 2");
  ExpectError("[\xEF\xBF\xBD]", "1:2: expected a value, found '\xEF\xBF\xBD'");
  ExpectError(std::string_view("[\0]", 3), "1:2: expected a value, found a control character");
}

TEST(Json, CommentsAndTrailingCommasOnlyWhereAllowed) {
  const std::string_view text = "\xEF\xBB\xBF// head\n{ /* a */ \"a\" : [1,2,],  // b\n }\n/* tail */";
  Arena arena;
  const ReadResult result = Read(text, arena, kLenient);
  ASSERT_TRUE(result.ok()) << result.error.message;
  EXPECT_EQ(result.root->Find("a")->elements.size(), 2u);
  ExpectError("// x\n1", "1:1: a comment is not allowed here: this is plain JSON");
  ExpectError("[1,]", "1:3: a comma may not stand before the closing bracket");
  ExpectError("{\"a\":1,}", "1:7: a comma may not stand before the closing bracket");
  ExpectError("[,]", "1:2: expected a value, found ','", kLenient);
  ExpectError("[1,,2]", "1:4: expected a value, found ','", kLenient);
  ExpectError("[1] /* x", "1:5: this comment has no end", kLenient);
  ExpectError("[1] / 2", "1:5: expected a value, found '/'", kLenient);
}

TEST(Json, DuplicateKeysAreErrorsInSmallAndLargeObjects) {
  Arena arena;
  const ReadResult small = Read(R"({"a": 1, "\u0061": 2})", arena);
  ASSERT_FALSE(small.ok());
  EXPECT_EQ(small.error.message, "the key 'a' is here twice");
  EXPECT_EQ(small.error.other, (Span{1, 4}));
  std::string text = "{";
  for (int i = 0; i < 50; ++i)
    text += "\"k" + std::to_string(i % 40 + (i >= 45 ? 1000 : 0)) + "\":" + std::to_string(i) + ",";
  text.back() = '}';
  ExpectError(text, "1:" + std::to_string(text.find("\"k0\":40") + 1) + ": the key 'k0' is here twice");
}

TEST(Json, LargeObjectsFindEveryKey) {
  std::string text = "{";
  for (int i = 0; i < 500; ++i) text += "\"key" + std::to_string(i * 7919 % 500) + "\":" + std::to_string(i) + ",";
  text.back() = '}';
  Arena arena;
  const ReadResult result = Read(text, arena);
  ASSERT_TRUE(result.ok());
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(result.root->Find("key" + std::to_string(i * 7919 % 500))->AsInt(), i);
  }
  EXPECT_EQ(result.root->Find("key500"), nullptr);
  EXPECT_EQ(result.root->Find(""), nullptr);
  EXPECT_EQ(result.root->Find("zzz"), nullptr);
}

TEST(Json, DepthIsBounded) {
  ExpectError(std::string(1'000'000, '['), "1:65: nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  ExpectError(objects, "1:" + std::to_string(512 * 5 + 1) + ": nested deeper than 512 levels", {false, false, 100'000});
  Arena arena;
  EXPECT_TRUE(Read(std::string(64, '[') + std::string(64, ']'), arena).ok());
}

// What no input may do: crash, hang, or be accepted and then not read back.
TEST(Json, DamagedTextIsRefusedOrReadsTheSameAgain) {
  const std::string good = R"({"a":[1,2.5,"x\u00e9\\",{"b":null}],"c":{"d":true,"e":[[],{}]}})";
  for (size_t at = 0; at < good.size(); ++at) {
    for (const char c : {'"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '\0', '\n', '\xFF'}) {
      std::string text = good;
      text[at] = c;
      Arena arena;
      const ReadResult result = Read(text, arena, kLenient);
      EXPECT_NE(result.ok(), !result.error.message.empty());
      Arena other;
      (void)Read(good.substr(0, at), other);
    }
  }
}

TEST(JsonWriter, CompactAndIndented) {
  const auto write = [](Layout layout) {
    std::string out;
    Writer w(out, layout);
    w.BeginObject().Member("a", 1).Member("b", "x").Key("c").BeginArray().Number(2u).Bool(false).Null().EndArray();
    w.Key("d").BeginObject().EndObject().Member("e", true).EndObject();
    EXPECT_TRUE(w.IsComplete());
    return out;
  };
  EXPECT_EQ(write(Layout::kCompact), R"({"a":1,"b":"x","c":[2,false,null],"d":{},"e":true})");
  EXPECT_EQ(write(Layout::kIndented),
            "{\n  \"a\": 1,\n  \"b\": \"x\",\n  \"c\": [\n    2,\n    false,\n    null\n  ],\n  \"d\": {},\n"
            "  \"e\": true\n}");
}

TEST(JsonWriter, StringsReadBackWhateverTheyHold) {
  std::string all;
  for (int i = 0; i < 128; ++i) all += static_cast<char>(i);
  all += "\xCE\xA9\xF0\x9F\x94\xA5";
  std::string out;
  AppendString(out, all);
  Arena arena;
  const ReadResult result = Read(out, arena);
  ASSERT_TRUE(result.ok()) << result.error.message;
  EXPECT_EQ(result.root->AsString(), all);
  std::string repaired;
  AppendString(repaired, "a\xFF\xC3(");
  EXPECT_EQ(repaired, "\"a\xEF\xBF\xBD\xEF\xBF\xBD(\"");
}

TEST(JsonWriter, DoublesReadBackEqual) {
  for (const double value : {0.1, 1e300, -5e-324, 1.0, 123456789.125, 1.0 / 3}) {
    std::string out;
    Writer(out).Number(value);
    Arena arena;
    const ReadResult result = Read(out, arena);
    ASSERT_TRUE(result.ok()) << out;
    EXPECT_EQ(result.root->AsDouble(), value);
  }
  std::string out;
  Writer(out).Number(0.1);
  EXPECT_EQ(out, "0.1");
  std::string not_finite;
  Writer(not_finite).BeginArray().Number(1e308 * 10).EndArray();
  EXPECT_EQ(not_finite, "[null]");
}

TEST(JsonWriterDeathTest, MisuseIsABrokenInvariant) {
  std::string out;
  EXPECT_DEATH(Writer(out).BeginObject().String("no key"), "check failed");
  EXPECT_DEATH(Writer(out).BeginArray().Key("k"), "check failed");
  EXPECT_DEATH(Writer(out).BeginArray().EndObject(), "check failed");
}

}  // namespace
}  // namespace kiln::json
