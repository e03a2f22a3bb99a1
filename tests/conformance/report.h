// SPDX-License-Identifier: Apache-2.0
// Counts verdicts by area and writes the table that stands in docs/conformance.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pool.h"
#include "record.h"
#include "row.h"

namespace kiln::conformance {

/// A word of a feature still under proposal. A row whose code holds it as an identifier is not counted.
struct Exclusion {
  std::string word;
  std::string reason;
  size_t rows = 0;
};

bool ReadExclusions(const std::string& path, std::vector<Exclusion>& exclusions, std::string& error);

/// The exclusion that `code` falls under; null if none does.
Exclusion* FindExclusion(const std::string& code, std::vector<Exclusion>& exclusions);

struct Tally {
  size_t rows = 0;
  size_t wrong_accepts = 0;
  size_t wrong_rejects = 0;
  size_t crashes = 0;
  size_t hangs = 0;
  /// Right rejects of which the reference's line is known, and those with the first error on it.
  size_t lines = 0;
  size_t same_lines = 0;

  size_t Agreed() const { return rows - wrong_accepts - wrong_rejects - crashes - hangs; }
  double AgreedPercent() const {
    return rows == 0 ? 100 : 100.0 * static_cast<double>(Agreed()) / static_cast<double>(rows);
  }
  double LinePercent() const {
    return lines == 0 ? 100 : 100.0 * static_cast<double>(same_lines) / static_cast<double>(lines);
  }
};

enum class Verdict : uint8_t { kAgreed, kOtherLine, kWrongAccept, kWrongReject, kCrashed, kHung };

Verdict Judge(const Row& row, const Outcome& outcome);
const char* NameOf(Verdict verdict);

struct FileReport {
  std::string file;
  Tally total;
  std::map<std::string, Tally> areas;
  double seconds = 0;
  size_t bytes = 0;

  void Count(const Row& row, Verdict verdict);
};

/// The worst areas and the totals, for a terminal.
void PrintSummary(const std::vector<FileReport>& reports, const std::vector<Exclusion>& exclusions, size_t worst);
/// The whole table as Markdown; `records` are those of kiln_conformance_execute.
std::string Markdown(const std::vector<FileReport>& reports, const std::vector<Exclusion>& exclusions,
                     const std::vector<Record>& records);

}  // namespace kiln::conformance
