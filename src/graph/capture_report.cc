// SPDX-License-Identifier: Apache-2.0
// What is said of an include that leads to what is no module, or to one only where letter case does not count.
#include <string>

#include "base/check.h"
#include "diag/source.h"
#include "graph/capture_state.h"

namespace kiln::graph {

Capturer::State::Place Capturer::State::PlaceOf(const Module& module, uint32_t begin, uint32_t end) {
  diag::SourceSet sources;
  const diag::SourceFile& file = sources.AddView(module.id, module.text);
  Place place;
  place.location = {module.id, file.PositionAt(file.base() + begin), file.PositionAt(file.base() + end)};
  place.line = file.Line(place.location.begin.line);
  return place;
}

bool Capturer::State::TakeEdge(Graph& graph, const Module& from, const Edge& edge, std::vector<std::string>& absent,
                               diag::Sink& sink) {
  graph.imports.push_back(edge.import);
  absent.insert(absent.end(), edge.absent.begin(), edge.absent.end());
  if (edge.fault != EdgeFault::kNone) {
    ReportFault(from, edge, sink);
    return false;
  }
  if (!edge.real_name.empty()) {
    const Place place = PlaceOf(from, edge.begin, edge.end);
    sink.Warning(place.location, "include-case", place.line)
        << "the file is named '" << edge.real_name << "': where letter case counts, '" << edge.import.spelled
        << "' is not found";
  }
  return true;
}

void Capturer::State::ReportFault(const Module& from, const Edge& edge, diag::Sink& sink) {
  const Place place = PlaceOf(from, edge.begin, edge.end);
  if (edge.fault == EdgeFault::kLink) {
    sink.Error(place.location, "include-link", place.line)
        << "'" << Shown(edge.fault_id)
        << "' is reached by a link that leads out of the project and its include folders";
    return;
  }
  ReportLoadFault(*edge.load_fault, Shown(edge.fault_id), &place, sink);
}

void Capturer::State::ReportLoadFault(const LoadFault& fault, const std::string& id, const Place* place,
                                      diag::Sink& sink) {
  const auto at = [&]() -> const diag::Location& { return place != nullptr ? place->location : fault.location; };
  const std::string line = place != nullptr ? place->line : std::string();
  const auto with_note = [&](diag::Sink::Builder& builder) {
    if (place != nullptr) builder.Note(place->location, "included here");
  };
  switch (fault.kind) {
    case LoadFault::Kind::kAbsent:
      sink.Error(at(), "source-not-found", line) << "'" << id << "' cannot be read: " << fault.message;
      return;
    case LoadFault::Kind::kFolder:
      sink.Error(at(), "source-is-folder", line) << "'" << id << "' cannot be read: " << fault.message;
      return;
    case LoadFault::Kind::kUnreadable:
      sink.Error(at(), "source-unreadable", line) << "'" << id << "' cannot be read: " << fault.message;
      return;
    case LoadFault::Kind::kTooLong:
      sink.Error(at(), "module-too-large", line) << "'" << id << "' cannot be a module: " << fault.message;
      return;
    case LoadFault::Kind::kInvalidUtf8: {
      diag::Sink::Builder builder = sink.Error(fault.location, "source-not-utf8", fault.source_line);
      builder << "sources are UTF-8: " << fault.message;
      with_note(builder);
      return;
    }
    case LoadFault::Kind::kNul: {
      diag::Sink::Builder builder = sink.Error(fault.location, "source-has-nul", fault.source_line);
      builder << "sources are text: " << fault.message;
      with_note(builder);
      return;
    }
  }
  KILN_UNREACHABLE("fault");
}

}  // namespace kiln::graph
