// SPDX-License-Identifier: Apache-2.0
// The options of a command as data: parsing, `--help`, the shell completions and the tests read the same rows.
// The grammar is a compiler's, because kiln stands where glslc or spirv-cross stood in scripts: `--name value`,
// `--name=value`, `-o FILE`, `-oFILE`, one-dash words (`-MD`, `-O0`, `-fshader-stage=vert`), `-` for a stream, `--` to
// end options.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::cli {

/// What a shell may offer for a value.
enum class Complete : uint8_t { kNothing, kFile, kFolder, kWord };

struct Option {
  /// "-o", "--output"; the first that begins with two dashes is the one that messages name.
  std::vector<std::string> names;
  /// What help calls the value; empty for a flag. "a|b|c" lists the words that are allowed.
  std::string value;
  std::string help;
  Complete complete = Complete::kNothing;
  /// "-DNAME" as well as "-D NAME"; for one-letter names that is always so.
  bool is_joined = false;
  /// Given for one that users of other tools type and that help need not list.
  bool is_hidden = false;
  /// Takes the value ("" for a flag); returns what is wrong with it, empty if nothing.
  std::function<std::string(std::string_view)> set;

  bool is_flag() const { return value.empty(); }
  /// The words of "a|b|c"; empty where any text is allowed.
  std::vector<std::string> Words() const;
};

struct Positional {
  std::string name;
  std::string help;
  size_t least = 0;
  size_t most = SIZE_MAX;
  Complete complete = Complete::kFile;
  std::vector<std::string>* values = nullptr;
};

class OptionTable {
 public:
  /// `names` is a comma-separated list. The targets outlive the table. Each returns its row, for the rarer fields.
  Option& Flag(std::string_view names, bool* target, std::string_view help);
  Option& Text(std::string_view names, std::string* target, std::string_view value, std::string_view help);
  Option& List(std::string_view names, std::vector<std::string>* target, std::string_view value, std::string_view help);
  Option& Number(std::string_view names, std::optional<uint64_t>* target, std::string_view value,
                 std::string_view help);
  Option& Call(std::string_view names, std::string_view value, std::string_view help,
               std::function<std::string(std::string_view)> set);
  void Positionals(std::string_view name, std::vector<std::string>* values, size_t least, size_t most,
                   std::string_view help, Complete complete = Complete::kFile);

  /// Options of other tools that there are none of here, with what to do; "-f*" stands for all that begin so. `names`
  /// is a comma-separated list.
  void Refuse(std::string_view names, std::string_view hint);

  /// Notes in `name` the first option that is given of the rows from number `first` on; those of several ways to use a
  /// command, of which one excludes the others.
  void Watch(size_t first, std::string* name);

  const std::vector<Option>& options() const { return options_; }
  const std::optional<Positional>& positional() const { return positional_; }

  /// Sets the targets. Returns what is wrong in one line, empty if nothing; `hint` then may say what was meant.
  std::string Parse(const std::vector<std::string>& arguments, std::string* hint);

  /// Parses leading options only and returns how many arguments they took; for those before the command's name.
  std::string ParseLeading(const std::vector<std::string>& arguments, size_t* taken, std::string* hint);

 private:
  struct Match {
    const Option* option = nullptr;
    std::optional<std::string> value;
  };
  std::string One(const std::vector<std::string>& arguments, size_t& at, std::string* hint);
  std::string Cluster(std::string_view argument, bool* is_cluster);
  Match Find(std::string_view argument) const;
  std::string NearMiss(std::string_view argument) const;

  struct Refused {
    std::string name;
    std::string hint;
  };
  std::vector<Option> options_;
  std::vector<Refused> refused_;
  std::optional<Positional> positional_;
};

/// The word of `words` that `text` was probably meant to be; empty where none is near.
std::string NearestWord(std::string_view text, const std::vector<std::string>& words);

/// Replaces each "@file" by the arguments in the file: separated by white space, quoted by ' or ", escaped by \.
/// A file may name others, at most 10 deep. Returns what is wrong, empty if nothing.
std::string ExpandResponseFiles(std::vector<std::string>& arguments);

}  // namespace kiln::cli
