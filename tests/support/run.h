// SPDX-License-Identifier: Apache-2.0
// For tests that drive programs from outside: run one with everything it prints, and folders that go away again.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::test {

struct RunOptions {
  std::string folder = {};  // empty: the current one
  /// "NAME=VALUE" sets, "NAME" alone takes away.
  std::vector<std::string> environment = {};
  std::string input = {};
  /// Where standard output goes in place of RunResult::out, as "/dev/full".
  std::string out_file = {};
  /// Standard output is a pipe that nobody reads any more.
  bool is_out_closed = false;
  /// Sent to the program after `signal_after`.
  int signal = 0;
  std::chrono::milliseconds signal_after{0};
  std::chrono::seconds timeout{180};
};

struct RunResult {
  int exit = -1;  // -signal where one ended it
  bool is_timed_out = false;
  std::string out = {};
  std::string err = {};
  std::string all() const { return out + err; }
};

/// argv[0] is looked up in PATH where it has no slash.
RunResult RunProgram(const std::vector<std::string>& argv, const RunOptions& options = {});

/// Whether a program can be found in PATH.
bool HasProgram(const std::string& name);

/// An own folder; removed with everything in it.
class TempFolder {
 public:
  TempFolder();
  explicit TempFolder(const std::string& parent);
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

/// Makes the folders too.
void WriteFile(const std::string& path, std::string_view text);
/// Empty where there is none.
std::string ReadFile(const std::string& path);
bool Exists(const std::string& path);
/// Relative paths of all regular files under a folder, sorted.
std::vector<std::string> FilesUnder(const std::string& folder);
/// Path and bytes of all of them, for comparing two trees.
std::string TreeDigest(const std::string& folder);

/// The tool under test, from the build.
std::string KilnTool();

/// A folder with a manifest, and a cache of its own.
class Project {
 public:
  Project() = default;
  explicit Project(const std::string& manifest) { Write("kiln.json", manifest); }

  std::string operator/(std::string_view name) const { return folder_ / name; }
  const std::string& folder() const { return folder_.path(); }
  const std::string& cache() const { return cache_.path(); }
  void Write(std::string_view name, std::string_view text) { WriteFile(folder_ / name, text); }
  std::string Read(std::string_view name) const { return ReadFile(folder_ / name); }

  /// Runs the tool in the folder.
  RunResult Kiln(std::vector<std::string> arguments, RunOptions options = {}) const;

 private:
  TempFolder folder_;
  TempFolder cache_;
};

}  // namespace kiln::test
