// SPDX-License-Identifier: Apache-2.0
// The table tool: reads signatures.def and writes the constant tables of the matcher as C++. It runs on the host while
// kiln_core is built.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "core/signature_reader.h"

namespace {

using namespace kiln::core::signature;  // NOLINT: this tool is about nothing else

std::string PatternText(const Pattern& p) {
  return "{Form(" + std::to_string(static_cast<int>(p.form)) + "), " + std::to_string(p.a) + ", " +
         std::to_string(p.b) + ", " + std::to_string(p.c) + ", " + std::to_string(p.d) + "}";
}

struct Writer {
  std::ostringstream overloads;
  std::ostringstream groups;
  std::ostringstream text;
  size_t overload_count = 0;
  size_t text_size = 0;

  template <size_t N>
  void WriteGroups(Output& out, const char* array, const std::string& kind, const std::string_view (&names)[N]) {
    groups << "constexpr Group " << array << "[] = {\n";
    for (std::string_view name : names) {
      const auto found = out.groups.find(kind + " " + std::string(name));
      if (found == out.groups.end()) {
        line_number = 0;
        Die("no overload of '" + std::string(name) + "'");
      }
      groups << "    {" << overload_count << ", " << found->second.size() << "},  // " << name << "\n";
      for (const Row& row : found->second) {
        const Overload& o = row.overload;
        overloads << "    {" << o.first_param << ", " << int{o.template_count} << ", " << int{o.param_count} << ", "
                  << o.facts << ", " << PatternText(o.result) << ", {" << o.scalars[0] << ", " << o.scalars[1] << ", "
                  << o.scalars[2] << ", " << o.scalars[3] << "}, {" << int{o.widths[0]} << ", " << int{o.widths[1]}
                  << ", " << int{o.widths[2]} << ", " << int{o.widths[3]} << "}, " << (o.is_uniform ? "true" : "false")
                  << ", " << text_size << "},\n";
        text << "    \"" << row.text << "\\0\"\n";
        text_size += row.text.size() + 1;
        ++overload_count;
      }
      out.groups.erase(found);
    }
    groups << "};\n";
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s signatures.def out.inc\n", argv[0]);
    return 2;
  }
  file_name = argv[1];
  std::ifstream in(file_name);
  if (!in) Die("cannot read");
  Output out;
  ReadSignatures(in, out);
  Writer writer;
  writer.WriteGroups(out, "kFnGroups", "fn", kFnNames);
  writer.WriteGroups(out, "kUnaryGroups", "un", kUnaryNames);
  writer.WriteGroups(out, "kBinaryGroups", "op", kBinaryNames);
  writer.WriteGroups(out, "kConstructorGroups", "ctor", kConstructorNames);
  if (!out.groups.empty()) Die("'" + out.groups.begin()->first + "' has overloads but no name in builtin_names.def");

  std::ofstream result(argv[2]);
  result << "// Written by tables_main.cc from signatures.def.\n";
  result << "constexpr Pattern kPatterns[] = {\n";
  for (const Pattern& pattern : out.patterns) result << "    " << PatternText(pattern) << ",\n";
  result << "};\nconstexpr OverloadFacts kFacts[] = {\n";
  for (const std::string& facts : out.facts) result << "    " << facts << ",\n";
  result << "};\nconstexpr Overload kOverloads[] = {\n" << writer.overloads.str() << "};\n";
  result << writer.groups.str();
  result << "constexpr char kText[] =\n" << writer.text.str() << "    ;\n";
  result.close();
  return result ? 0 : 1;
}
