// SPDX-License-Identifier: Apache-2.0
// The measured lines of the project, each beside the tool it is compared with, on this machine, now.
//   kiln_bench KILN WORK_FOLDER [--quick] [--toolchain NAME] [--only TEXT] [--most ARTIFACTS]
// Prints a table and writes WORK_FOLDER/results.json.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/json_writer.h"
#include "generate.h"
#include "measure.h"
#include "row.h"
#include "wgsl_lines.h"
#include "wgsl_side.h"

namespace kiln::bench {
namespace {

namespace fs = std::filesystem;

class Bench {
 public:
  Bench(std::string kiln, std::string folder, std::string self)
      : kiln_(std::move(kiln)), folder_(std::move(folder)), self_(std::move(self)) {}

  bool is_quick = false;
  size_t most_artifacts = 50000;
  std::string toolchain;
  std::string only;
  WgslOptions wgsl;

  int Run() {
    if (Wants("start")) StartUp();
    if (Wants("translate")) TranslateTiny();
    if (Wants("cold")) Cold();
    if (Wants("noop")) {
      for (const size_t artifacts : {size_t{1000}, size_t{10000}, size_t{50000}}) {
        if (artifacts <= (is_quick ? 1000 : most_artifacts)) NoChange(artifacts);
      }
    }
    if (Wants("wgsl")) {
      wgsl.is_quick = is_quick;
      wgsl.folder = Fresh("wgsl");
      wgsl.self = self_;
      for (Row& row : WgslLines(wgsl)) rows_.push_back(std::move(row));
    }
    Print();
    fs::remove_all(folder_ + "/old");
    return 0;
  }

 private:
  bool Wants(const char* part) const { return only.empty() || only.find(part) != std::string::npos; }

  std::string Fresh(const std::string& name) {
    std::string path = folder_ + "/" + name;
    PutAside(path);
    fs::create_directories(path);
    return path;
  }

  Command Kiln(std::vector<std::string> arguments, const std::string& folder) const {
    arguments.insert(arguments.begin(), kiln_);
    return {arguments, folder, {"KILN_CACHE_DIR=" + folder_ + "/cache"}, false};
  }

  void Add(Row row) {
    std::fprintf(stderr, "  %-58s %10.3f %s\n", row.name.c_str(), row.value, row.unit.c_str());
    rows_.push_back(std::move(row));
  }

  void StartUp() {
    const Measured version = RunMedian(Kiln({"--version"}, folder_), is_quick ? 11 : 101);
    Row row{"start-up: kiln --version", version.seconds * 1000, "ms", "", 0, "under 10 ms", version.seconds < 0.010};
    Add(row);
  }

  // A toolchain set of Kiln, and where commands of the same compilers are: the same work is compared by both.
  struct Peer {
    std::string set;
    std::string bin;  // ends with a slash; empty: those on the PATH, which are Debian's
    std::string tools;
  };

  std::vector<Peer> Peers() const {
    std::vector<Peer> peers;
    const std::string beside = fs::path(kiln_).parent_path().string() + "/kiln-worker-";
    if (fs::exists(beside + "debian")) peers.push_back({"debian", "", "Debian's"});
    const std::string bin = KILN_CURRENT_BIN;
    if (fs::exists(beside + "current")) {
      if (fs::exists(bin + "/glslangValidator")) peers.push_back({"current", bin + "/", "current's own"});
      peers.push_back({"current", "", "Debian's"});
    }
    if (!toolchain.empty()) std::erase_if(peers, [&](const Peer& peer) { return peer.set != toolchain; });
    if (peers.empty()) peers.push_back({toolchain, "", "Debian's"});
    return peers;
  }

  void TranslateTiny() {
    const std::string folder = Fresh("tiny");
    WriteText(folder + "/a.frag",
              "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n");
    const int times = is_quick ? 5 : 21;
    double debian_ms = 0;
    for (const Peer& peer : Peers()) {
      const Measured other =
          RunMedian({{peer.bin + "glslangValidator", "-V", "a.frag", "-o", "b.spv"}, folder, {}, false}, times);
      if (peer.bin.empty()) debian_ms = other.seconds * 1000;
      std::vector<std::string> arguments = {"translate", "a.frag", "-o", "a.spv", "--no-cache"};
      if (!peer.set.empty()) arguments.insert(arguments.end(), {"--toolchain", peer.set});
      const Measured ours = RunMedian(Kiln(arguments, folder), times);
      Row row{"translate of one tiny shader, no cache, set " + peer.set,
              ours.seconds * 1000,
              "ms",
              peer.tools + " glslangValidator",
              other.seconds * 1000,
              "no slower",
              ours.seconds <= other.seconds};
      row.cpu_ratio = other.cpu_seconds / ours.cpu_seconds;
      Add(row);
    }
    std::vector<std::string> arguments = {"translate", "a.frag", "-o", "a.spv"};
    if (!toolchain.empty()) arguments.insert(arguments.end(), {"--toolchain", toolchain});
    RunMedian(Kiln(arguments, folder), 1);
    const Measured warm = RunMedian(Kiln(arguments, folder), times);
    Add({"translate of one tiny shader, cached",
         warm.seconds * 1000,
         "ms",
         "Debian's glslangValidator",
         debian_ms,
         "",
         {}});
  }

  void Cold() {
    const size_t count = is_quick ? 20 : 200;
    const std::string label = std::to_string(count) + " shaders to SPIR-V, MSL, HLSL, ESSL";
    // One compilation, one optimisation, one validation, three translations of what was compiled: as kiln.json asks.
    // Errors end it: half of the work would be quick.
    const std::string script =
        "set -e\ns=$1\no=plain/$(basename $s)\nglslangValidator -V --target-env vulkan1.1 -Ishaders $s -o $o.spv "
        ">/dev/null\n"
        "spirv-opt -O $o.spv -o $o.opt.spv\nspirv-val --target-env vulkan1.1 $o.opt.spv\n"
        "spirv-cross $o.spv --msl --msl-version 20400 --output $o.metal\n"
        "spirv-cross $o.spv --hlsl --shader-model 60 --output $o.hlsl\n"
        "spirv-cross $o.spv --es --version 310 --output $o.essl\n";
    std::string folder;
    for (const Peer& peer : Peers()) {
      folder = Fresh("cold");
      WriteRealistic(folder, count, peer.set);
      WriteText(folder + "/plain.sh", script);
      fs::create_directories(folder + "/plain");
      const Measured plain =
          RunMedian({{"sh", "-c",
                      (peer.bin.empty() ? "" : "PATH=" + peer.bin + ":$PATH; ") +
                          "ls shaders/*.frag shaders/*.vert shaders/*.comp | xargs -P2 -n1 sh plain.sh"},
                     folder,
                     {},
                     false},
                    1);
      std::vector<Measured> runs;
      for (int i = 0; i < 3; ++i) {
        Forget(folder);
        runs.push_back(RunMedian(Kiln({"build", "-j2"}, folder), 1));
      }
      std::sort(runs.begin(), runs.end(), [](const Measured& a, const Measured& b) { return a.seconds < b.seconds; });
      const Measured& cold = runs[1];
      Row row{label + ", cold, -j2, set " + peer.set, cold.seconds,  "s",
              peer.tools + " by xargs -P2",           plain.seconds, "15 times faster",
              plain.seconds >= 15 * cold.seconds};
      row.cpu_ratio = plain.cpu_seconds / cold.cpu_seconds;
      Add(row);
    }
    // Looking at the memory of processes takes a tenth of the machine: in a run of its own.
    Forget(folder);
    Command build = Kiln({"build", "-j2"}, folder);
    build.samples_memory = true;
    Add({"peak memory of a worker in it",
         static_cast<double>(RunMedian(build, 1).child_peak_bytes) / 1048576,
         "MiB",
         "",
         0,
         "",
         {}});

    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
      PutAside(folder + "/out");
      times.push_back(RunMedian(Kiln({"build", "-j2"}, folder), 1).seconds);
    }
    std::sort(times.begin(), times.end());
    const double each = times[2] * 1000 / static_cast<double>(count * 4);
    Add({"the same, outputs deleted, warm cache, an artifact", each, "ms", "", 0, "under 1 ms", each < 1});
    const Measured noop = RunMedian(Kiln({"build", "-j2"}, folder), 5);
    Add({"the same, nothing to do", noop.seconds * 1000, "ms", "", 0, "", {}});
  }

  void Forget(const std::string& folder) {
    PutAside(folder_ + "/cache");
    PutAside(folder + "/out");
  }

  // Removed when all is measured: ext4 without a journal does not use an inode again for seconds after its file was
  // removed, and whoever makes files next searches past all of them.
  void PutAside(const std::string& path) {
    if (!fs::exists(path)) return;
    fs::create_directories(folder_ + "/old");
    fs::rename(path, folder_ + "/old/" + std::to_string(put_aside_++));
  }

  void NoChange(size_t artifacts) {
    const size_t sources = artifacts / 4;
    const std::string folder = Fresh("many");
    WriteMany(folder, sources, toolchain);
    WriteNinja(folder, sources, self_);
    const std::string label = std::to_string(artifacts) + " artifacts from " + std::to_string(sources) + " sources";

    RunMedian({{"ninja", "--quiet"}, folder, {}, false}, 1);
    const int times = is_quick ? 3 : 9;
    const Measured ninja = RunMedian({{"ninja"}, folder, {}, false}, times);
    Command build = Kiln({"build"}, folder);
    build.samples_memory = artifacts == 10000;
    const Measured first = RunMedian(build, 1);
    if (build.samples_memory) {
      Add({"peak memory of kiln itself, " + label + ", first build",
           static_cast<double>(first.own_peak_bytes) / 1048576,
           "MiB",
           "",
           0,
           "",
           {}});
      Add({"peak memory of a worker in it",
           static_cast<double>(first.child_peak_bytes) / 1048576,
           "MiB",
           "",
           0,
           "",
           {}});
    }
    const Measured noop = RunMedian(Kiln({"build"}, folder), times);
    if (noop.out.find("nothing to do") == std::string::npos) {
      std::fprintf(stderr, "bench: the second build had something to do:\n%s\n", noop.out.c_str());
      std::exit(1);
    }
    Row row{"no change, " + label, noop.seconds * 1000, "ms", "ninja", ninja.seconds * 1000, "", {}};
    row.cpu_ratio = ninja.cpu_seconds / noop.cpu_seconds;
    if (artifacts == 10000) {
      row.limit = "below ninja";
      row.is_met = noop.seconds < ninja.seconds;
      build.argv = {kiln_, "build"};
      const Measured again = RunOnce(build);
      Add({"peak memory of kiln itself, no change, " + label,
           static_cast<double>(again.own_peak_bytes) / 1048576,
           "MiB",
           "",
           0,
           "",
           {}});
    }
    Add(row);
    const Measured verify = RunMedian(Kiln({"verify"}, folder), times);
    Add({"verify, " + label, verify.seconds * 1000, "ms", "", 0, "", {}});
  }

  void Print() {
    std::string cpu = "unknown processor";
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
      if (line.rfind("model name", 0) == 0) {
        cpu = line.substr(line.find(':') + 2);
        break;
      }
    }
    const unsigned cores = std::thread::hardware_concurrency();
    std::printf("%s, %u cores, toolchain %s\n\n", cpu.c_str(), cores,
                toolchain.empty() ? "default" : toolchain.c_str());
    std::printf("%-62s %12s  %-24s %12s %8s %8s  %s\n", "what", "kiln", "against", "it", "ratio", "by cpu", "limit");
    std::string out;
    json::Writer writer(out, json::Layout::kIndented);
    writer.BeginObject().Member("processor", cpu).Member("cores", cores).Member("toolchain", toolchain);
    writer.Key("rows").BeginArray();
    for (const Row& row : rows_) {
      char other[64] = "", ratio[64] = "", by_cpu[64] = "";
      if (!row.against.empty()) {
        std::snprintf(other, sizeof other, "%.2f %s", row.other, row.unit.c_str());
        std::snprintf(ratio, sizeof ratio, "%.2f", row.Ratio());
        if (row.cpu_ratio > 0) std::snprintf(by_cpu, sizeof by_cpu, "%.2f", row.cpu_ratio);
      }
      const char* met = !row.is_met ? "" : *row.is_met ? " (met)" : " (NOT met)";
      std::printf("%-62s %9.2f %-3s %-24s %12s %8s %8s  %s%s\n", row.name.c_str(), row.value, row.unit.c_str(),
                  row.against.c_str(), other, ratio, by_cpu, row.limit.c_str(), met);
      writer.BeginObject().Member("name", row.name).Member("value", row.value).Member("unit", row.unit);
      if (!row.against.empty())
        writer.Member("against", row.against).Member("other", row.other).Member("ratio", row.Ratio());
      if (row.cpu_ratio > 0) writer.Member("cpuRatio", row.cpu_ratio);
      if (!row.limit.empty()) writer.Member("limit", row.limit);
      if (row.is_met) writer.Member("met", *row.is_met);
      writer.EndObject();
    }
    writer.EndArray().EndObject();
    WriteText(folder_ + "/results.json", out + "\n");
  }

  std::string kiln_;
  std::string folder_;
  std::string self_;
  std::vector<Row> rows_;
  size_t put_aside_ = 0;
};

int Main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--touch") == 0) return Touch(argv[2], argv[3], argv[4]);
  if (argc < 3) {
    std::fprintf(
        stderr,
        "usage: kiln_bench KILN WORK_FOLDER [--quick] [--toolchain NAME] [--only start,translate,cold,noop,wgsl] "
        "[--most N]\n"
        "       [--wgsl-corpus FOLDER]... [--wgsl-rows FOLDER] [--naga PROGRAM] [--webgpu FOLDER]\n");
    return 2;
  }
  if (IsWgslSide(argc, argv)) return WgslSide(argc, argv);
  fs::create_directories(argv[2]);
  Bench bench(fs::canonical(argv[1]).string(), fs::canonical(argv[2]).string(), fs::canonical(argv[0]).string());
  for (int i = 3; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) bench.is_quick = true;
    if (std::strcmp(argv[i], "--toolchain") == 0 && i + 1 < argc) bench.toolchain = argv[++i];
    if (std::strcmp(argv[i], "--most") == 0 && i + 1 < argc) bench.most_artifacts = std::stoul(argv[++i]);
    if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) bench.only = argv[++i];
    if (std::strcmp(argv[i], "--wgsl-corpus") == 0 && i + 1 < argc) bench.wgsl.corpora.push_back(argv[++i]);
    if (std::strcmp(argv[i], "--wgsl-rows") == 0 && i + 1 < argc) bench.wgsl.rows = argv[++i];
    if (std::strcmp(argv[i], "--naga") == 0 && i + 1 < argc) bench.wgsl.naga = argv[++i];
    if (std::strcmp(argv[i], "--webgpu") == 0 && i + 1 < argc) bench.wgsl.webgpu = argv[++i];
  }
  return bench.Run();
}

}  // namespace
}  // namespace kiln::bench

int main(int argc, char** argv) { return kiln::bench::Main(argc, argv); }
