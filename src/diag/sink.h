// SPDX-License-Identifier: Apache-2.0
// Where diagnostics go, and the only maker of Failed. `return sink.Error(range, "some-code") << "what " << name;`
// reports and returns in one expression. A sink belongs to one thread; merge with Append.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace kiln::diag {

class Sink {
 public:
  /// Collects one message; it is reported when the builder dies, at the end of the full expression.
  class Builder {
   public:
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;
    ~Builder();

    Builder& operator<<(std::string_view text) {
      diagnostic_.message += text;
      return *this;
    }
    Builder& operator<<(const char* text) { return *this << std::string_view(text); }
    Builder& operator<<(const std::string& text) { return *this << std::string_view(text); }
    Builder& operator<<(char c) { return *this << std::string_view(&c, 1); }
    template <std::integral T>
    Builder& operator<<(T number) {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, number);
      return *this << std::string_view(digits, static_cast<size_t>(end.ptr - digits));
    }
    /// Adds a note at another place.
    Builder& Note(Range range, std::string message);
    Builder& Note(Location location, std::string message);
    /// Says what to do; only where it is certain.
    Builder& Hint(std::string text);

    operator Failed() const { return Failed(sink_.MakeFailed()); }  // NOLINT: `return sink.Error(...) << ...;`
    template <typename T>
    operator Result<T>() const {  // NOLINT
      return Result<T>(sink_.MakeFailed());
    }

   private:
    friend class Sink;
    Builder(Sink& sink, Diagnostic diagnostic, bool is_kept)
        : sink_(sink), diagnostic_(std::move(diagnostic)), is_kept_(is_kept) {}
    Sink& sink_;
    Diagnostic diagnostic_;
    bool is_kept_;
  };

  /// What is found in sources beyond this many errors, and as many warnings, is counted but not kept: each costs the
  /// length of its line, and one line can hold a million mistakes.
  static constexpr size_t kMostFound = 256;
  /// The text of a longer line is not kept with a diagnostic.
  static constexpr size_t kLongestKeptLine = size_t{64} * 1024;

  Sink() = default;
  /// Ranges are looked up in `sources`, which outlives the sink.
  explicit Sink(const SourceSet& sources) : sources_(&sources) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  Builder Error(Range range, Code code) { return Find(Severity::kError, range, code); }
  Builder Error(Location location, Code code) { return Make(Severity::kError, std::move(location), code, {}); }
  /// As above, with the text of the line for the caret.
  Builder Error(Location location, Code code, std::string_view line) {
    return Make(Severity::kError, std::move(location), code, std::string(line));
  }
  Builder Error(Code code) { return Make(Severity::kError, {}, code, {}); }
  Builder Warning(Range range, Code code) { return Find(Severity::kWarning, range, code); }
  Builder Warning(Location location, Code code) { return Make(Severity::kWarning, std::move(location), code, {}); }
  Builder Warning(Location location, Code code, std::string_view line) {
    return Make(Severity::kWarning, std::move(location), code, std::string(line));
  }
  Builder Warning(Code code) { return Make(Severity::kWarning, {}, code, {}); }
  Builder Info(Range range, Code code) { return Find(Severity::kInfo, range, code); }

  /// Takes over what another sink, a worker or a cache reported.
  void Append(std::vector<Diagnostic> diagnostics);
  void Append(Diagnostic diagnostic);

  /// The proof of failure for a stage that went on after its errors and returns at its end. Aborts without an error.
  Failed FailedBecauseReported() const;

  bool has_errors() const { return errors_ != 0; }
  size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> TakeDiagnostics();

  Location Locate(Range range) const;

 private:
  Builder Find(Severity severity, Range range, Code code);
  Builder Make(Severity severity, Location location, Code code, std::string line);
  std::string LineOf(Range range) const;
  static Failed MakeFailed() { return Failed(); }

  const SourceSet* sources_ = nullptr;
  std::vector<Diagnostic> diagnostics_;
  size_t errors_ = 0;
  size_t found_errors_ = 0;
  size_t found_others_ = 0;
};

}  // namespace kiln::diag
