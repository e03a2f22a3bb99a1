// SPDX-License-Identifier: Apache-2.0
// What came of each row that execute_main.cc ran, one line a row in a file: a run that is interrupted goes on where it
// stopped, and report.cc makes the tables of docs/conformance.md from such files.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "pool.h"

namespace kiln::conformance {

struct RecordRow {
  State state = State::kWaiting;
  double seconds = 0;
  std::string test;
  std::string message;
};

struct RecordExclusion {
  size_t rows = 0;
  std::string name;
  std::string reason;
};

/// `title` says all that a row's outcome depends on beside the row, so that no other run is taken for this one.
struct Record {
  std::string title;
  std::vector<RecordExclusion> exclusions;
  std::map<size_t, RecordRow> rows;  // by their number in the conformance file, from 1

  size_t CountOf(State state) const;
};

/// What stands in the file; an empty record without a title where there is none. A line that was cut off is left out.
Record ReadRecord(const std::string& path);

/// One line; tabs and line breaks in `row` become spaces.
std::string RecordLine(size_t number, const RecordRow& row);

/// Replaces the file. Rows are then appended by whoever has them, a line with one write.
bool WriteRecord(const std::string& path, const Record& record);

}  // namespace kiln::conformance
