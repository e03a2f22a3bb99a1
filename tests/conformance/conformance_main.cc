// SPDX-License-Identifier: Apache-2.0
// kiln_conformance: compares the WGSL front end's verdicts with the conformance files, by area.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "front_end.h"
#include "mutate.h"
#include "pool.h"
#include "report.h"
#include "row.h"

namespace kiln::conformance {
namespace {

constexpr const char* kHelp =
    "usage: kiln_conformance [options]\n"
    "  --data FOLDER      where the *.jsonl.xz files stand (default: $DATA, then the shared folder)\n"
    "  --file NAME        modules, asserts, pipelines, programs or runs; may be repeated (default: all of them)\n"
    "  --filter TEXT      only rows whose test name contains TEXT\n"
    "  --sample N         only N rows a file, the same ones each time\n"
    "  --row N            only row N of a file; prints what was reported\n"
    "  --jobs N           processes (default 2)\n"
    "  --worst N          how many areas to print (default 12)\n"
    "  --dump FOLDER      writes each disagreement as a .wgsl file\n"
    "  --lines            dumps rejects with another first line too\n"
    "  --report FILE      writes the whole table as Markdown\n"
    "  --records FOLDER   with --report: adds what kiln_conformance_execute --record left there (*.tsv)\n"
    "  --require N        exit 1 if fewer than N percent of a file agree, or anything crashes or hangs\n"
    "  --mutate N         checks N damaged variants of each row; only crashes and hangs count\n"
    "  --seed N           of --mutate (default 1)\n";

struct Options {
  std::string data;
  std::vector<std::string> files;
  std::string filter;
  size_t sample = 0;
  size_t row = 0;
  PoolOptions pool;
  size_t worst = 12;
  std::string dump;
  bool dump_lines = false;
  std::string report;
  std::string records;
  double require = 0;
  size_t mutate = 0;
  uint64_t seed = 1;
};

[[noreturn]] void Usage(const std::string& what) {
  std::fprintf(stderr, "kiln_conformance: %s\n%s", what.c_str(), kHelp);
  std::exit(2);
}

std::string DefaultData() {
  if (const char* data = std::getenv("DATA"); data != nullptr && *data != 0) return data;
  const char* shared = std::getenv("KILN_SHARED_DIR");
  return std::string(shared != nullptr && *shared != 0 ? shared : KILN_SHARED_DIR) + "/conformance/wgsl";
}

Options ParseArguments(int argc, char** argv) {
  Options options;
  options.data = DefaultData();
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) Usage(name + " needs a value");
      return argv[++i];
    };
    const auto number = [&] {
      const std::string text = value();
      char* end = nullptr;
      const double parsed = std::strtod(text.c_str(), &end);
      if (text.empty() || *end != 0 || parsed < 0) Usage(name + " needs a number, found '" + text + "'");
      return parsed;
    };
    if (name == "--data")
      options.data = value();
    else if (name == "--file")
      options.files.push_back(value());
    else if (name == "--filter")
      options.filter = value();
    else if (name == "--sample")
      options.sample = static_cast<size_t>(number());
    else if (name == "--row")
      options.row = static_cast<size_t>(number());
    else if (name == "--jobs")
      options.pool.jobs = static_cast<unsigned>(number());
    else if (name == "--worst")
      options.worst = static_cast<size_t>(number());
    else if (name == "--dump")
      options.dump = value();
    else if (name == "--lines")
      options.dump_lines = true;
    else if (name == "--report")
      options.report = value();
    else if (name == "--records")
      options.records = value();
    else if (name == "--require")
      options.require = number();
    else if (name == "--mutate")
      options.mutate = static_cast<size_t>(number());
    else if (name == "--seed")
      options.seed = static_cast<uint64_t>(number());
    else if (name == "--help")
      std::fputs(kHelp, stdout), std::exit(0);
    else
      Usage("unknown option " + name);
  }
  if (options.files.empty()) options.files = {"modules", "asserts", "pipelines", "programs", "runs"};
  return options;
}

/// `count` rows spread evenly, the same ones each time.
std::vector<Row> Sample(std::vector<Row> rows, size_t count) {
  if (count == 0 || rows.size() <= count) return rows;
  std::vector<Row> sample;
  for (size_t i = 0; i < count; ++i) sample.push_back(std::move(rows[i * rows.size() / count]));
  return sample;
}

std::vector<Row> Mutated(const std::vector<Row>& rows, const Options& options) {
  std::vector<Row> mutated;
  for (const Row& row : rows) {
    for (size_t i = 0; i < options.mutate; ++i) {
      mutated.push_back(row);
      mutated.back().code = Mutate(row.code, options.seed * 1'000'003 + row.number * 64 + i);
    }
  }
  return mutated;
}

void Dump(const Options& options, const std::string& file, const Row& row, const Outcome& outcome, Verdict verdict) {
  const std::string folder = options.dump + "/" + NameOf(verdict);
  std::filesystem::create_directories(folder);
  std::string area = row.Area();
  for (char& c : area) c = c == ',' || c == '/' ? '.' : c;
  std::ofstream out(folder + "/" + area + "." + file + std::to_string(row.number) + ".wgsl");
  out << row.code << "\n// row " << file << ' ' << row.number << ' ' << row.test << '\n';
  if (row.has_pipeline) {
    out << "// entry point '" << row.entry_point << "'";
    for (const auto& [name, value] : row.constants) out << ' ' << name << '=' << value;
    out << '\n';
  }
  out << "// " << NameOf(verdict);
  if (row.line != 0) out << ", reference line " << row.line;
  if (outcome.state == State::kRejected) {
    out << ", found line " << outcome.line << " [" << outcome.code << "] " << outcome.message;
  }
  out << '\n';
}

double Now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool RunFile(const Options& options, const std::string& file, std::vector<Exclusion>& exclusions,
             std::vector<FileReport>& reports) {
  std::string path = options.data + "/" + file + ".jsonl.xz";
  if (!std::filesystem::exists(path)) path = options.data + "/" + file + ".jsonl";
  std::vector<Row> rows;
  std::string error;
  if (!ReadRows(path, rows, error)) {
    std::fprintf(stderr, "kiln_conformance: %s\n", error.c_str());
    return false;
  }
  std::erase_if(rows, [&](const Row& row) {
    if (options.row != 0 && row.number != options.row) return true;
    if (row.test.find(options.filter) == std::string::npos) return true;
    Exclusion* exclusion = FindExclusion(row.code, exclusions);
    if (exclusion != nullptr) ++exclusion->rows;
    return exclusion != nullptr;
  });
  rows = Sample(std::move(rows), options.sample);
  if (options.mutate != 0) rows = Mutated(rows, options);
  FileReport report;
  report.file = file;
  const double start = Now();
  const std::vector<Outcome> outcomes =
      RunPool(rows.size(), options.pool, [&rows](size_t i, Outcome& outcome) { CheckRow(rows[i], outcome); });
  report.seconds = Now() - start;
  for (size_t i = 0; i < rows.size(); ++i) {
    Verdict verdict = Judge(rows[i], outcomes[i]);
    if (options.mutate != 0 && verdict != Verdict::kCrashed && verdict != Verdict::kHung) verdict = Verdict::kAgreed;
    report.Count(rows[i], verdict);
    if (options.row != 0) {
      std::printf("%s\n-- %s: %s line %u (reference %u) [%s] %s\n", rows[i].code.c_str(), rows[i].test.c_str(),
                  NameOf(verdict), outcomes[i].line, rows[i].line, outcomes[i].code, outcomes[i].message);
    }
    if (verdict == Verdict::kCrashed || verdict == Verdict::kHung) {
      std::printf("%s: %s row %zu: %s\n", NameOf(verdict), file.c_str(), rows[i].number, rows[i].test.c_str());
    }
    const bool wrong = verdict != Verdict::kAgreed && (verdict != Verdict::kOtherLine || options.dump_lines);
    if (wrong && !options.dump.empty()) Dump(options, file, rows[i], outcomes[i], verdict);
  }
  reports.push_back(std::move(report));
  return true;
}

/// In the order of the names of their files.
std::vector<Record> ReadRecords(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".tsv") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Record> records;
  records.reserve(paths.size());
  for (const std::string& path : paths) records.push_back(ReadRecord(path));
  std::erase_if(records, [](const Record& record) { return record.title.empty(); });
  return records;
}

int Main(int argc, char** argv) {
  const Options options = ParseArguments(argc, argv);
  std::vector<Exclusion> exclusions;
  std::string error;
  if (!ReadExclusions(KILN_SOURCE_DIR "/tests/conformance/exclusions.txt", exclusions, error)) {
    std::fprintf(stderr, "kiln_conformance: %s\n", error.c_str());
    return 2;
  }
  std::vector<FileReport> reports;
  for (const std::string& file : options.files) {
    if (!RunFile(options, file, exclusions, reports)) return 2;
  }
  PrintSummary(reports, exclusions, options.worst);
  if (!options.report.empty()) {
    std::ofstream out(options.report);
    out << Markdown(reports, exclusions, ReadRecords(options.records));
    if (!out.flush()) {
      std::fprintf(stderr, "kiln_conformance: %s: cannot be written\n", options.report.c_str());
      return 2;
    }
  }
  for (const FileReport& report : reports) {
    if (report.total.crashes + report.total.hangs != 0 || report.total.AgreedPercent() < options.require) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace kiln::conformance

int main(int argc, char** argv) { return kiln::conformance::Main(argc, argv); }
