// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "base/clock.h"
#include "base/files.h"
#include "base/json_writer.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/toolchains.h"
#include "diag/render.h"
#include "store/store.h"

namespace kiln::cli {

namespace {

// The oldest versions whose output the tests know.
struct Floor {
  std::string_view toolchain;
  std::string_view version;
};
constexpr Floor kFloors[] = {{"glslang", "12.0"}, {"spirv-cross", "2021.01.15"}, {"spirv-tools", "2023.1"}};

// SPIRV-Cross has commits for versions, which have no order.
bool IsBelowFloor(const worker::Toolchain& toolchain) {
  for (const Floor& floor : kFloors) {
    if (floor.toolchain == toolchain.name && toolchain.name != "spirv-cross") {
      return worker::CompareVersions(toolchain.version, floor.version) < 0;
    }
  }
  return false;
}

class DoctorCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override { table.Flag("--json", &is_json_, "print as JSON"); }

  Exit Run(Session& session) override {
    const worker::Discovery found = FindToolchains(session, true);
    const std::string folder = CacheFolder(session);
    std::string cache_problem = "there is no cache folder: neither HOME nor KILN_CACHE_DIR is set";
    if (!folder.empty()) cache_problem = CacheProblem(folder);
    if (is_json_) {
      session.Out(Json(found, folder, cache_problem));
    } else {
      session.Out(Text(found, folder, cache_problem));
    }
    if (!found.sets.empty()) return Exit::kFine;
    session.sink.Error("no-toolchain").Hint("'make build' in Kiln's source tree builds one") << "no toolchain set was "
                                                                                                "found";
    return Exit::kEnvironment;
  }

 private:
  static std::string CacheProblem(const std::string& folder) {
    Disk& disk = SystemDisk();
    if (const auto made = disk.MakeFolders(folder); !made) return made.error().Message();
    const std::string probe = folder + "/.kiln-doctor";
    if (const auto written = disk.WriteFile(probe, "probe"); !written) return written.error().Message();
    if (const auto removed = disk.Remove(probe); !removed) return removed.error().Message();
    return {};
  }

  static std::string Text(const worker::Discovery& found, const std::string& folder, const std::string& problem) {
    using diag::Visible;
    std::string out = "kiln " KILN_VERSION ", " + Count(std::thread::hardware_concurrency(), "processor") + "\n\n";
    out += "toolchain sets\n";
    if (found.sets.empty()) out += "  none\n";
    for (const worker::ToolchainSet& set : found.sets) {
      out += "  " + Visible(set.name()) + (&set == &found.sets.front() ? " (default)" : "") + "  " +
             Visible(set.executable) + "\n";
      for (const worker::Toolchain& toolchain : set.identity.toolchains) {
        out += "    " + Visible(toolchain.name) + " " + Visible(toolchain.version);
        if (IsBelowFloor(toolchain)) out += "  older than what Kiln is tested with";
        out += "\n";
      }
      out += "    can";
      for (const std::string& operation : set.identity.operations) out += " " + Visible(operation);
      out += "\n";
    }
    for (const worker::UnusableWorker& worker : found.unusable) {
      out += "  unusable: " + Visible(worker.executable) + ": " + Visible(worker.reason) + "\n";
    }
    out += "  looked in";
    for (const std::string& looked : worker::WorkerFolders()) out += " " + Visible(looked);
    out += "\n\ncache\n  " + (folder.empty() ? "none" : Visible(folder)) + "\n";
    if (!problem.empty()) return out + "  " + Visible(problem) + " (builds work, nothing is remembered)\n";
    store::Store store(SystemDisk(), SystemClock(), folder);
    const store::Stats stats = store.Measure();
    return out + "  " + Count(stats.action_entries, "action") + ", " + Size(stats.total_bytes()) + "\n";
  }

  static std::string Json(const worker::Discovery& found, const std::string& folder, const std::string& problem) {
    std::string out;
    json::Writer writer(out, json::Layout::kIndented);
    writer.BeginObject().Member("version", KILN_VERSION).Key("toolchainSets").BeginArray();
    for (const worker::ToolchainSet& set : found.sets) {
      writer.BeginObject().Member("name", set.name()).Member("executable", set.executable);
      writer.Member("default", &set == &found.sets.front()).Key("toolchains").BeginArray();
      for (const worker::Toolchain& toolchain : set.identity.toolchains) {
        writer.BeginObject().Member("name", toolchain.name).Member("version", toolchain.version);
        writer.Member("belowFloor", IsBelowFloor(toolchain)).EndObject();
      }
      writer.EndArray().Key("operations").BeginArray();
      for (const std::string& operation : set.identity.operations) writer.String(operation);
      writer.EndArray().EndObject();
    }
    writer.EndArray().Key("unusable").BeginArray();
    for (const worker::UnusableWorker& worker : found.unusable) {
      writer.BeginObject().Member("executable", worker.executable).Member("reason", worker.reason).EndObject();
    }
    writer.EndArray().Key("cache").BeginObject().Member("folder", folder);
    if (!problem.empty()) writer.Member("problem", problem);
    writer.EndObject().EndObject();
    return out + "\n";
  }

  bool is_json_ = false;
};

}  // namespace

extern const CommandInfo kDoctorCommand{
    "doctor", "what toolchains and caches are found, and what is missing",
    "Exit 3 when no toolchain set is found: nothing but WGSL could be compiled then.\n",
    [] { return std::unique_ptr<Command>(new DoctorCommand); }};

}  // namespace kiln::cli
