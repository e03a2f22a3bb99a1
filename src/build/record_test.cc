// SPDX-License-Identifier: Apache-2.0
#include "build/record.h"

#include <gtest/gtest.h>

namespace kiln::build {
namespace {

Record Sample() {
  Record record;
  record.toolchain_set = "debian";
  record.toolchain_digest = "00ff";
  record.toolchain_versions = "glslang 12";
  Recipe recipe;
  recipe.compile = {{"entry", "m0"}, {"stage", "vertex"}};
  const std::string name = AddRecipe(record, recipe);
  record.inputs["s/a.vert"] = Sha256Of("a");
  RecordUnit unit{"p", "s/a.vert", "vertex", "main", {}, {}};
  unit.imports = {{"s/a.vert", "x.glsl", false, "s/x.glsl"},
                  {"s/a.vert", "y", true, ""},
                  {"s/a.vert", "<odd>", false, "s/o"},
                  {"s/a.vert", "\"q", false, ""}};
  unit.files["spv/a b\n\xC3\xA9.spv"] = {"spv", name, Sha256Of("k"), Sha256Of("d"), 12};
  record.units.push_back(unit);
  return record;
}

TEST(Record, ReadsBackWhatWasWritten) {
  const Record record = Sample();
  std::string why;
  const auto back = ReadRecord(WriteRecord(record), why);
  ASSERT_TRUE(back) << why;
  EXPECT_EQ(*back, record);
}

TEST(Record, OrderOfUnitsDoesNotShow) {
  Record one = Sample();
  RecordUnit other{"q", "s/b.vert", "vertex", "main", {}, {}};
  other.files["spv/0.spv"] = {"spv", "r", {}, {}, 1};
  Record two = one;
  one.units.push_back(other);
  two.units.insert(two.units.begin(), other);
  EXPECT_EQ(WriteRecord(one), WriteRecord(two));
}

TEST(Record, DamageIsNotBelieved) {
  const std::string text = WriteRecord(Sample());
  std::string why;
  EXPECT_FALSE(ReadRecord("", why));
  EXPECT_FALSE(ReadRecord("{}", why));
  EXPECT_FALSE(ReadRecord(text.substr(0, text.size() / 2), why));
  std::string other = text;
  other.replace(other.find("\"schema\": 1"), 11, "\"schema\": 2");
  EXPECT_FALSE(ReadRecord(other, why));
  EXPECT_NE(why.find("another version"), std::string::npos);
  // A path that leads out of the folder would be removed there.
  Record evil = Sample();
  evil.units[0].files["../../etc/passwd"] = {"spv", "r", {}, {}, 1};
  EXPECT_FALSE(ReadRecord(WriteRecord(evil), why));
}

TEST(Record, CutAnywhereItGivesNothingOrAll) {
  const std::string text = WriteRecord(Sample());
  for (size_t size = 0; size + 2 < text.size(); ++size) {
    std::string why;
    EXPECT_FALSE(ReadRecord(text.substr(0, size), why)) << size;
  }
}

}  // namespace
}  // namespace kiln::build
