// SPDX-License-Identifier: Apache-2.0
// Typed access to the JSON of a manifest, with one wording for every mistake. Used by the config_*.cc files only.
// A reader that finds a mistake reports it and answers nullopt or an empty value; reading goes on, and ParseConfig
// fails at its end.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "build/config.h"
#include "diag/sink.h"

namespace kiln::build {

class ConfigReader {
 public:
  /// `base` is the offset of the manifest's text in the space of the sink's sources.
  ConfigReader(diag::Sink& sink, uint32_t base) : sink_(sink), base_(base) {}

  diag::Sink& sink() { return sink_; }
  diag::Range RangeOf(const json::Value& value) const { return RangeOf(value.span); }
  diag::Range RangeOf(json::Span span) const { return {base_ + span.begin, base_ + span.end}; }

  /// Calls are in order of the text. Keys that begin with "_comment" are passed over; a key that is not among `keys` is
  /// an error with its near miss. False where `object` is no object.
  bool CheckKeys(const json::Value& object, std::string_view what, std::span<const std::string_view> keys);
  static bool IsComment(std::string_view key) { return key.substr(0, 8) == "_comment"; }

  bool Expect(const json::Value& value, json::Kind kind, std::string_view what);
  std::optional<std::string> String(const json::Value& value, std::string_view what);
  std::optional<bool> Bool(const json::Value& value, std::string_view what);
  std::optional<unsigned> Unsigned(const json::Value& value, std::string_view what, unsigned least, unsigned most);
  /// A string, or an array of strings.
  std::vector<std::string> Strings(const json::Value& value, std::string_view what);
  /// A string that is one of `choices`; the error names them.
  std::optional<std::string> Choice(const json::Value& value, std::string_view what,
                                    std::span<const std::string_view> choices);

  /// A path relative to the project: not empty, not absolute, of printable names. Normalised.
  std::optional<std::string> RelativePath(const json::Value& value, std::string_view what);
  std::vector<std::string> RelativePaths(const json::Value& value, std::string_view what);
  /// The value of `include`: a path or an array of them, each with its place.
  std::vector<IncludeFolder> IncludeFolders(const json::Value& value);

  // Parts that stand at several levels.
  std::vector<Define> Defines(const json::Value& value);
  std::vector<GivenOverride> Overrides(const json::Value& value);
  void Compile(const json::Value& object, CompileOptions& out);
  std::optional<Language> LanguageOf(const json::Value& value);

 private:
  diag::Sink& sink_;
  uint32_t base_;
};

/// "'a', 'b' or 'c'"
std::string Quoted(std::span<const std::string_view> names);

/// The value of `targets`: an array of names, or an object of name -> options.
void ReadTargets(ConfigReader& reader, const json::Value& value, Config& config);
/// The value of `programs`.
void ReadPrograms(ConfigReader& reader, const json::Value& value, Config& config);

inline constexpr std::string_view kEnvironments[] = {"vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3", "opengl4.5"};
/// The highest SPIR-V version that an environment takes.
std::string_view MaxSpirvOf(std::string_view environment);

}  // namespace kiln::build
