// SPDX-License-Identifier: Apache-2.0
#include "wgsl_lines.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <sstream>

#include "generate.h"
#include "measure.h"
#include "wgsl_corpus.h"

namespace kiln::bench {

namespace {

namespace fs = std::filesystem;

std::string Amount(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, value < 10 ? "%.1f %s" : "%.0f %s", value, unit);
  return text;
}

class Lines {
 public:
  explicit Lines(const WgslOptions& options) : options_(options) {
    kiln_ = {options.self, "--wgsl"};
    if (!options.naga.empty()) naga_ = {options.naga};
    // Its script stands beside this source, and is passed by bench/run through the working directory.
    if (!options.webgpu.empty()) tint_ = {"node", "--expose-gc", KILN_BENCH_SOURCE "/tint_side.mjs", options.webgpu};
    if (naga_.empty()) std::fprintf(stderr, "bench: naga is not there (--naga PROGRAM): its lines are LEFT OUT\n");
    if (tint_.empty()) std::fprintf(stderr, "bench: Tint is not there (--webgpu FOLDER): its lines are LEFT OUT\n");
  }

  std::vector<Row> Run() {
    std::vector<std::string> large;
    for (unsigned seed = 1; seed <= 8; ++seed) large.push_back(GenerateWgsl(128 * 1024, seed));
    Compare("large generated modules", Write("large", large));
    for (const std::string& corpus : options_.corpora) {
      std::vector<std::string> files = WgslFilesBelow(corpus);
      const std::string label = fs::path(corpus).filename().string();
      Compare("files of " + label, files);
      std::erase_if(files, [](const std::string& file) { return fs::file_size(file) < 10000; });
      Compare("files of 10 KB and more of " + label, files);
    }
    std::vector<std::string> small;
    for (unsigned seed = 1; seed <= 400; ++seed) small.push_back(GenerateSmallWgsl(seed));
    Compare("small generated modules", Write("small", small));
    if (!options_.rows.empty()) {
      std::vector<std::string> rows = AcceptedRows(options_.rows + "/modules.jsonl.xz", 40);
      const std::vector<std::string> programs = AcceptedRows(options_.rows + "/programs.jsonl.xz", 12);
      rows.insert(rows.end(), programs.begin(), programs.end());
      if (rows.empty()) std::fprintf(stderr, "bench: no conformance rows in %s: LEFT OUT\n", options_.rows.c_str());
      Compare("small modules of the conformance data", Write("rows", rows));
    }
    Tiny();
    Linear();
    return std::move(rows_);
  }

 private:
  using Files = std::vector<std::string>;

  Files Write(const std::string& name, const std::vector<std::string>& texts) {
    Files files;
    for (size_t i = 0; i < texts.size(); ++i) {
      files.push_back(options_.folder + "/" + name + "/" + std::to_string(i) + ".wgsl");
      WriteText(files.back(), texts[i]);
    }
    return files;
  }

  std::string Ask(const std::vector<std::string>& side, const char* mode, const Files& files,
                  const std::string& argument) {
    const std::string list = options_.folder + "/list.txt";
    std::string text;
    for (const std::string& file : files) text += file + "\n";
    WriteText(list, text);
    std::vector<std::string> argv = side;
    argv.insert(argv.end(), {mode, list});
    if (!argument.empty()) argv.push_back(argument);
    // Dawn prints warnings of its own; an answer begins with an '@'.
    std::istringstream out(RunMedian({argv, "", {}, false}, 1).out);
    std::string answer;
    for (std::string line; std::getline(out, line);) {
      if (line.starts_with("@ ")) answer += line.substr(2) + "\n";
    }
    return answer;
  }

  /// Removes the files that the side does not accept, or does not make SPIR-V of.
  void Keep(const std::vector<std::string>& side, bool to_spirv, Files& files) {
    if (side.empty() || files.empty()) return;
    std::istringstream answers(Ask(side, "accepts", files, ""));
    Files kept;
    int checked = 0, spirv = 0;
    for (const std::string& file : files) {
      answers >> checked >> spirv;
      if (!answers) {
        std::fprintf(stderr, "bench: %s does not say what it accepts\n", side.back().c_str());
        std::exit(1);
      }
      if (to_spirv ? spirv : checked) kept.push_back(file);
    }
    files = kept;
  }

  /// Processor seconds of one pass of each side; the sides take turns, so that a busy moment meets all of them.
  std::vector<double> Race(const char* mode, const Files& files, const std::vector<std::vector<std::string>>& sides) {
    std::vector<double> best(sides.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < (options_.is_quick ? 1 : 3); ++round) {
      for (size_t i = 0; i < sides.size(); ++i) {
        if (sides[i].empty()) continue;
        const std::string out = Ask(sides[i], mode, files, options_.is_quick ? "0.2" : "0.5");
        best[i] = std::min(best[i], std::strtod(out.c_str(), nullptr));
      }
    }
    return best;
  }

  void Add(Row row) {
    std::fprintf(stderr, "  %-70s %9.2f %s", row.name.c_str(), row.value, row.unit.c_str());
    if (row.other > 0) std::fprintf(stderr, "  %s %.2f, ratio %.2f", row.against.c_str(), row.other, row.Ratio());
    std::fprintf(stderr, "\n");
    rows_.push_back(std::move(row));
  }

  void AddThroughput(const std::string& name, double bytes, double ours, const char* against, double theirs,
                     const char* limit, double least_ratio, double least = 0) {
    Row row{name, bytes / ours / 1e6, "MB/s", against, bytes / theirs / 1e6, limit};
    row.more_is_better = true;
    row.is_met = row.Ratio() >= least_ratio && row.value >= least;
    Add(row);
  }

  void Compare(const std::string& label, Files files) {
    const size_t count = files.size();
    Keep(kiln_, false, files);
    Keep(tint_, false, files);
    Keep(naga_, false, files);
    if (files.empty()) {
      std::fprintf(stderr, "bench: %s: none of %zu is accepted by all\n", label.c_str(), count);
      return;
    }
    const auto describe = [&](const Files& set, double& bytes) {
      bytes = 0;
      for (const std::string& file : set) bytes += static_cast<double>(fs::file_size(file));
      return std::to_string(set.size()) + " " + label + " (" + Amount(bytes / 1000, "KB") + ")";
    };
    double bytes = 0;
    std::string name = describe(files, bytes);
    std::vector<double> seconds = Race("checked", files, {kiln_, tint_, naga_});
    const bool is_alone = tint_.empty() && naga_.empty();
    if (is_alone) Add({"parse+validate, " + name, bytes / seconds[0] / 1e6, "MB/s", "", 0, "", {}});
    if (!tint_.empty()) {
      AddThroughput("parse+validate, " + name, bytes, seconds[0], "Tint (webgpu 0.6.2)", seconds[1], "5 times", 5);
    }
    if (!naga_.empty())
      AddThroughput("parse+validate, " + name, bytes, seconds[0], "naga 30", seconds[2], "2 times", 2);
    Keep(kiln_, true, files);
    Keep(naga_, true, files);
    if (files.empty()) return;
    name = describe(files, bytes);
    seconds = Race("spirv", files, {kiln_, naga_});
    if (naga_.empty()) {
      Add({"to SPIR-V, " + name, bytes / seconds[0] / 1e6, "MB/s", "", 0, "40 MB/s", bytes / seconds[0] >= 40e6});
    } else {
      AddThroughput("to SPIR-V, " + name, bytes, seconds[0], "naga 30", seconds[1], "3 times, 40 MB/s", 3, 40);
    }
  }

  void Tiny() {
    const Files files = Write("tiny", TinyWgsl());
    const char* const kNames[] = {"empty compute", "fragment", "vertex", "compute with a buffer"};
    for (size_t i = 0; i < files.size(); ++i) {
      // One pass over the same file many times: a single one is shorter than a clock can see.
      const Files many(1000, files[i]);
      const double checked = Race("checked", many, {kiln_})[0] * 1e6 / 1000;
      const double spirv = Race("spirv", many, {kiln_})[0] * 1e6 / 1000;
      const std::string name = std::string("tiny module, ") + kNames[i];
      Add({name + ", string to checked", checked, "us", "", 0, "", {}});
      Add({name + ", string to SPIR-V", spirv, "us", "", 0, "under 50 us", spirv < 50});
    }
  }

  void Linear() {
    double first[2] = {};
    double first_again[2] = {};
    for (const size_t bytes : {size_t{10'000}, size_t{100'000}, size_t{1'000'000}, size_t{10'000'000}}) {
      const Files files = Write("linear", {GenerateWgsl(bytes, 77)});
      const double size = static_cast<double>(fs::file_size(files[0]));
      const std::string name = "one module of " + Amount(size / 1000, "KB");
      for (const bool to_spirv : {false, true}) {
        const std::string what = name + (to_spirv ? ", to SPIR-V" : ", parse+validate");
        const double again = Race(to_spirv ? "spirv" : "checked", files, {kiln_})[0];
        // Linear: no byte of the largest costs more than twice a byte of the smallest, which has its memory in the
        // caches.
        Row warm{what, size / again / 1e6, "MB/s"};
        double& smallest = first_again[to_spirv];
        if (smallest == 0) {
          smallest = warm.value;
        } else {
          warm.limit = "linear";
          warm.is_met = warm.value * 2 >= smallest;
        }
        Add(warm);
        // And as the first of a process, so that all sizes meet memory and caches in the same state, no byte of a
        // larger module costs more than 1.25 times one of the smallest.
        const double once = Race(to_spirv ? "first-spirv" : "first-checked", files, {kiln_})[0];
        double& small = first[to_spirv];
        Row row{what + ", first of its process", size / once / 1e6, "MB/s"};
        if (small == 0) {
          small = row.value;
        } else {
          row.limit = "linear";
          row.is_met = row.value * 1.25 >= small;
        }
        Add(row);
        if (size < 1e6) continue;
        std::istringstream memory(Ask(kiln_, "memory", files, to_spirv ? "spirv" : "checked"));
        double peak = 0, kept = 0;
        memory >> peak >> kept;
        Add({name + (to_spirv ? ", to SPIR-V" : ", parse+validate") + ", peak memory a byte", peak / size, "B"});
        if (to_spirv) Add({name + ", memory of the module a byte", kept / size, "B"});
      }
    }
  }

  const WgslOptions& options_;
  std::vector<std::string> kiln_, naga_, tint_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> WgslLines(const WgslOptions& options) { return Lines(options).Run(); }

}  // namespace kiln::bench
