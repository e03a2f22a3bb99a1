// SPDX-License-Identifier: Apache-2.0
// The measured lines of the WGSL compiler, beside Tint and naga.
#pragma once

#include <string>
#include <vector>

#include "row.h"

namespace kiln::bench {

struct WgslOptions {
  std::string folder;  // to work in
  std::string self;    // this executable
  bool is_quick = false;
  /// Folders of .wgsl files of which each is a line of its own.
  std::vector<std::string> corpora;
  /// Folder of conformance data (modules.jsonl.xz, programs.jsonl.xz); empty: none.
  std::string rows;
  /// naga's side (bench/naga) and the folder below which npm put `webgpu`; empty: those lines are left out, said aloud.
  std::string naga;
  std::string webgpu;
};

std::vector<Row> WgslLines(const WgslOptions& options);

}  // namespace kiln::bench
