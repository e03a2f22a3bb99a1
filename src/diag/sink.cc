// SPDX-License-Identifier: Apache-2.0
#include "diag/sink.h"

#include <utility>

namespace kiln::diag {

Sink::Builder::~Builder() {
  if (is_kept_) {
    sink_.Append(std::move(diagnostic_));
  } else if (diagnostic_.severity == Severity::kError) {
    ++sink_.errors_;
  }
}

Sink::Builder& Sink::Builder::Note(Range range, std::string message) {
  return is_kept_ ? Note(sink_.Locate(range), std::move(message)) : *this;
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
  return Builder(*this, std::move(diagnostic), true);
}

Sink::Builder Sink::Find(Severity severity, Range range, Code code) {
  size_t& found = severity == Severity::kError ? found_errors_ : found_others_;
  if (found < kMostFound) {
    ++found;
    return Make(severity, Locate(range), code, LineOf(range));
  }
  if (found == kMostFound) {
    ++found;
    Make(Severity::kInfo, Locate(range), "more-diagnostics", {})
        << "there are more " << (severity == Severity::kError ? "errors" : "warnings") << "; the first " << kMostFound
        << " are shown";
  }
  Diagnostic dropped;
  dropped.severity = severity;
  return Builder(*this, std::move(dropped), false);
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
  errors_ = found_errors_ = found_others_ = 0;
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
  const std::string_view line = file->Line(file->PositionAt(range.begin).line);
  return line.size() > kLongestKeptLine ? std::string() : std::string(line);
}

}  // namespace kiln::diag
