// SPDX-License-Identifier: Apache-2.0
// What conformance_main.cc does for verdicts this does for output: every module of `programs` must become SPIR-V that
// spirv-val accepts, every program of `runs` must compute what the suite says when a Vulkan device executes it; both
// also after WGSL -> IR -> WGSL.
//
//   kiln_conformance_execute [--data DIR] [--file programs|runs] [--round-trip] [--sample N] [--filter TEXT]
//                            [--dump DIR] [--write-wgsl DIR] [--jobs N] [--spirv 1.3] [--require 99]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "pool.h"
#include "program.h"
#include "spirv-tools/libspirv.h"
#include "support/vulkan_compute.h"

namespace kiln::conformance {
namespace {

struct Arguments {
  std::string data = KILN_SHARED_DIR "/conformance/wgsl";
  std::string file = "runs";
  std::string filter;
  std::string dump;
  std::string write_wgsl;
  size_t sample = 0;
  unsigned jobs = 2;
  bool round_trip = false;
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
  return arguments.file == "runs" || arguments.file == "programs";
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

/// Takes out the rows that run_exclusions.txt names, and says so.
void Exclude(std::vector<std::string>& lines) {
  std::ifstream file(KILN_SOURCE_DIR "/tests/conformance/run_exclusions.txt");
  for (std::string row; std::getline(file, row);) {
    const size_t bar = row.find(" | ");
    if (row.empty() || row[0] == '#' || bar == row.npos) continue;
    const std::string name = '"' + row.substr(0, bar) + '"';
    const size_t gone = std::erase_if(lines, [&](const std::string& line) { return line.find(name) != line.npos; });
    if (gone != 0)
      std::printf("excluded: %zu rows of %s: %s\n", gone, row.substr(0, bar).c_str(), row.c_str() + bar + 3);
  }
}

double NumberOf(const json::Value& value) {
  if (const auto text = value.AsString()) {
    return *text == "nan" ? NAN : *text == "inf" ? INFINITY : *text == "-inf" ? -INFINITY : -0.0;
  }
  return value.AsDouble().value_or(0);
}

template <typename T>
double Read(const std::vector<uint8_t>& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return static_cast<double>(value);
}

double HalfAt(const std::vector<uint8_t>& bytes, size_t at) {
  uint16_t bits;
  std::memcpy(&bits, bytes.data() + at, sizeof bits);
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

double ElementAt(std::string_view type, const std::vector<uint8_t>& bytes, size_t at) {
  if (type == "Uint8Array") return Read<uint8_t>(bytes, at);
  if (type == "Uint16Array") return Read<uint16_t>(bytes, at);
  if (type == "Int32Array") return Read<int32_t>(bytes, at);
  if (type == "Float32Array") return Read<float>(bytes, at);
  if (type == "Float16Array") return HalfAt(bytes, at);
  return Read<uint32_t>(bytes, at);
}

size_t SizeOf(std::string_view type) { return type == "Uint8Array" ? 1 : type.find("16") != type.npos ? 2 : 4; }

/// The first output that differs, in words; empty if all are equal.
std::string Compare(const json::Value& outputs, const std::vector<testing::GpuBuffer>& buffers) {
  for (const json::Value* output : outputs.elements) {
    const auto group = output->Find("group")->AsUint().value_or(0);
    const auto binding = output->Find("binding")->AsUint().value_or(0);
    const std::string_view type = output->Find("type")->AsString().value_or("");
    // Relative to the binding: negative where the test looks at what lies around it.
    const int64_t offset = output->Find("offset")->AsInt().value_or(0);
    for (const testing::GpuBuffer& buffer : buffers) {
      if (buffer.group != group || buffer.binding != binding) continue;
      size_t at = static_cast<size_t>(static_cast<int64_t>(buffer.origin) + offset);
      size_t index = 0;
      for (const json::Value* expected : output->Find("values")->elements) {
        const double want = NumberOf(*expected);
        if (at + SizeOf(type) > buffer.bytes.size()) return "the buffer is too short for its output";
        const double got = ElementAt(type, buffer.bytes, at);
        if (!(want == got || (std::isnan(want) && std::isnan(got)))) {
          char text[160];
          std::snprintf(text, sizeof text, "group %u binding %u %.*s[%zu]: expected %.9g, got %.9g",
                        static_cast<unsigned>(group), static_cast<unsigned>(binding), static_cast<int>(type.size()),
                        type.data(), index, want, got);
          return text;
        }
        at += SizeOf(type);
        ++index;
      }
    }
  }
  return "";
}

std::string RunRow(const json::Value& row, const Program& program, testing::VulkanCompute& vulkan) {
  std::vector<testing::GpuBuffer> buffers;
  for (const json::Value* item : row.Find("buffers")->elements) {
    testing::GpuBuffer buffer;
    buffer.group = static_cast<uint32_t>(item->Find("group")->AsUint().value_or(0));
    buffer.binding = static_cast<uint32_t>(item->Find("binding")->AsUint().value_or(0));
    buffer.origin = item->Find("offset")->AsUint().value_or(0);
    buffer.size = item->Find("size")->AsUint().value_or(0);
    const auto words = item->Find("words")->elements;
    // What lies behind the binding is in the buffer as far as an output looks at it.
    size_t bytes = std::max<size_t>(buffer.origin + buffer.size, words.size() * 4);
    buffer.offset = buffer.origin;
    int64_t seen = 0;
    for (const json::Value* output : row.Find("outputs")->elements) {
      if (output->Find("group")->AsUint() != buffer.group || output->Find("binding")->AsUint() != buffer.binding)
        continue;
      const int64_t begin = output->Find("offset")->AsInt().value_or(0);
      const auto length =
          static_cast<int64_t>(output->Find("values")->elements.size() * SizeOf(*output->Find("type")->AsString()));
      // Some rows were bound with a dynamic offset, which they do not carry: the outputs then look at what lies before
      // and behind, and leave out just the binding.
      if (begin == seen + static_cast<int64_t>(buffer.size) && seen > 0 && buffer.origin == 0) {
        buffer.offset = static_cast<uint64_t>(seen);
      }
      seen = begin + length;
      bytes = std::max<size_t>(bytes, static_cast<size_t>(static_cast<int64_t>(buffer.origin) + begin + length));
    }
    buffer.bytes.resize(bytes);
    size_t at = 0;
    for (const json::Value* word : words) {
      const auto bits = static_cast<uint32_t>(word->AsUint().value_or(0));
      if (at + 4 <= buffer.bytes.size()) std::memcpy(buffer.bytes.data() + at, &bits, 4);
      at += 4;
    }
    for (const auto& [group, binding] : program.uniforms) {
      buffer.is_uniform = buffer.is_uniform || (group == buffer.group && binding == buffer.binding);
    }
    buffers.push_back(std::move(buffer));
  }
  std::array<uint32_t, 3> groups = {1, 1, 1};
  const json::Value* dispatch = row.Find("dispatch");
  for (size_t i = 0; i < dispatch->elements.size() && i < 3; ++i) {
    groups[i] = static_cast<uint32_t>(dispatch->elements[i]->AsUint().value_or(1));
  }
  const std::string error = vulkan.Run(program.spirv, program.entry_point, groups, buffers);
  if (!error.empty()) return "vulkan: " + error;
  return Compare(*row.Find("outputs"), buffers);
}

class Validator {
 public:
  explicit Validator(uint32_t version)
      : context_(spvContextCreate(version >= 0x00010600   ? SPV_ENV_VULKAN_1_3
                                  : version >= 0x00010500 ? SPV_ENV_VULKAN_1_2
                                  : version >= 0x00010400 ? SPV_ENV_VULKAN_1_1_SPIRV_1_4
                                                          : SPV_ENV_VULKAN_1_1)),
        options_(spvValidatorOptionsCreate()) {
    // WGSL lays uniform buffers out as storage buffers (uniform_buffer_standard_layout); Vulkan 1.2 can do that.
    spvValidatorOptionsSetUniformBufferStandardLayout(options_, true);
  }
  ~Validator() {
    spvValidatorOptionsDestroy(options_);
    spvContextDestroy(context_);
  }
  Validator(const Validator&) = delete;
  Validator& operator=(const Validator&) = delete;

  std::string Check(const std::vector<uint32_t>& words) {
    spv_const_binary_t binary{words.data(), words.size()};
    spv_diagnostic diagnostic = nullptr;
    const spv_result_t result = spvValidateWithOptions(context_, options_, &binary, &diagnostic);
    std::string said;
    if (result != SPV_SUCCESS) said = std::string("spirv-val: ") + (diagnostic != nullptr ? diagnostic->error : "?");
    spvDiagnosticDestroy(diagnostic);
    return said;
  }

 private:
  spv_context context_;
  spv_validator_options options_;
};

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
  std::vector<std::string> lines = ReadLines(arguments.data + "/" + arguments.file);
  if (lines.empty()) {
    std::fprintf(stderr, "kiln_conformance_execute: no rows in %s/%s\n", arguments.data.c_str(),
                 arguments.file.c_str());
    return 2;
  }
  if (!arguments.filter.empty()) {
    std::erase_if(lines, [&](const std::string& line) { return line.find(arguments.filter) == line.npos; });
  }
  const bool executes = arguments.file == "runs";
  if (executes) Exclude(lines);
  if (arguments.sample != 0 && arguments.sample < lines.size()) {
    std::vector<std::string> some;
    for (size_t i = 0; i < arguments.sample; ++i) some.push_back(lines[i * lines.size() / arguments.sample]);
    lines = std::move(some);
  }
  if (!arguments.write_wgsl.empty()) std::filesystem::create_directories(arguments.write_wgsl);

  // Made in each child at its first row: neither survives a fork.
  std::unique_ptr<testing::VulkanCompute> vulkan;
  std::unique_ptr<Validator> validator;
  const auto check = [&](size_t i, Outcome& outcome) {
    if (validator == nullptr) validator = std::make_unique<Validator>(arguments.version);
    if (executes && vulkan == nullptr) vulkan = std::make_unique<testing::VulkanCompute>();
    Arena arena;
    const json::ReadResult row = json::Read(lines[i], arena);
    if (!row.ok()) return Say(outcome, State::kRejected, "the row is no JSON: " + row.error.message);
    ProgramRequest request;
    request.code = *row.root->Find("code")->AsString();
    request.version = arguments.version;
    request.round_trip = arguments.round_trip;
    if (const json::Value* entry = row.root->Find("entryPoint")) request.entry_point = entry->AsString().value_or("");
    if (const json::Value* constants = row.root->Find("constants")) {
      for (const json::Member& member : constants->members) {
        request.constants.emplace_back(member.key, NumberOf(*member.value));
      }
    }
    request.specialize = executes;
    Program program;
    std::string error = Compile(request, program);
    if (!arguments.write_wgsl.empty() && !program.wgsl.empty()) {
      std::ofstream(arguments.write_wgsl + "/" + std::to_string(i) + ".wgsl") << program.wgsl;
    }
    if (error.empty()) error = validator->Check(program.spirv);
    if (error.empty() && executes) {
      error = vulkan->error().empty() ? RunRow(*row.root, program, *vulkan) : vulkan->error();
    }
    if (!error.empty() && !arguments.dump.empty()) {
      std::filesystem::create_directories(arguments.dump);
      const std::string stem = arguments.dump + "/" + std::to_string(i);
      std::ofstream(stem + ".wgsl") << request.code;
      std::ofstream(stem + ".txt") << row.root->Find("test")->AsString().value_or("") << "\n" << error << "\n";
      std::ofstream(stem + ".spv", std::ios::binary)
          .write(reinterpret_cast<const char*>(program.spirv.data()),
                 static_cast<std::streamsize>(program.spirv.size() * 4));
      if (!program.wgsl.empty()) std::ofstream(stem + ".out.wgsl") << program.wgsl;
    }
    Say(outcome, error.empty() ? State::kAccepted : State::kRejected, error);
  };
  PoolOptions options;
  options.jobs = arguments.jobs;
  options.deadline_seconds = 400;
  const std::vector<Outcome> outcomes = RunPool(lines.size(), options, check);

  size_t good = 0, crashed = 0, hung = 0;
  std::map<std::string, size_t> reasons;
  for (const Outcome& outcome : outcomes) {
    if (outcome.state == State::kAccepted) {
      ++good;
    } else if (outcome.state == State::kCrashed) {
      ++crashed;
    } else if (outcome.state == State::kHung) {
      ++hung;
    } else {
      ++reasons[std::string(outcome.message).substr(0, 90)];
    }
  }
  std::multimap<size_t, std::string, std::greater<>> worst;
  for (const auto& [reason, count] : reasons) worst.emplace(count, reason);
  size_t shown = 0;
  for (const auto& [count, reason] : worst) {
    if (++shown > 40) break;
    std::printf("%6zu  %s\n", count, reason.c_str());
  }
  std::printf("%s%s: %zu of %zu right (%.3f %%), %zu crashes, %zu hangs\n", arguments.file.c_str(),
              arguments.round_trip ? " after a round trip" : "", good, outcomes.size(),
              100.0 * static_cast<double>(good) / static_cast<double>(outcomes.size()), crashed, hung);
  return 100.0 * static_cast<double>(good) >= arguments.require * static_cast<double>(outcomes.size()) ? 0 : 1;
}

}  // namespace
}  // namespace kiln::conformance

int main(int argc, char** argv) { return kiln::conformance::Main(argc, argv); }
