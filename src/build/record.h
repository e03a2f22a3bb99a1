// SPDX-License-Identifier: Apache-2.0
// The record of a generation, kiln-record.json in the output folder: what was built from what, by whom, into which
// bytes. Deterministic, one fact a line, no time and no host path, so that it can be checked in beside the outputs and
// read in a diff. verify.h answers from it alone.
//
//   {"kind": "kiln-record", "schema": 1,
//    "toolchain": {"set", "identity", "versions"},
//    "recipes": {"<short digest>": ["compile environment=vulkan1.2", ...]},
//    "inputs": {"shaders/a.frag": "<sha256>"},
//    "units": [{"program", "source", "stage", "entry",
//               "imports": [[from, spelled, to or null], ...],        spelled "<x>" where angled
//               "files": {"<path>": {"target", "recipe", "key", "sha256", "size"}}}]}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "build/read_set.h"

namespace kiln::build {

struct RecordFile {
  std::string target;
  std::string recipe;  // name in Record::recipes
  Digest key;
  Digest digest;
  uint64_t size = 0;
  friend bool operator==(const RecordFile&, const RecordFile&) = default;
};

/// One unit with one read set; a unit whose compilations looked at different modules has several.
struct RecordUnit {
  std::string program;
  std::string source;
  std::string stage;
  std::string entry;
  std::vector<ReadImport> imports;  // by the graph's IDs, in the order asked
  std::map<std::string, RecordFile> files;
  friend bool operator==(const RecordUnit&, const RecordUnit&) = default;
};

struct Record {
  std::string toolchain_set;
  std::string toolchain_digest;
  std::string toolchain_versions;
  std::map<std::string, std::vector<std::string>> recipes;
  std::map<std::string, Digest> inputs;
  std::vector<RecordUnit> units;

  /// The file with its unit; null where there is none. Linear in units: index once where many are asked for.
  size_t FileCount() const;
  friend bool operator==(const Record&, const Record&) = default;
};

/// Adds a recipe under its name, a short digest of its lines.
std::string AddRecipe(Record& record, const Recipe& recipe);

std::string WriteRecord(const Record& record);
/// nullopt with `why` where the text is no record of this schema.
std::optional<Record> ReadRecord(std::string_view text, std::string& why);

/// An index of paths over a record, which outlives it.
class RecordIndex {
 public:
  explicit RecordIndex(const Record& record);
  struct Place {
    const RecordUnit* unit;
    const RecordFile* file;
  };
  const Place* Find(const std::string& path) const;
  const std::map<std::string, Place>& all() const { return places_; }

 private:
  std::map<std::string, Place> places_;
};

}  // namespace kiln::build
