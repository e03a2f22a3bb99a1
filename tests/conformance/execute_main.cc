// SPDX-License-Identifier: Apache-2.0
// What conformance_main.cc does for verdicts this does for output: every module of `programs` (or `modules`,
// `asserts`) must become SPIR-V that spirv-val accepts, every program of `runs` must compute what the suite says when a
// Vulkan device executes it; both also after WGSL -> IR -> WGSL.
//
//   kiln_conformance_execute [--data DIR] [--file programs|runs|modules|asserts] [--round-trip] [--sample N]
//                            [--filter TEXT] [--dump DIR] [--write-wgsl DIR] [--write-spirv DIR] [--jobs N]
//                            [--spirv 1.3] [--block-rules gl|hlsl] [--optimize] [--read-spirv DIR] [--require 99]
//                            [--record FILE [--resume]]
//
// With --record, what comes of each row is in FILE at once; with --resume, rows that are there already are not run
// again. --block-rules: as it is on the way to GLSL or HLSL, with blocks that are padded to their rules. --optimize:
// through Kiln's SPIR-V optimiser, which must know everything in the module. --read-spirv: what --write-spirv wrote,
// and somebody has since turned into something else, in the place of what is compiled; rows without a file are left
// out.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "opt/spirv/optimize.h"
#include "pool.h"
#include "program.h"
#include "record.h"
#include "row.h"
#include "run/testing.h"
#include "run_row.h"
#include "validator.h"

namespace kiln::conformance {
namespace {

std::string DefaultData() {
  if (const char* data = std::getenv("DATA"); data != nullptr && *data != 0) return data;
  const char* shared = std::getenv("KILN_SHARED_DIR");
  return std::string(shared != nullptr && *shared != 0 ? shared : KILN_SHARED_DIR) + "/conformance/wgsl";
}

struct Arguments {
  std::string data;
  std::string file = "runs";
  std::string filter;
  std::string dump;
  std::string write_wgsl;
  std::string write_spirv;
  std::string read_spirv;
  std::string record;
  std::string block_rules;
  size_t sample = 0;
  unsigned jobs = 2;
  bool round_trip = false;
  bool optimizes = false;
  bool resume = false;
  double require = 100;
  uint32_t version = 0x00010300;
};

bool ParseArguments(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--round-trip") {
      arguments.round_trip = true;
      continue;
    }
    if (name == "--optimize") {
      arguments.optimizes = true;
      continue;
    }
    if (name == "--resume") {
      arguments.resume = true;
      continue;
    }
    if (i + 1 >= argc) return false;
    const char* value = argv[++i];
    if (name == "--data") {
      arguments.data = value;
    } else if (name == "--file") {
      arguments.file = value;
    } else if (name == "--filter") {
      arguments.filter = value;
    } else if (name == "--dump") {
      arguments.dump = value;
    } else if (name == "--write-wgsl") {
      arguments.write_wgsl = value;
    } else if (name == "--write-spirv") {
      arguments.write_spirv = value;
    } else if (name == "--read-spirv") {
      arguments.read_spirv = value;
    } else if (name == "--record") {
      arguments.record = value;
    } else if (name == "--block-rules") {
      arguments.block_rules = value;
    } else if (name == "--sample") {
      arguments.sample = std::strtoul(value, nullptr, 10);
    } else if (name == "--require") {
      arguments.require = std::strtod(value, nullptr);
    } else if (name == "--jobs") {
      arguments.jobs = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
    } else if (name == "--spirv") {
      arguments.version = 0x00010000 | static_cast<uint32_t>(std::strtoul(value + 2, nullptr, 10)) << 8;
    } else {
      return false;
    }
  }
  if (arguments.data.empty()) arguments.data = DefaultData();
  const std::string_view known[] = {"runs", "programs", "modules", "asserts"};
  return std::find(std::begin(known), std::end(known), arguments.file) != std::end(known);
}

std::vector<std::string> ReadLines(const std::string& stem) {
  const bool is_packed = std::filesystem::exists(stem + ".jsonl.xz");
  const std::string command = (is_packed ? "xz -dc '" + stem + ".jsonl.xz'" : "cat '" + stem + ".jsonl'");
  std::vector<std::string> lines;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  char* line = nullptr;
  size_t capacity = 0;
  for (ssize_t length; (length = getline(&line, &capacity, pipe)) > 0;) lines.emplace_back(line, length);
  std::free(line);
  pclose(pipe);
  return lines;
}

/// A row of run_exclusions.txt: a test of which nothing counts, or one output.
struct Exclusion {
  std::string test;
  bool is_whole = false;
  BufferName output;
  std::string reason;
  size_t rows = 0;

  std::string Name() const {
    return is_whole ? test : test + ", output " + std::to_string(output.first) + "." + std::to_string(output.second);
  }
};

bool ReadExclusions(std::vector<Exclusion>& exclusions) {
  std::ifstream file(KILN_SOURCE_DIR "/tests/conformance/run_exclusions.txt");
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row[0] == '#') continue;
    const size_t bar = row.find(" | "), second = bar == row.npos ? bar : row.find(" | ", bar + 3);
    if (second == row.npos) return false;
    Exclusion exclusion;
    exclusion.test = row.substr(0, bar);
    exclusion.reason = row.substr(second + 3);
    const std::string part = row.substr(bar + 3, second - bar - 3);
    exclusion.is_whole = part == "all";
    if (!exclusion.is_whole &&
        std::sscanf(part.c_str(), "output %u.%u", &exclusion.output.first, &exclusion.output.second) != 2) {
      return false;
    }
    exclusions.push_back(exclusion);
  }
  return true;
}

/// A line of the conformance file.
struct Line {
  size_t number = 0;
  std::string text;
  std::string test;
  std::vector<BufferName> skipped;
};

std::string TestOf(const std::string& text) {
  const size_t key = text.find("\"test\":");
  const size_t begin = key == text.npos ? key : text.find('"', key + 7);
  const size_t end = begin == text.npos ? begin : text.find('"', begin + 1);
  return end == text.npos ? "" : text.substr(begin + 1, end - begin - 1);
}

/// Takes out the rows of which nothing counts, and marks those of which a part does.
void Exclude(std::vector<Exclusion>& exclusions, std::vector<Line>& lines) {
  for (Exclusion& exclusion : exclusions) {
    for (Line& line : lines) {
      if (line.test != exclusion.test) continue;
      ++exclusion.rows;
      if (!exclusion.is_whole) line.skipped.push_back(exclusion.output);
    }
    if (exclusion.is_whole) std::erase_if(lines, [&](const Line& line) { return line.test == exclusion.test; });
  }
  for (const Exclusion& exclusion : exclusions) {
    if (exclusion.rows == 0) continue;
    std::printf("excluded: %zu rows of %s: %s\n", exclusion.rows, exclusion.Name().c_str(), exclusion.reason.c_str());
  }
}

double Now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string SpirvPath(const std::string& folder, const Line& line) {
  return folder + "/" + std::to_string(line.number) + ".spv";
}

std::vector<uint32_t> ReadSpirv(const std::string& path) {
  std::vector<uint32_t> words(std::filesystem::file_size(path) / 4);
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
  return words;
}

/// Empty if the module is another one now, else why not.
std::string OptimizeSpirv(std::vector<uint32_t>& words) {
  opt::spirv::Optimized optimized = opt::spirv::Optimize(words);
  if (!optimized.refused.empty()) return "the optimiser refuses it: " + std::string(optimized.refused);
  words = std::move(optimized.words);
  return "";
}

void WriteSpirv(const std::string& path, const std::vector<uint32_t>& words) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
}

void Say(Outcome& outcome, State state, const std::string& message) {
  outcome.state = state;
  std::snprintf(outcome.message, sizeof outcome.message, "%s", message.c_str());
}

int Main(int argc, char** argv) {
  Arguments arguments;
  if (!ParseArguments(argc, argv, arguments)) {
    std::fprintf(stderr, "kiln_conformance_execute: see the head of execute_main.cc for the arguments\n");
    return 2;
  }
  std::vector<Line> lines;
  for (std::string& text : ReadLines(arguments.data + "/" + arguments.file)) {
    std::string test = TestOf(text);
    lines.push_back({lines.size() + 1, std::move(text), std::move(test), {}});
  }
  if (lines.empty()) {
    std::fprintf(stderr, "kiln_conformance_execute: no rows in %s/%s\n", arguments.data.c_str(),
                 arguments.file.c_str());
    return 2;
  }
  // What is to be refused compiles to nothing.
  std::erase_if(lines, [](const Line& line) {
    Row row;
    return !ParseRow(line.text, row) || !row.expect_accept;
  });
  if (!arguments.filter.empty()) {
    std::erase_if(lines, [&](const Line& line) { return line.text.find(arguments.filter) == line.text.npos; });
  }
  if (!arguments.read_spirv.empty()) {
    std::erase_if(lines,
                  [&](const Line& line) { return !std::filesystem::exists(SpirvPath(arguments.read_spirv, line)); });
  }
  const bool executes = arguments.file == "runs";
  std::vector<Exclusion> exclusions;
  if (!ReadExclusions(exclusions)) {
    std::fprintf(stderr, "kiln_conformance_execute: run_exclusions.txt: a line is not 'test | part | reason'\n");
    return 2;
  }
  if (executes) Exclude(exclusions, lines);
  if (arguments.sample != 0 && arguments.sample < lines.size()) {
    std::vector<Line> some;
    for (size_t i = 0; i < arguments.sample; ++i) some.push_back(std::move(lines[i * lines.size() / arguments.sample]));
    lines = std::move(some);
  }
  if (!arguments.write_wgsl.empty()) std::filesystem::create_directories(arguments.write_wgsl);
  if (!arguments.write_spirv.empty()) std::filesystem::create_directories(arguments.write_spirv);

  Record record;
  record.title = arguments.file + (arguments.round_trip ? ", round trip" : "") +
                 (arguments.block_rules.empty() ? "" : ", blocks of " + arguments.block_rules) +
                 (arguments.optimizes ? ", optimised" : "") + ", SPIR-V 1." +
                 std::to_string(arguments.version >> 8 & 0xFF) + ", SPIRV-Tools " + Validator::ToolVersion();
  if (arguments.resume) {
    Record old = ReadRecord(arguments.record);
    if (old.title == record.title) record.rows = std::move(old.rows);
  }
  for (const Exclusion& exclusion : exclusions) {
    if (exclusion.rows != 0) record.exclusions.push_back({exclusion.rows, exclusion.Name(), exclusion.reason});
  }
  std::erase_if(lines, [&](const Line& line) { return record.rows.count(line.number) != 0; });
  int record_file = -1;
  if (!arguments.record.empty()) {
    if (WriteRecord(arguments.record, record)) {
      record_file = open(arguments.record.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    }
    if (record_file < 0) {
      std::fprintf(stderr, "kiln_conformance_execute: %s: cannot be written\n", arguments.record.c_str());
      return 2;
    }
  }
  const auto note = [&](size_t i, const Outcome& outcome, double seconds) {
    RecordRow row{outcome.state, seconds, lines[i].test, outcome.message};
    const std::string text = RecordLine(lines[i].number, row);
    if (record_file >= 0 && write(record_file, text.data(), text.size()) < 0) std::perror(arguments.record.c_str());
  };

  // Made in each child at its first row: neither survives a fork.
  std::unique_ptr<testing::VulkanCompute> vulkan;
  std::unique_ptr<Validator> validator;
  const auto compile_and_judge = [&](const Line& line, Outcome& outcome) {
    if (validator == nullptr) validator = std::make_unique<Validator>(arguments.version);
    if (executes && vulkan == nullptr) vulkan = std::make_unique<testing::VulkanCompute>();
    Arena arena;
    const json::ReadResult row = json::Read(line.text, arena);
    if (!row.ok()) return Say(outcome, State::kRejected, "the row is no JSON: " + row.error.message);
    ProgramRequest request;
    request.code = *row.root->Find("code")->AsString();
    request.version = arguments.version;
    request.round_trip = arguments.round_trip;
    request.block_rules = arguments.block_rules;
    if (const json::Value* entry = row.root->Find("entryPoint")) request.entry_point = entry->AsString().value_or("");
    if (const json::Value* constants = row.root->Find("constants")) {
      for (const json::Member& member : constants->members) {
        request.constants.emplace_back(member.key, run::NumberOf(*member.value));
      }
    }
    request.specialize = executes;
    // Rows of our own only, as are "textures" and "samplers" (run_row.cc).
    if (const json::Value* planes = row.root->Find("externalPlanes")) {
      request.external_planes = planes->AsBool().value_or(false);
    }
    Program program;
    std::string error = Compile(request, program);
    if (!arguments.write_wgsl.empty() && !program.wgsl.empty()) {
      std::ofstream(arguments.write_wgsl + "/" + std::to_string(line.number) + ".wgsl") << program.wgsl;
    }
    if (!arguments.write_spirv.empty() && error.empty()) {
      WriteSpirv(SpirvPath(arguments.write_spirv, line), program.spirv);
    }
    if (!arguments.read_spirv.empty() && error.empty())
      program.spirv = ReadSpirv(SpirvPath(arguments.read_spirv, line));
    if (arguments.optimizes && error.empty()) error = OptimizeSpirv(program.spirv);
    // A cbuffer packs behind the last element of an array, which SPIR-V counts to the array; nobody loads it but
    // SPIRV-Cross and, here, a driver that does not mind.
    const bool is_hlsl = arguments.block_rules == "hlsl";
    if (error.empty() && !is_hlsl) error = validator->Check(program.spirv);
    if (error.empty() && executes) {
      error = vulkan->error().empty() ? RunRow(*row.root, program, line.skipped, *vulkan) : vulkan->error();
    }
    if (!error.empty() && !arguments.dump.empty()) {
      std::filesystem::create_directories(arguments.dump);
      const std::string stem = arguments.dump + "/" + std::to_string(line.number);
      std::ofstream(stem + ".wgsl") << request.code;
      std::ofstream(stem + ".txt") << row.root->Find("test")->AsString().value_or("") << "\n" << error << "\n";
      WriteSpirv(stem + ".spv", program.spirv);
      if (!program.wgsl.empty()) std::ofstream(stem + ".out.wgsl") << program.wgsl;
    }
    Say(outcome, error.empty() ? State::kAccepted : State::kRejected, error);
  };
  const auto check = [&](size_t i, Outcome& outcome) {
    const double start = Now();
    compile_and_judge(lines[i], outcome);
    note(i, outcome, Now() - start);
  };
  PoolOptions options;
  options.jobs = arguments.jobs;
  options.deadline_seconds = 400;
  if (executes) options.chunk = 4;
  const std::vector<Outcome> outcomes = RunPool(lines.size(), options, check);

  for (size_t i = 0; i < lines.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    // A child that is gone could not write its row.
    const bool is_lost = outcome.state != State::kAccepted && outcome.state != State::kRejected;
    if (is_lost) note(i, outcome, outcome.state == State::kHung ? options.deadline_seconds : 0);
    record.rows[lines[i].number] = {outcome.state, 0, lines[i].test, outcome.message};
  }
  std::map<std::string, size_t> reasons;
  for (const auto& [number, row] : record.rows) {
    if (row.state == State::kRejected) ++reasons[row.message.substr(0, 90)];
    if (row.state == State::kCrashed || row.state == State::kHung) {
      std::printf("%s: row %zu of %s\n", row.state == State::kHung ? "hung" : "crashed", number, row.test.c_str());
    }
  }
  std::multimap<size_t, std::string, std::greater<>> worst;
  for (const auto& [reason, count] : reasons) worst.emplace(count, reason);
  size_t shown = 0;
  for (const auto& [count, reason] : worst) {
    if (++shown > 40) break;
    std::printf("%6zu  %s\n", count, reason.c_str());
  }
  const size_t good = record.CountOf(State::kAccepted), all = record.rows.size();
  std::printf("%s: %zu of %zu right (%.3f %%), %zu crashes, %zu hangs\n", record.title.c_str(), good, all,
              100.0 * static_cast<double>(good) / static_cast<double>(all), record.CountOf(State::kCrashed),
              record.CountOf(State::kHung));
  return 100.0 * static_cast<double>(good) >= arguments.require * static_cast<double>(all) ? 0 : 1;
}

}  // namespace
}  // namespace kiln::conformance

int main(int argc, char** argv) { return kiln::conformance::Main(argc, argv); }
