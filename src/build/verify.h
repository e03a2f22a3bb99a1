// SPDX-License-Identifier: Apache-2.0
// Is what is published whole, and what the sources of now would give? Answered from the record and from digests alone:
// no compiler and no worker is started, no cache is needed, so that CI can ask it of checked-in outputs.
#pragma once

#include <string>
#include <vector>

#include "build/engine.h"
#include "diag/sink.h"

namespace kiln::build {

enum class ChangeKind : uint8_t {
  kNoRecord,         // nothing was published, or the record cannot be read
  kConfig,           // options of an artifact differ from what it was built with
  kTool,             // another toolchain would be used
  kInputChanged,     // a source or include has other bytes
  kInputMissing,     //
  kInputAppeared,    // an include that was not there now is, and would be found
  kOutputMissing,    //
  kOutputEdited,     // other bytes than were published
  kArtifactNew,      // the manifest asks for it, the generation has it not
  kArtifactDropped,  // published, no longer asked for
};
std::string_view NameOf(ChangeKind kind);  // "input-changed", ...

struct Change {
  ChangeKind kind = ChangeKind::kNoRecord;
  /// The path it is about: of inputs relative to the project folder, of outputs relative to the output folder.
  std::string path;
  /// More words where they help; never empty for kConfig and kTool.
  std::string detail;
  friend auto operator<=>(const Change&, const Change&) = default;
};

struct VerifyReport {
  Exit exit = Exit::kInternal;  // kOk or kDifference, or what reading the project failed with
  std::vector<Change> changes;  // sorted, each once
  size_t artifacts = 0;
  size_t inputs = 0;
  std::string output_folder;
  /// False: the identity of the toolchain could not be known without starting it, and was not compared.
  bool is_tool_compared = false;
};

VerifyReport Verify(const BuildOptions& options, diag::Sink& sink);

}  // namespace kiln::build
