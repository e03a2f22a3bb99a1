// SPDX-License-Identifier: Apache-2.0
#include "diag/sink.h"

#include <utility>

namespace kiln::diag {

Sink::Builder::~Builder() { sink_.Append(std::move(diagnostic_)); }

Sink::Builder& Sink::Builder::Note(Range range, std::string message) {
  return Note(sink_.Locate(range), std::move(message));
}

Sink::Builder& Sink::Builder::Note(Location location, std::string message) {
  diagnostic_.notes.push_back({std::move(location), std::move(message)});
  return *this;
}

Sink::Builder& Sink::Builder::Hint(std::string text) {
  diagnostic_.hint = std::move(text);
  return *this;
}

Sink::Builder Sink::Make(Severity severity, Location location, Code code, std::string line) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code.text();
  diagnostic.location = std::move(location);
  diagnostic.source_line = std::move(line);
  return Builder(*this, std::move(diagnostic));
}

void Sink::Append(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

void Sink::Append(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) Append(std::move(diagnostic));
}

Failed Sink::FailedBecauseReported() const {
  KILN_CHECK(has_errors());
  return MakeFailed();
}

std::vector<Diagnostic> Sink::TakeDiagnostics() {
  errors_ = 0;
  return std::exchange(diagnostics_, {});
}

Location Sink::Locate(Range range) const {
  const SourceFile* file = sources_ == nullptr ? nullptr : sources_->FileOf(range);
  if (file == nullptr) return {};
  return {file->name(), file->PositionAt(range.begin), file->PositionAt(range.end)};
}

std::string Sink::LineOf(Range range) const {
  const SourceFile* file = sources_ == nullptr ? nullptr : sources_->FileOf(range);
  if (file == nullptr) return {};
  return std::string(file->Line(file->PositionAt(range.begin).line));
}

}  // namespace kiln::diag
