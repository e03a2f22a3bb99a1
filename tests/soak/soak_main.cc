// SPDX-License-Identifier: Apache-2.0
// Does to builds what the world does: kills them at random instants, damages their cache, runs several at once, moves
// their project. After each, what is published must be one whole generation, and the next build must give the bytes
// that a first build in an empty folder gives.
//
//   kiln_soak [--count N] [--seed S] [--workers DIR] [--keep]
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/paths.h"
#include "build/engine.h"
#include "build/plan.h"
#include "build/record.h"
#include "build/verify.h"

namespace {

using namespace kiln;
using Bytes = std::map<std::string, std::string>;

std::string g_workers;
std::mt19937_64 g_random;
size_t g_failures = 0;

size_t Random(size_t below) { return static_cast<size_t>(g_random() % below); }

void Fail(const std::string& what) {
  ++g_failures;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

void Write(const std::string& path, std::string_view bytes) {
  auto& disk = SystemDisk();
  if (!disk.MakeFolders(std::string(path::Parent(path))).ok() || !disk.WriteFile(path, bytes).ok()) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
    std::exit(3);
  }
}

/// A small project: vertex and fragment shaders that share an include, and one HLSL compute shader.
void WriteProject(const std::string& folder, int shaders, int value) {
  Write(folder + "/inc/shared.glsl", "vec4 Shared(vec4 v) { return v * " + std::to_string(value) + ".0; }\n");
  for (int i = 0; i < shaders; ++i) {
    const std::string number = std::to_string(i);
    const bool is_vertex = i % 2 == 0;
    Write(folder + "/s/" + number + (is_vertex ? ".vert" : ".frag"),
          "#version 450\n#include \"shared.glsl\"\n" +
              std::string(is_vertex ? "layout(location = 0) in vec4 p;\nvoid main() { gl_Position = Shared(p + "
                                    : "layout(location = 0) out vec4 c;\nvoid main() { c = Shared(vec4(1) + ") +
              number + ".0); }\n");
  }
  Write(folder + "/s/k.hlsl",
        "RWBuffer<float> o;\n[numthreads(1,1,1)] void Kernel(uint3 i : SV_DispatchThreadID) { o[i.x] = " +
            std::to_string(value) + "; }\n");
  Write(folder + "/kiln.json", R"({"schemaVersion": 1, "output": "out", "include": "inc",
    "targets": ["spirv-1.3", "msl-2.4", "reflection"],
    "programs": ["s/*.vert", "s/*.frag", {"name": "k", "source": "s/k.hlsl", "stages": [{"stage": "compute", "entry": "Kernel"}]}]})");
}

build::BuildReport BuildHere(const std::string& project, const std::string& cache, std::string* messages = nullptr,
                             const std::string& output = "") {
  build::BuildOptions options;
  options.config = project;
  options.cache_folder = cache;
  options.no_cache = cache.empty();
  options.output_folder = output;
  options.tool_folder = g_workers;
  options.jobs = 2;
  build::Progress progress;
  diag::Sink sink;
  auto report = build::Build(options, progress, sink);
  if (messages != nullptr) {
    for (const auto& each : sink.diagnostics()) *messages += each.code + ": " + each.message + "\n";
  }
  return report;
}

pid_t BuildInChild(const std::string& project, const std::string& cache) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(static_cast<int>(BuildHere(project, cache).exit));
  return child;
}

int WaitFor(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void ReadTree(const std::string& folder, const std::string& relative, Bytes& out) {
  const auto entries = SystemDisk().List(path::Join(folder, relative));
  if (!entries) return;
  for (const FolderEntry& entry : *entries) {
    const std::string inside = relative.empty() ? entry.name : relative + "/" + entry.name;
    if (entry.kind == FileKind::kFolder) {
      ReadTree(folder, inside, out);
    } else if (auto bytes = SystemDisk().ReadFile(path::Join(folder, inside), 1 << 28)) {
      out[inside] = std::move(*bytes);
    }
  }
}

Bytes TreeOf(const std::string& folder) {
  Bytes all;
  ReadTree(folder, "", all);
  return all;
}

/// What a first build with nothing kept gives.
Bytes Expected(const std::string& project, const std::string& scratch) {
  (void)SystemDisk().RemoveTree(scratch).ok();
  std::string messages;
  if (BuildHere(project, "", &messages, scratch).exit != build::Exit::kOk) Fail("a clean build failed:\n" + messages);
  return TreeOf(scratch);
}

/// Whether a folder holds one whole generation: every file that its record names, with its bytes, and nothing else.
bool IsWhole(const std::string& output, std::string& why) {
  const Bytes files = TreeOf(output);
  if (files.empty()) return true;  // nothing published yet
  const auto text = files.find(std::string(build::kRecordName));
  if (text == files.end()) {
    why = "no record";
    return false;
  }
  const auto record = build::ReadRecord(text->second, why);
  if (!record) return false;
  const build::RecordIndex index(*record);
  for (const auto& [path, place] : index.all()) {
    const auto file = files.find(path);
    if (file == files.end() || Sha256Of(file->second) != place.file->digest) {
      why = path;
      return false;
    }
  }
  if (files.size() != index.all().size() + 1) why = "files that the record does not name";
  return why.empty();
}

/// A full build must give `expected`, whatever came before.
void MustGive(const std::string& project, const std::string& cache, const Bytes& expected, const std::string& what) {
  std::string messages;
  const auto report = BuildHere(project, cache, &messages);
  if (report.exit != build::Exit::kOk) {
    Fail(what + ": the build after it failed:\n" + messages);
  } else if (const Bytes got = TreeOf(project + "/out"); got != expected) {
    std::string names;
    for (const auto& [name, bytes] : expected) {
      const auto at = got.find(name);
      if (at == got.end()) names += " -" + name;
      if (at != got.end() && at->second != bytes)
        names +=
            " " + name + "\n--- got\n" + at->second.substr(0, 3000) + "\n--- expected\n" + bytes.substr(0, 3000) + "\n";
    }
    for (const auto& [name, bytes] : got) {
      if (!expected.contains(name)) names += " +" + name;
    }
    Fail(what + ": the build after it gave other bytes:" + names);
  }
  for (const char* left : {"/.out.kiln-new", "/.out.kiln-old", "/.out.kiln-lock"}) {
    if (SystemDisk().StatLink(project + left)->exists()) Fail(what + ": " + left + " was left");
  }
}

void Kills(const std::string& root, int count) {
  const std::string project = root + "/kills", cache = root + "/cache-kills";
  WriteProject(project, 8, 0);
  const auto begin = std::chrono::steady_clock::now();
  BuildHere(project, cache);
  const auto once = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  size_t killed = 0;
  for (int round = 1; round <= count; ++round) {
    // Every third round has a warm cache: then the instants fall into publishing.
    WriteProject(project, 8, round % 3 == 0 ? 0 : round);
    const auto limit = round % 3 == 0 ? std::min<int64_t>(once.count(), 30'000) : once.count();
    const pid_t child = BuildInChild(project, cache);
    std::this_thread::sleep_for(std::chrono::microseconds(Random(static_cast<size_t>(limit) + 1)));
    ::kill(child, SIGKILL);
    killed += WaitFor(child) == -1 ? 1 : 0;
    std::string why;
    if (!IsWhole(project + "/out", why)) {
      // Where the system cannot exchange, the old generation may stand aside until the next build.
      if (!SystemDisk().StatLink(project + "/.out.kiln-old")->exists()) Fail("killed: not whole: " + why);
    }
    if (round % 4 == 0 || round == count) {
      MustGive(project, cache, Expected(project, root + "/clean"), "killed in round " + std::to_string(round));
    }
  }
  std::printf("kills: %d builds, %zu of them killed before their end\n", count, killed);
}

void Damage(const std::string& root, int count) {
  const std::string project = root + "/damage", cache = root + "/cache-damage";
  WriteProject(project, 6, 7);
  const Bytes expected = Expected(project, root + "/clean");
  MustGive(project, cache, expected, "before damage");
  for (int round = 0; round < count; ++round) {
    std::vector<std::string> files;
    for (const auto& [path, bytes] : TreeOf(cache)) {
      if (path != "CACHEDIR.TAG") files.push_back(path);
    }
    for (size_t i = 0; i < 3 && !files.empty(); ++i) {
      const std::string path = cache + "/" + files[Random(files.size())];
      auto bytes = SystemDisk().ReadFile(path, 1 << 28);
      if (!bytes || bytes->empty()) continue;
      if (Random(2) == 0) {
        (*bytes)[Random(bytes->size())] ^= static_cast<char>(1 << Random(8));
      } else {
        bytes->resize(Random(bytes->size()));
      }
      Write(path, *bytes);
    }
    // Sometimes all outputs go too, so that everything must come from what is left.
    if (Random(2) == 0) (void)SystemDisk().RemoveTree(project + "/out").ok();
    MustGive(project, cache, expected, "damaged in round " + std::to_string(round));
  }
  std::printf("damage: %d rounds\n", count);
}

void AtOnce(const std::string& root, int count) {
  const std::string cache = root + "/cache-at-once";
  for (int round = 0; round < count; ++round) {
    // Half of them build one project, the others projects that share most sources with it.
    std::vector<std::string> projects = {root + "/once-0", root + "/once-1", root + "/once-2"};
    for (size_t i = 0; i < projects.size(); ++i) WriteProject(projects[i], 4 + static_cast<int>(i), 100 + round);
    std::vector<pid_t> children;
    const size_t builds = 2 + Random(7);
    for (size_t i = 0; i < builds; ++i) {
      children.push_back(BuildInChild(i % 2 == 0 ? projects[0] : projects[Random(projects.size())], cache));
    }
    for (const pid_t child : children) {
      if (const int exit = WaitFor(child); exit != 0) Fail("a build of several ended with " + std::to_string(exit));
    }
    for (const std::string& project : projects) {
      MustGive(project, cache, Expected(project, root + "/clean"), "several at once");
    }
  }
  std::printf("at once: %d rounds\n", count);
}

void Moved(const std::string& root) {
  const std::string from = root + "/before", to = root + "/somewhere/else", cache = root + "/cache-moved";
  WriteProject(from, 4, 1);
  BuildHere(from, cache);
  (void)SystemDisk().MakeFolders(root + "/somewhere").ok();
  if (!SystemDisk().Rename(from, to).ok()) Fail("cannot move the project");
  build::BuildOptions options;
  options.config = to;
  options.cache_folder = cache;
  options.tool_folder = g_workers;
  diag::Sink sink;
  if (build::Verify(options, sink).exit != build::Exit::kOk) Fail("a moved project is not fresh");
  const auto report = BuildHere(to, cache);
  if (report.exit != build::Exit::kOk || report.actions_run != 0 || report.is_published) {
    Fail("a moved project was built again");
  }
  std::printf("moved: 1 round\n");
}

}  // namespace

int main(int argc, char** argv) {
  int count = 8;
  uint64_t seed = 1;
  bool keeps = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--keep") {
      keeps = true;
    } else if (i + 1 < argc && argument == "--count") {
      count = std::atoi(argv[++i]);
    } else if (i + 1 < argc && argument == "--seed") {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (i + 1 < argc && argument == "--workers") {
      g_workers = argv[++i];
    } else {
      std::fprintf(stderr, "usage: kiln_soak [--count N] [--seed S] [--workers DIR] [--keep]\n");
      return 2;
    }
  }
  g_random.seed(seed);
  const auto folder = SystemDisk().MakeTemporaryFolder(TemporaryFolder(), "kiln-soak-");
  if (!folder) {
    std::fprintf(stderr, "%s\n", folder.error().Message().c_str());
    return 3;
  }
  Kills(*folder, count);
  Damage(*folder, count);
  AtOnce(*folder, std::max(1, count / 8));
  Moved(*folder);
  if (!keeps) (void)SystemDisk().RemoveTree(*folder).ok();
  std::printf(g_failures == 0 ? "soak: all is well (seed %llu)\n" : "soak: FAILED (seed %llu)\n",
              static_cast<unsigned long long>(seed));
  return g_failures == 0 ? 0 : 1;
}
