// SPDX-License-Identifier: Apache-2.0
// One row of a conformance file (one JSON object a line) and the reader of such files. The reader knows the few keys a
// verdict needs and skips every other value, so that the large `runs` rows cost nothing.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace kiln::conformance {

struct Row {
  /// The suite's name of the case, as "expression,call,builtin,clamp:values".
  std::string test;
  std::string code;
  std::string entry_point;
  /// Override values by name or id.
  std::vector<std::pair<std::string, double>> constants;
  bool has_pipeline = false;
  bool expect_accept = true;
  /// 1-based line of the reference's first error; 0 where there is none.
  unsigned line = 0;
  /// 1-based line of the row in its file, to find it again.
  size_t number = 0;

  /// What stands before the ':' of `test`, which names the area.
  std::string Area() const { return test.substr(0, test.find(':')); }
};

/// Reads `path` (xz-compressed where the name ends in ".xz"). Says what is wrong in `error` and returns false.
bool ReadRows(const std::string& path, std::vector<Row>& rows, std::string& error);

/// Reads one JSON object; false if `text` is not one.
bool ParseRow(const std::string& text, Row& row);

}  // namespace kiln::conformance
