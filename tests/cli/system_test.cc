// SPDX-License-Identifier: Apache-2.0
// What the system refuses: read-only folders, full disks, no cache, no worker, no home.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/run.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest =
    R"({"schemaVersion": 1, "output": {"folder": "out"}, "targets": ["spirv-1.3", "msl-2.4"],
  "programs": ["*.frag"]})";
constexpr const char* kFragment =
    "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(VALUE); }\n";

std::string Fragment(const std::string& value) {
  std::string text = kFragment;
  return text.replace(text.find("VALUE"), 5, value);
}

// A mounted tmpfs of its own; not there without the right to mount.
class Tmpfs {
 public:
  explicit Tmpfs(const std::string& options) {
    is_mounted_ =
        geteuid() == 0 && RunProgram({"mount", "-t", "tmpfs", "-o", options, "tmpfs", folder_.path()}).exit == 0;
  }
  ~Tmpfs() {
    if (is_mounted_) RunProgram({"umount", folder_.path()});
  }
  bool is_mounted() const { return is_mounted_; }
  const std::string& path() const { return folder_.path(); }
  void Remount(const std::string& options) { RunProgram({"mount", "-o", "remount," + options, folder_.path()}); }

 private:
  TempFolder folder_;
  bool is_mounted_ = false;
};

TEST(System, AFullDiskKeepsTheOldGenerationAndSaysSo) {
  Tmpfs disk("size=600k");
  if (!disk.is_mounted()) GTEST_SKIP() << "NOT TESTED: mounting a small tmpfs needs root";
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  const std::string out = disk.path() + "/out";
  ASSERT_EQ(project.Kiln({"build", "-o", out}).exit, 0);
  const std::string before = TreeDigest(out);
  const auto filler = [&] {
    RunProgram({"sh", "-c", "head -c 10000000 /dev/zero > \"$1\" 2>/dev/null; true", "sh", disk.path() + "/filler"});
  };
  filler();
  project.Write("a.frag", Fragment("2.0"));
  const RunResult run = project.Kiln({"build", "-o", out});
  EXPECT_EQ(run.exit, 3) << run.all();
  EXPECT_NE(run.err.find("No space left on device"), std::string::npos) << run.err;
  EXPECT_EQ(TreeDigest(out), before);
  fs::remove(disk.path() + "/filler");
  EXPECT_EQ(project.Kiln({"build", "-o", out}).exit, 0);
  EXPECT_NE(TreeDigest(out), before);
  EXPECT_EQ(project.Kiln({"verify", "-o", out}).exit, 0);
}

TEST(System, AFullCacheDiskCostsTheCacheOnly) {
  Tmpfs disk("size=64k");
  if (!disk.is_mounted()) GTEST_SKIP() << "NOT TESTED: mounting a small tmpfs needs root";
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  RunProgram({"sh", "-c", "head -c 10000000 /dev/zero > \"$1\" 2>/dev/null; true", "sh", disk.path() + "/filler"});
  const RunResult run = project.Kiln({"build", "--cache-dir", disk.path() + "/cache"});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(project.Kiln({"verify"}).exit, 0);
}

TEST(System, AReadOnlyOutputIsAnErrorWithItsName) {
  Tmpfs disk("size=1m");
  if (!disk.is_mounted()) GTEST_SKIP() << "NOT TESTED: mounting a read-only tmpfs needs root";
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  const std::string out = disk.path() + "/out";
  ASSERT_EQ(project.Kiln({"build", "-o", out}).exit, 0);
  const std::string before = TreeDigest(out);
  disk.Remount("ro");
  EXPECT_EQ(project.Kiln({"verify", "-o", out}).exit, 0) << "verify writes nothing";
  EXPECT_EQ(project.Kiln({"build", "-o", out}).exit, 0) << "nothing is to be written";
  project.Write("a.frag", Fragment("2.0"));
  const RunResult run = project.Kiln({"build", "-o", out});
  EXPECT_EQ(run.exit, 3) << run.all();
  EXPECT_NE(run.err.find("Read-only file system"), std::string::npos) << run.err;
  EXPECT_EQ(TreeDigest(out), before);
  disk.Remount("rw");
  EXPECT_EQ(project.Kiln({"build", "-o", out}).exit, 0);
}

TEST(System, AFileSizeLimitIsAnErrorWithAMessage) {
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{64, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const RunResult run = project.Kiln({"build"});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_EQ(run.exit, 3) << run.all();
  EXPECT_NE(run.err.find("File too large"), std::string::npos) << run.err;
  EXPECT_EQ(run.out.find("removed"), std::string::npos) << run.out;
  EXPECT_EQ(project.Kiln({"build"}).exit, 0);
}

TEST(System, AFailedPublishClaimsNothing) {
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  project.Write("b.frag", Fragment("2.0"));
  ASSERT_EQ(project.Kiln({"build"}).exit, 0);
  fs::remove(project.folder() + "/b.frag");
  project.Write("notes", "of the user");
  fs::rename(project.folder() + "/out", project.folder() + "/aside");
  fs::create_directory_symlink("aside", project.folder() + "/out");
  const RunResult linked = project.Kiln({"build", "-o", "out"});
  EXPECT_NE(linked.exit, 0) << linked.all();
  EXPECT_EQ(linked.out.find("removed"), std::string::npos) << linked.out;
  EXPECT_TRUE(fs::is_symlink(project.folder() + "/out"));
  EXPECT_EQ(project.Kiln({"build", "-o", "notes"}).exit, 3);
  EXPECT_EQ(project.Read("notes"), "of the user");
}

TEST(System, NoHomeAndNoCacheStillBuild) {
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  const RunResult run = project.Kiln({"build"}, {.environment = {"KILN_CACHE_DIR", "HOME", "XDG_CACHE_HOME"}});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(project.Kiln({"verify"}).exit, 0);
}

TEST(System, AnUnusableWorkerIsNamed) {
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  TempFolder workers;
  WriteFile(workers / "kiln-worker-broken", "#!/bin/sh\nexit 1\n");
  chmod((workers / "kiln-worker-broken").c_str(), 0755);
  const RunOptions options{.environment = {"KILN_WORKER_PATH=" + workers.path()}};
  const RunResult build = project.Kiln({"build"}, options);
  EXPECT_EQ(build.exit, 3) << build.all();
  const RunResult doctor = project.Kiln({"doctor"}, options);
  EXPECT_EQ(doctor.exit, 3);
  EXPECT_NE(doctor.out.find("kiln-worker-broken"), std::string::npos) << doctor.out;
}

TEST(System, AWorkerThatHangsIsLeftOutAndNamed) {
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  TempFolder workers;
  WriteFile(workers / "kiln-worker-hangs", "#!/bin/sh\nexec sleep 1000\n");
  chmod((workers / "kiln-worker-hangs").c_str(), 0755);
  const std::string real = KilnTool().substr(0, KilnTool().rfind('/'));
  const RunOptions options{.environment = {"KILN_WORKER_PATH=" + workers.path() + ":" + real}};
  const RunResult build = project.Kiln({"build"}, options);
  EXPECT_EQ(build.exit, 0) << build.all();
  EXPECT_NE(build.err.find("warning: '" + workers.path() + "/kiln-worker-hangs' is left out"), std::string::npos)
      << build.err;
  project.Write("a.frag", Fragment("2.0"));
  const RunResult again = project.Kiln({"build"}, options);
  EXPECT_EQ(again.exit, 0);
  EXPECT_NE(again.err.find("at an earlier run [worker-silent]"), std::string::npos) << again.err;
}

TEST(System, NothingToDoNeedsNoWorker) {
  Project project(kManifest);
  project.Write("a.frag", Fragment("1.0"));
  ASSERT_EQ(project.Kiln({"build"}).exit, 0);
  // A worker that would be started now dies at once, so success proves that none was.
  const RunResult run = project.Kiln({"build"}, {.environment = {"KILN_WORKER_FAULT=1"}});
  EXPECT_EQ(run.exit, 0);
  EXPECT_NE(run.out.find("nothing to do"), std::string::npos) << run.out;
  if (!HasProgram("strace")) GTEST_SKIP() << "NOT TESTED: strace is not installed (scripts/setup --tests)";
  // The leak checker of a sanitizer build cannot work under strace.
  const RunResult traced =
      RunProgram({"strace", "-f", "-e", "trace=execve", "-o", project / "trace", KilnTool(), "verify"},
                 {.folder = project.folder(),
                  .environment = {"KILN_CACHE_DIR=" + project.cache(), "ASAN_OPTIONS=detect_leaks=0"}});
  EXPECT_EQ(traced.exit, 0);
  EXPECT_EQ(project.Read("trace").find("kiln-worker"), std::string::npos) << project.Read("trace");
}

}  // namespace
}  // namespace kiln::test
