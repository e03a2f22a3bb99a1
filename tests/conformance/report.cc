// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fstream>

namespace kiln::conformance {
namespace {

std::string Format(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

std::string Trim(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool HoldsWord(const std::string& code, const std::string& word) {
  for (size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
    const bool starts = at == 0 || !IsWordByte(code[at - 1]);
    const size_t end = at + word.size();
    if (starts && (end == code.size() || !IsWordByte(code[end]))) return true;
  }
  return false;
}

void Add(Tally& tally, const Row& row, Verdict verdict) {
  ++tally.rows;
  switch (verdict) {
    case Verdict::kAgreed:
    case Verdict::kOtherLine:
      if (!row.expect_accept && row.line != 0) {
        ++tally.lines;
        if (verdict == Verdict::kAgreed) ++tally.same_lines;
      }
      break;
    case Verdict::kWrongAccept:
      ++tally.wrong_accepts;
      break;
    case Verdict::kWrongReject:
      ++tally.wrong_rejects;
      break;
    case Verdict::kCrashed:
      ++tally.crashes;
      break;
    case Verdict::kHung:
      ++tally.hangs;
      break;
  }
}

std::string TableLine(const std::string& name, const Tally& tally) {
  return Format("| %s | %zu | %.2f %% | %zu | %zu | %s | %zu | %zu |\n", name.c_str(), tally.rows,
                tally.AgreedPercent(), tally.wrong_accepts, tally.wrong_rejects,
                tally.lines == 0 ? "-" : Format("%.1f %%", tally.LinePercent()).c_str(), tally.crashes, tally.hangs);
}

}  // namespace

bool ReadExclusions(const std::string& path, std::vector<Exclusion>& exclusions, std::string& error) {
  std::ifstream in(path);
  if (!in) {
    error = path + ": cannot be opened";
    return false;
  }
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t bar = line.find('|');
    Exclusion exclusion;
    exclusion.word = Trim(line.substr(0, bar));
    if (bar != std::string::npos) exclusion.reason = Trim(line.substr(bar + 1));
    if (exclusion.word.empty() || exclusion.reason.empty()) {
      error = path + ": expected 'word | reason', found: " + line;
      return false;
    }
    exclusions.push_back(exclusion);
  }
  return true;
}

Exclusion* FindExclusion(const std::string& code, std::vector<Exclusion>& exclusions) {
  for (Exclusion& exclusion : exclusions) {
    if (HoldsWord(code, exclusion.word)) return &exclusion;
  }
  return nullptr;
}

Verdict Judge(const Row& row, const Outcome& outcome) {
  switch (outcome.state) {
    case State::kAccepted:
      return row.expect_accept ? Verdict::kAgreed : Verdict::kWrongAccept;
    case State::kRejected:
      if (row.expect_accept) return Verdict::kWrongReject;
      return row.line != 0 && outcome.line != row.line ? Verdict::kOtherLine : Verdict::kAgreed;
    case State::kHung:
      return Verdict::kHung;
    default:
      return Verdict::kCrashed;
  }
}

const char* NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgreed:
      return "agreed";
    case Verdict::kOtherLine:
      return "other-line";
    case Verdict::kWrongAccept:
      return "wrong-accept";
    case Verdict::kWrongReject:
      return "wrong-reject";
    case Verdict::kCrashed:
      return "crash";
    case Verdict::kHung:
      return "hang";
  }
  return "";
}

void FileReport::Count(const Row& row, Verdict verdict) {
  Add(total, row, verdict);
  Add(areas[row.Area()], row, verdict);
  bytes += row.code.size();
}

void PrintSummary(const std::vector<FileReport>& reports, const std::vector<Exclusion>& exclusions, size_t worst) {
  for (const FileReport& report : reports) {
    std::vector<std::pair<std::string, Tally>> areas(report.areas.begin(), report.areas.end());
    std::stable_sort(areas.begin(), areas.end(), [](const auto& a, const auto& b) {
      return a.second.rows - a.second.Agreed() > b.second.rows - b.second.Agreed();
    });
    const Tally& total = report.total;
    std::printf("%s: %zu rows, %zu agree (%.3f %%), %zu wrong accepts, %zu wrong rejects, %zu crashes, %zu hangs",
                report.file.c_str(), total.rows, total.Agreed(), total.AgreedPercent(), total.wrong_accepts,
                total.wrong_rejects, total.crashes, total.hangs);
    if (total.lines != 0) std::printf(", first line %.1f %%", total.LinePercent());
    std::printf("; %.1f s, %.1f MB\n", report.seconds, static_cast<double>(report.bytes) / 1e6);
    for (size_t i = 0; i < areas.size() && i < worst; ++i) {
      const Tally& tally = areas[i].second;
      if (tally.rows == tally.Agreed()) break;
      std::printf("  %-52s %6zu rows %5zu wrong accepts %5zu wrong rejects %4zu crashes %3zu hangs\n",
                  areas[i].first.c_str(), tally.rows, tally.wrong_accepts, tally.wrong_rejects, tally.crashes,
                  tally.hangs);
    }
    std::stable_sort(areas.begin(), areas.end(), [](const auto& a, const auto& b) {
      return a.second.lines - a.second.same_lines > b.second.lines - b.second.same_lines;
    });
    for (size_t i = 0; i < areas.size() && i < worst; ++i) {
      const Tally& tally = areas[i].second;
      if (tally.lines == tally.same_lines) break;
      std::printf("  line: %-46s %6zu of %zu rejects name another line\n", areas[i].first.c_str(),
                  tally.lines - tally.same_lines, tally.lines);
    }
  }
  for (const Exclusion& exclusion : exclusions) {
    if (exclusion.rows != 0) {
      std::printf("excluded: %s, %zu rows (%s)\n", exclusion.word.c_str(), exclusion.rows, exclusion.reason.c_str());
    }
  }
}

namespace {

std::string AreaOf(const std::string& test) { return test.substr(0, test.find(':')); }

std::string Share(size_t part, size_t all) {
  return Format("%.2f %%", all == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

/// What another implementation says of what was emitted (second_opinion): how often it accepts, and what it lacks.
std::string OpinionMarkdown(const std::vector<Record>& records) {
  std::string out;
  for (const Record& record : records) {
    if (record.title.compare(0, 4, "naga") != 0) continue;
    std::map<std::string, size_t> reasons;
    for (const auto& [number, row] : record.rows) ++reasons[row.message];
    out += "\n| " + record.title + " | modules |\n|---|---|\n";
    for (const auto& [reason, count] : reasons) {
      out += "| " + (reason.empty() ? std::string("accepted") : reason) + " | " + std::to_string(count) + " |\n";
    }
  }
  if (out.empty()) return out;
  return "\n## Second opinion\n\nWhat naga says of what is emitted for a sample of `programs` "
         "(tests/conformance/second_opinion): "
         "what it\nrefuses needs something that it does not have.\n" +
         out;
}

/// What kiln_conformance_execute did: the totals of each run, what differs, exclusions, and `runs` by area.
std::string ExecutedMarkdown(const std::vector<Record>& all_records) {
  std::vector<Record> records = all_records;
  std::erase_if(records, [](const Record& record) { return record.title.compare(0, 4, "naga") == 0; });
  if (records.empty()) return {};
  const std::string opinion = OpinionMarkdown(all_records);
  std::string out =
      "\n## Compiled and executed\n\nBy `kiln_conformance_execute`. A row of `programs` is right where what it\n"
      "compiles to is valid by spirv-val of the SPIRV-Tools named; one of `runs` where lavapipe then computes every\n"
      "output as the suite has it. A round trip is WGSL -> IR -> WGSL -> IR -> SPIR-V.\n\n"
      "| run | rows | right | wrong | crashes | hangs |\n|---|---|---|---|---|---|\n";
  for (const Record& record : records) {
    const size_t good = record.CountOf(State::kAccepted), all = record.rows.size();
    out += Format("| %s | %zu | %s | %zu | %zu | %zu |\n", record.title.c_str(), all, Share(good, all).c_str(),
                  record.CountOf(State::kRejected), record.CountOf(State::kCrashed), record.CountOf(State::kHung));
  }
  std::string wrong;
  for (const Record& record : records) {
    for (const auto& [number, row] : record.rows) {
      if (row.state == State::kAccepted) continue;
      wrong += "| " + record.title + " | " + std::to_string(number) + " | " + row.test + " | " +
               (row.state == State::kCrashed ? "crash"
                : row.state == State::kHung  ? "hang"
                                             : row.message) +
               " |\n";
    }
  }
  if (!wrong.empty()) out += "\nRows that are not right:\n\n| run | row | test | |\n|---|---|---|---|\n" + wrong;

  std::map<std::string, RecordExclusion> exclusions;
  for (const Record& record : records) {
    for (const RecordExclusion& exclusion : record.exclusions) exclusions[exclusion.name] = exclusion;
  }
  if (!exclusions.empty()) {
    out +=
        "\nNot counted of `runs` (tests/conformance/run_exclusions.txt):\n\n| what | rows | reason |\n|---|---|---|\n";
    for (const auto& [name, exclusion] : exclusions) {
      out += "| " + name + " | " + std::to_string(exclusion.rows) + " | " + exclusion.reason + " |\n";
    }
  }

  std::vector<const Record*> runs;
  std::map<std::string, std::vector<std::pair<size_t, size_t>>> areas;  // right and all, a record each
  for (const Record& record : records) {
    if (record.title.compare(0, 4, "runs") == 0) runs.push_back(&record);
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    for (const auto& [number, row] : runs[i]->rows) {
      auto& counts = areas[AreaOf(row.test)];
      counts.resize(runs.size());
      ++counts[i].second;
      if (row.state == State::kAccepted) ++counts[i].first;
    }
  }
  if (!runs.empty()) {
    out += "\n| area of runs |";
    for (const Record* record : runs) out += " " + record->title + " |";
    out += "\n|---|";
    for (size_t i = 0; i < runs.size(); ++i) out += "---|";
    out += "\n";
    for (const auto& [area, counts] : areas) {
      out += "| " + area + " |";
      for (const auto& [good, all] : counts) out += Format(" %zu of %zu |", good, all);
      out += "\n";
    }
  }
  return out + opinion;
}

}  // namespace

std::string Markdown(const std::vector<FileReport>& reports, const std::vector<Exclusion>& exclusions,
                     const std::vector<Record>& records) {
  std::string out =
      "# Conformance\n\nWritten by `kiln_conformance --report`; do not edit. A row agrees where the front end accepts "
      "or "
      "rejects the module as the\nsuite does. \"First line\" counts the rejects whose first error stands on the line "
      "that "
      "the reference implementation names.\n\n## Totals\n\n";
  const std::string head =
      "rows | agree | wrong accepts | wrong rejects | first line | crashes | hangs "
      "|\n|---|---|---|---|---|---|---|---|\n";
  out += "| file | " + head;
  for (const FileReport& report : reports) out += TableLine(report.file, report.total);
  out += "\n## Exclusions of verdicts\n\n";
  if (exclusions.empty())
    out += "None.\n";
  else
    out +=
        "Rows that use a feature still under proposal; they are not counted above.\n\n| feature | rows | reason "
        "|\n|---|---|---|\n";
  for (const Exclusion& exclusion : exclusions) {
    out += Format("| `%s` | %zu | %s |\n", exclusion.word.c_str(), exclusion.rows, exclusion.reason.c_str());
  }
  out += ExecutedMarkdown(records);
  for (const FileReport& report : reports) {
    out += "\n## " + report.file + "\n\n| area | " + head;
    for (const auto& [area, tally] : report.areas) out += TableLine(area, tally);
  }
  return out;
}

}  // namespace kiln::conformance
