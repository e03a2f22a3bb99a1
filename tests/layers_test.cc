// SPDX-License-Identifier: Apache-2.0
// Compares every #include under src/ with cmake/layers.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Row {
  std::set<std::string> rooms;
  std::vector<std::string> third_party;
};

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::map<std::string, Row> ReadTable() {
  std::map<std::string, Row> table;
  std::ifstream file(fs::path(KILN_SOURCE_DIR) / "cmake/layers.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream columns(line);
    std::string room, rooms, third_party;
    std::getline(columns, room, '|');
    std::getline(columns, rooms, '|');
    std::getline(columns, third_party, '|');
    Row row;
    for (const std::string& word : Words(rooms)) row.rooms.insert(word);
    row.third_party = Words(third_party);
    room = Words(room).at(0);
    row.rooms.insert(room);
    table[room] = row;
  }
  return table;
}

// The longest room of the table that is a prefix of the path; "" for none.
std::string RoomOf(const std::map<std::string, Row>& table, const std::string& path) {
  std::string best;
  for (const auto& [room, row] : table) {
    if (path.rfind(room + "/", 0) == 0 && room.size() > best.size()) best = room;
  }
  return best;
}

TEST(Layers, EveryIncludeIsAllowedByTheTable) {
  const auto table = ReadTable();
  ASSERT_GT(table.size(), 10u);
  const fs::path src = fs::path(KILN_SOURCE_DIR) / "src";
  const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    const std::string path = fs::relative(entry.path(), src).generic_string();
    const std::string room = RoomOf(table, path);
    if (room.empty()) {
      ADD_FAILURE() << "src/" << path << " stands in no room of cmake/layers.txt";
      continue;
    }
    const Row& row = table.at(room);
    const bool is_test = path.ends_with("_test.cc") || path.ends_with("testing.h");
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++seen;
      const std::string target = match[2];
      const std::string target_room = RoomOf(table, target);
      if (!target_room.empty()) {
        EXPECT_TRUE(row.rooms.contains(target_room))
            << "src/" << path << ":" << number << ": " << room << " may not include " << target;
      } else if (target.find('/') != std::string::npos && target.rfind("kiln/", 0) != 0 &&
                 target.rfind("sys/", 0) != 0 && target.rfind("linux/", 0) != 0 && target.rfind("mach-o/", 0) != 0) {
        bool allowed = is_test && target.rfind("gtest/", 0) == 0;
        for (const std::string& prefix : row.third_party) allowed = allowed || target.rfind(prefix, 0) == 0;
        EXPECT_TRUE(allowed) << "src/" << path << ":" << number << ": " << room << " may not include <" << target
                             << ">; a third-party header needs a row in cmake/layers.txt and third_party.md";
      }
    }
  }
  EXPECT_GT(seen, 20u);
}

}  // namespace
