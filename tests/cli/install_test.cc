// SPDX-License-Identifier: Apache-2.0
// What `make install` puts in place: a tool that finds its workers wherever the prefix lies, and a library that a
// project outside of this tree builds with.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/run.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

RunResult Install(const std::string& prefix, const std::string& destdir) {
  RunOptions options;
  if (!destdir.empty()) options.environment.push_back("DESTDIR=" + destdir);
  return RunProgram({"cmake", "--install", KILN_BINARY_DIR, "--prefix", prefix}, options);
}

RunOptions Bare(const std::string& folder, const std::string& cache) {
  return {.folder = folder, .environment = {"KILN_WORKER_PATH", "LD_LIBRARY_PATH", "KILN_CACHE_DIR=" + cache}};
}

TEST(Install, TheToolFindsItsWorkersAndBuilds) {
  TempFolder stage;
  const RunResult installed = Install("/opt/some where", stage.path());
  ASSERT_EQ(installed.exit, 0) << installed.all();
  // Moved as a package manager does it: nothing in it may remember where it was.
  TempFolder elsewhere;
  const std::string prefix = elsewhere / "kiln";
  fs::rename(stage / "opt/some where", prefix);
  const std::string tool = prefix + "/bin/kiln";

  Project project(R"({"schemaVersion": 1, "output": {"folder": "out"}, "targets": ["spirv-1.3", "msl-2.4"],
    "programs": ["a.frag"]})");
  project.Write("a.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n");
  const RunOptions options = Bare(project.folder(), project.cache());
  const RunResult doctor = RunProgram({tool, "doctor"}, options);
  EXPECT_EQ(doctor.exit, 0) << doctor.all();
  EXPECT_NE(doctor.out.find(prefix + "/libexec/kiln/kiln-worker-"), std::string::npos) << doctor.out;
  EXPECT_EQ(doctor.out.find(KILN_BINARY_DIR), std::string::npos) << doctor.out;
  const RunResult build = RunProgram({tool, "build"}, options);
  EXPECT_EQ(build.exit, 0) << build.all();
  EXPECT_TRUE(Exists(project / "out/spirv-1.3/a.frag.spv"));

  // What an author's editor and shell look for.
  for (const char* file : {"share/kiln/kiln.schema.json", "share/kiln/reflection.schema.json", "share/doc/kiln/LICENSE",
                           "share/bash-completion/completions/kiln", "share/zsh/site-functions/_kiln",
                           "share/fish/vendor_completions.d/kiln.fish"}) {
    EXPECT_FALSE(ReadFile(prefix + "/" + file).empty()) << file;
  }
}

TEST(Install, AProjectBuildsWithTheLibrary) {
  TempFolder folder;
  const std::string prefix = folder / "prefix";
  const RunResult installed = Install(prefix, "");
  ASSERT_EQ(installed.exit, 0) << installed.all();
  // Nothing of the library's package may lead back into the source or build tree.
  for (const auto& entry : fs::recursive_directory_iterator(prefix)) {
    if (entry.path().extension() != ".cmake") continue;
    const std::string text = ReadFile(entry.path().string());
    EXPECT_EQ(text.find(KILN_SOURCE_DIR), std::string::npos) << entry.path();
    EXPECT_EQ(text.find(KILN_BINARY_DIR), std::string::npos) << entry.path();
  }
  fs::copy(KILN_SOURCE_DIR "/examples/embed", folder / "project");
  std::vector<std::string> configure = {
      "cmake", "-S", folder / "project", "-B", folder / "build", "-DCMAKE_PREFIX_PATH=" + prefix};
  // A library built with a sanitizer is linked with it.
  if (*KILN_SANITIZER != '\0') configure.push_back("-DCMAKE_CXX_FLAGS=" KILN_SANITIZER);
  const RunResult configured = RunProgram(configure);
  ASSERT_EQ(configured.exit, 0) << configured.all();
  const RunResult built = RunProgram({"cmake", "--build", folder / "build"});
  ASSERT_EQ(built.exit, 0) << built.all();
  const RunResult run = RunProgram({folder / "build/embed", "workgroup=32"});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_NE(run.out.find("workgroup 32 x 1 x 1"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace kiln::test
