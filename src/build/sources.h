// SPDX-License-Identifier: Apache-2.0
// Where the texts of a build come from: the disk, or a snapshot. Plan and engine ask this and never the disk, so that
// `kiln replay` is the same build without the sources. Source paths are relative to the project, with '/'; IDs of
// modules are the same paths (graph/capture.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/outcome.h"
#include "base/result.h"
#include "diag/sink.h"
#include "graph/capture.h"
#include "graph/snapshot.h"

namespace kiln::build {

class Sources {
 public:
  virtual ~Sources() = default;

  /// Sorted paths of the regular files that match.
  virtual Outcome<std::vector<std::string>> Glob(const std::string& pattern) = 0;
  /// kLink where the file or a folder on the way to it is a link.
  virtual Outcome<FileKind> KindOf(const std::string& source) = 0;
  /// Of an include root; kFolder also where links lead to one. A snapshot has no folders and takes each for there.
  virtual Outcome<FileKind> KindOfFolder(const std::string& folder) = 0;
  /// The text alone, or null where it is no module; Capture reports why.
  virtual const graph::Module* Peek(const std::string& source) = 0;
  /// A source that is no text (SPIR-V).
  virtual Outcome<std::string> ReadBinary(const std::string& source) = 0;

  /// `include` are roots relative to the project. The graph's pointers live as long as this.
  virtual Result<graph::Graph> Capture(const std::string& source, const std::vector<std::string>& include,
                                       std::string_view language, diag::Sink& sink) = 0;
  virtual Result<graph::Import> Resolve(graph::Graph& graph, const std::vector<std::string>& include,
                                        std::string_view from, std::string_view spelled, bool is_angled,
                                        diag::Sink& sink) = 0;
  /// Words for the message about an include that was not found; empty where there are none.
  virtual std::string WhyNotFound(const std::vector<std::string>& include, std::string_view from,
                                  std::string_view spelled, bool is_angled) = 0;
  /// An ID as messages write it.
  virtual std::string Shown(const std::string& id) { return id; }
  /// Absolute path of an ID; empty where there is no file behind it.
  virtual std::string PathOf(std::string_view id) = 0;
};

/// The files under `project` (absolute, normalised) and its include roots. `disk` outlives it. `show` says how messages
/// write an ID; empty: as it is.
using ShowName = std::function<std::string(const std::string& id)>;
std::unique_ptr<Sources> DiskSources(Disk& disk, std::string project, ShowName show = {});

/// The attachments a project snapshot has beside its graphs.
inline constexpr std::string_view kManifestAttachment = "kiln.json";
inline constexpr std::string_view kGlobsAttachment = "globs.json";

/// What was captured; `snapshot` outlives it.
std::unique_ptr<Sources> SnapshotSources(const graph::Snapshot& snapshot);

/// The name of a search, as Capturer has it, so that a snapshot finds its graphs again on another machine.
std::string SearchName(const std::vector<std::string>& include);

}  // namespace kiln::build
