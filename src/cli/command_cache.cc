// SPDX-License-Identifier: Apache-2.0
#include <charconv>

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

// "500M", "4G", "1048576"; 1024-based.
std::string ParseSize(std::string_view text, std::optional<uint64_t>& out) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  int shift = -1;
  for (const std::string_view tail : {"iB", "B", "b"}) {
    if (unit.size() > 1 && unit.ends_with(tail)) unit.remove_suffix(tail.size());
  }
  if (unit.empty() || unit == "B") shift = 0;
  if (unit == "K" || unit == "k") shift = 10;
  if (unit == "M") shift = 20;
  if (unit == "G") shift = 30;
  if (error != std::errc() || shift < 0 || number > (UINT64_MAX >> shift)) {
    return "'" + std::string(text) + "' is not a size, as 500M or 4G";
  }
  out = number << shift;
  return {};
}

class CacheCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("stats|prune|clear|path", &action_, 1, 1, "what to do", Complete::kWord);
    table.Call("--max-size", "SIZE", "prune: keep at most this much, longest unused first (default: 4G)",
               [this](std::string_view text) { return ParseSize(text, max_size_); });
    table.Flag("--json", &is_json_, "print as JSON");
  }

  Exit Run(Session& session) override {
    const std::string& action = action_.front();
    if (action != "stats" && action != "prune" && action != "clear" && action != "path") {
      const std::string near = NearestWord(action, {"stats", "prune", "clear", "path"});
      return UsageError(session, "cache", "'" + action + "' is none of stats, prune, clear, path",
                        near.empty() ? "" : "did you mean '" + near + "'?");
    }
    const std::string folder = CacheFolder(session);
    if (folder.empty()) {
      session.sink.Error("no-cache-folder") << "there is no cache folder: neither HOME nor KILN_CACHE_DIR is set";
      return Exit::kEnvironment;
    }
    if (action == "path") {
      session.Out(folder + "\n");
      return Exit::kFine;
    }
    store::Store store(SystemDisk(), SystemClock(), folder);
    if (action == "stats") return Stats(session, store);
    if (action == "prune") return Prune(session, store);
    const Outcome<Done> cleared = store.Clear();
    if (!cleared) {
      session.sink.Error("cache-unwritable") << cleared.error().Message();
      return Exit::kEnvironment;
    }
    session.Say("cleared " + diag::Visible(folder) + "\n");
    return Exit::kFine;
  }

 private:
  Exit Stats(Session& session, store::Store& store) {
    const store::Stats stats = store.Measure();
    if (is_json_) {
      std::string out;
      json::Writer writer(out, json::Layout::kIndented);
      writer.BeginObject().Member("folder", store.folder());
      writer.Member("actionEntries", stats.action_entries).Member("actionBytes", stats.action_bytes);
      writer.Member("blobs", stats.blobs).Member("blobBytes", stats.blob_bytes);
      writer.Member("totalBytes", stats.total_bytes()).EndObject();
      session.Out(out + "\n");
    } else {
      session.Out("folder   " + diag::Visible(store.folder()) + "\nactions  " + std::to_string(stats.action_entries) +
                  " (" + Size(stats.action_bytes) + ")\nblobs    " + std::to_string(stats.blobs) + " (" +
                  Size(stats.blob_bytes) + ")\ntotal    " + Size(stats.total_bytes()) + "\n");
    }
    return Problem(session, store);
  }

  Exit Prune(Session& session, store::Store& store) {
    const store::PruneResult result = store.Prune(max_size_.value_or(store::Options().max_bytes));
    session.Say("removed " + Count(result.removed_files, "file") + " (" + Size(result.removed_bytes) + "), kept " +
                Count(result.kept_files, "file") + " (" + Size(result.kept_bytes) + ")\n");
    if (result.refusal) {
      session.sink.Error("cache-unwritable") << result.refusal->Message();
      return Exit::kEnvironment;
    }
    return Problem(session, store);
  }

  static Exit Problem(Session& session, const store::Store& store) {
    const std::optional<OsError> problem = store.Problem();
    if (!problem) return Exit::kFine;
    session.sink.Error("cache-unwritable") << problem->Message();
    return Exit::kEnvironment;
  }

  std::vector<std::string> action_;
  std::optional<uint64_t> max_size_;
  bool is_json_ = false;
};

}  // namespace

extern const CommandInfo kCacheCommand{
    "cache", "statistics, pruning and clearing of the local cache",
    "The cache is shared by all projects of a user and safe to remove at any time: a build then compiles again.\n\n"
    "  kiln cache stats\n  kiln cache prune --max-size 500M\n",
    [] { return std::unique_ptr<Command>(new CacheCommand); }};

}  // namespace kiln::cli
