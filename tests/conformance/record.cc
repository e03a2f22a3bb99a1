// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace kiln::conformance {
namespace {

constexpr const char* kStateNames[] = {"waiting", "running", "right", "wrong", "crashed", "hung"};

std::vector<std::string> Columns(const std::string& line) {
  std::vector<std::string> columns;
  size_t begin = 0;
  for (size_t tab; (tab = line.find('\t', begin)) != std::string::npos; begin = tab + 1) {
    columns.push_back(line.substr(begin, tab - begin));
  }
  columns.push_back(line.substr(begin));
  return columns;
}

std::string Clean(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

}  // namespace

size_t Record::CountOf(State state) const {
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return row.second.state == state; }));
}

Record ReadRecord(const std::string& path) {
  Record record;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line) && !in.eof();) {
    const std::vector<std::string> columns = Columns(line);
    if (columns[0] == "title" && columns.size() == 2) {
      record.title = columns[1];
    } else if (columns[0] == "excluded" && columns.size() == 4) {
      record.exclusions.push_back({std::strtoul(columns[1].c_str(), nullptr, 10), columns[2], columns[3]});
    } else if (columns.size() == 5) {
      RecordRow row;
      for (size_t i = 0; i < std::size(kStateNames); ++i) {
        if (columns[1] == kStateNames[i]) row.state = static_cast<State>(i);
      }
      row.seconds = std::strtod(columns[2].c_str(), nullptr);
      row.test = columns[3];
      row.message = columns[4];
      record.rows[std::strtoul(columns[0].c_str(), nullptr, 10)] = row;
    }
  }
  return record;
}

std::string RecordLine(size_t number, const RecordRow& row) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.2f", row.seconds);
  return std::to_string(number) + '\t' + kStateNames[static_cast<size_t>(row.state)] + '\t' + seconds + '\t' +
         Clean(row.test) + '\t' + Clean(row.message) + '\n';
}

bool WriteRecord(const std::string& path, const Record& record) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << "title\t" << Clean(record.title) << '\n';
  for (const RecordExclusion& exclusion : record.exclusions) {
    out << "excluded\t" << exclusion.rows << '\t' << Clean(exclusion.name) << '\t' << Clean(exclusion.reason) << '\n';
  }
  for (const auto& [number, row] : record.rows) out << RecordLine(number, row);
  return static_cast<bool>(out.flush());
}

}  // namespace kiln::conformance
