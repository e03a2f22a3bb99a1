// SPDX-License-Identifier: Apache-2.0
// docs/kiln.schema.json and the reader must agree: every example passes both, and what the schema refuses the reader
// refuses too. The validator here knows the keywords that the schema uses and fails on any other.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/glob.h"
#include "base/json.h"
#include "build/config.h"

namespace kiln::build {
namespace {

using json::Kind;
using json::Value;

class Schema {
 public:
  explicit Schema(const Value& root) : root_(root) {}
  /// Empty where `value` is valid; else the first complaint.
  std::string Check(const Value& value) const { return Check(root_, value); }

 private:
  std::string Check(const Value& schema, const Value& value) const {
    for (const json::Member& keyword : schema.members) {
      std::string complaint = CheckKeyword(schema, keyword.key, *keyword.value, value);
      if (!complaint.empty()) return complaint;
    }
    return {};
  }

  static bool IsType(std::string_view type, const Value& value) {
    if (type == "integer") return value.AsInt().has_value();
    static constexpr std::pair<std::string_view, Kind> kTypes[] = {
        {"null", Kind::kNull},     {"boolean", Kind::kBool}, {"number", Kind::kNumber},
        {"string", Kind::kString}, {"array", Kind::kArray},  {"object", Kind::kObject}};
    return std::any_of(std::begin(kTypes), std::end(kTypes),
                       [&](const auto& each) { return each.first == type && value.Is(each.second); });
  }
  static bool Equal(const Value& a, const Value& b) {
    return a.kind == b.kind && a.text == b.text && a.boolean == b.boolean;
  }
  const Value& Resolve(std::string_view reference) const {
    const Value* found = root_.Find("$defs")->Find(reference.substr(std::string_view("#/$defs/").size()));
    KILN_CHECK(found != nullptr);
    return *found;
  }

  std::string CheckKeyword(const Value& schema, std::string_view key, const Value& rule, const Value& value) const {
    if (key == "$schema" || key == "title" || key == "description" || key == "$defs") return {};
    if (key == "$ref") return Check(Resolve(rule.text), value);
    if (key == "const") return Equal(rule, value) ? "" : "const";
    if (key == "enum") {
      for (const Value* each : rule.elements) {
        if (Equal(*each, value)) return {};
      }
      return "enum";
    }
    if (key == "type") {
      if (rule.Is(Kind::kString)) return IsType(rule.text, value) ? "" : "type " + std::string(rule.text);
      for (const Value* each : rule.elements) {
        if (IsType(each->text, value)) return {};
      }
      return "type";
    }
    if (key == "oneOf" || key == "anyOf") {
      size_t matches = 0;
      std::string why;
      for (const Value* each : rule.elements) {
        const std::string complaint = Check(*each, value);
        if (complaint.empty()) ++matches;
        why += " (" + complaint + ")";
      }
      return matches == 1 || (matches > 1 && key == "anyOf") ? "" : std::string(key) + why;
    }
    if (key == "minimum") return !value.Is(Kind::kNumber) || *value.AsDouble() >= *rule.AsDouble() ? "" : "minimum";
    if (key == "maximum") return !value.Is(Kind::kNumber) || *value.AsDouble() <= *rule.AsDouble() ? "" : "maximum";
    if (key == "minLength") return !value.Is(Kind::kString) || value.text.size() >= *rule.AsUint() ? "" : "minLength";
    if (key == "pattern") {
      return !value.Is(Kind::kString) || std::regex_search(std::string(value.text), std::regex(std::string(rule.text)))
                 ? ""
                 : "pattern";
    }
    if (key == "minItems") return !value.Is(Kind::kArray) || value.elements.size() >= *rule.AsUint() ? "" : "minItems";
    if (key == "required") {
      for (const Value* each : rule.elements) {
        if (value.Is(Kind::kObject) && value.Find(each->text) == nullptr) return "required " + std::string(each->text);
      }
      return {};
    }
    if (key == "items") {
      for (const Value* each : value.elements) {
        if (std::string complaint = Check(rule, *each); !complaint.empty()) return complaint;
      }
      return {};
    }
    if (key == "properties") {
      for (const json::Member& property : rule.members) {
        const Value* given = value.Find(property.key);
        if (given == nullptr) continue;
        const std::string complaint = Check(*property.value, *given);
        if (!complaint.empty()) return std::string(property.key) + ": " + complaint;
      }
      return {};
    }
    if (key == "patternProperties") {
      KILN_CHECK(rule.members.size() == 1 && rule.members[0].key == "^_comment");
      return {};
    }
    if (key == "additionalProperties") {
      const Value* properties = schema.Find("properties");
      for (const json::Member& member : value.members) {
        if (member.key.substr(0, 8) == "_comment") continue;
        if (properties != nullptr && properties->Find(member.key) != nullptr) continue;
        if (rule.Is(Kind::kBool)) return "unknown key " + std::string(member.key);
        const std::string complaint = Check(rule, *member.value);
        if (!complaint.empty()) return std::string(member.key) + ": " + complaint;
      }
      return {};
    }
    ADD_FAILURE() << "the validator does not know the keyword '" << key << "'";
    return "keyword";
  }

  const Value& root_;
};

class SchemaTest : public testing::Test {
 protected:
  SchemaTest() {
    const auto text = SystemDisk().ReadFile(std::string(KILN_SOURCE_DIR) + "/docs/kiln.schema.json", 1 << 20);
    KILN_CHECK(text.ok());
    text_ = *text;
    const auto read = json::Read(text_, arena_);
    KILN_CHECK(read.ok());
    root_ = read.root;
  }
  std::string Check(const std::string& text) {
    texts_.push_back(std::make_unique<std::string>(text));
    const auto read = json::Read(*texts_.back(), arena_, {.comments = true, .trailing_commas = true});
    return read.ok() ? Schema(*root_).Check(*read.root) : "not JSON: " + read.error.message;
  }
  static bool IsRead(const std::string& text) {
    diag::Sink sink;
    return ParseConfig(text, "kiln.json", "/p", sink).ok();
  }

  Arena arena_;
  std::string text_;
  std::vector<std::unique_ptr<std::string>> texts_;
  const Value* root_ = nullptr;
};

TEST_F(SchemaTest, EveryExamplePassesBoth) {
  const std::string folder(KILN_SOURCE_DIR);
  const auto files = Glob(SystemDisk(), folder, "examples/**/kiln.json");
  ASSERT_TRUE(files.ok());
  ASSERT_FALSE(files->empty());
  for (const std::string& file : *files) {
    const auto text = SystemDisk().ReadFile(folder + "/" + file, 1 << 20);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(Check(*text), "") << file;
    EXPECT_TRUE(IsRead(*text)) << file;
  }
}

TEST_F(SchemaTest, WhatThePagesShowPassesBoth) {
  const auto page = SystemDisk().ReadFile(std::string(KILN_SOURCE_DIR) + "/docs/configuration.md", 1 << 20);
  ASSERT_TRUE(page.ok());
  size_t blocks = 0;
  for (size_t at = page->find("```jsonc\n"); at != std::string::npos; at = page->find("```jsonc\n", at + 1)) {
    const size_t begin = at + 9;
    std::string text = page->substr(begin, page->find("```", begin) - begin);
    // A part of a manifest stands for the whole.
    if (text[0] != '{') {
      const bool has_programs = text.find("\"programs\"") != std::string::npos;
      // The programs of the page name targets of its other block; whether those exist is the plan's question.
      text = "{\"schemaVersion\": 1, " + std::string(has_programs ? "" : "\"programs\": [], ") + text + "}";
    }
    EXPECT_EQ(Check(text), "") << text;
    EXPECT_TRUE(IsRead(text)) << text;
    ++blocks;
  }
  EXPECT_GE(blocks, 3u);
}

TEST_F(SchemaTest, BothRefuse) {
  for (const char* body :
       {"", "\"programs\": 3", "\"programs\": [3]", "\"programs\": [], \"x\": 1", "\"programs\": [], \"jobs\": 0",
        "\"programs\": [{}]", "\"programs\": [{\"source\": \"\"}]", "\"programs\": [], \"targets\": []",
        "\"programs\": [], \"targets\": {\"m\": {\"target\": \"msl\", \"platform\": \"tvos\"}}",
        "\"programs\": [], \"optimize\": \"fast\"", "\"programs\": [], \"optimize\": [\"-O3\"]",
        "\"programs\": [], \"optimize\": [\"ccp\"]", "\"programs\": [], \"output\": {\"foldr\": \"x\"}",
        "\"programs\": [{\"source\": \"a.wgsl\", \"oneModule\": 1}]",
        "\"programs\": [{\"source\": \"a.wgsl\", \"overrides\": {\"n\": \"1\"}}]",
        "\"programs\": [{\"source\": \"a.wgsl\", \"stages\": [{\"overrides\": [1]}]}]",
        "\"programs\": [{\"source\": \"a.vert\", \"environment\": \"vulkan1.1\"}]",
        "\"programs\": [], \"targets\": {\"msl\": {\"bindings\": [{\"binding\": 0, \"buffer\": -1}]}}"}) {
    const std::string text = "{\"schemaVersion\": 1" + std::string(*body ? ", " : "") + body + "}";
    EXPECT_NE(Check(text), "") << text;
    EXPECT_FALSE(IsRead(text)) << text;
  }
}

}  // namespace
}  // namespace kiln::build
