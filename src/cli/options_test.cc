// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <gtest/gtest.h>

#include <fstream>

namespace kiln::cli {
namespace {

struct Parsed {
  std::string output;
  std::vector<std::string> defines;
  std::vector<std::string> include;
  std::string word;
  std::optional<uint64_t> jobs;
  bool quiet = false;
  bool verbose = false;
  bool depfile = false;
  std::string depfile_name;
  std::string optimize;
  std::vector<std::string> files;
  std::string error;
  std::string hint;
};

Parsed Parse(const std::vector<std::string>& arguments) {
  Parsed p;
  OptionTable table;
  table.Text("-o,--output", &p.output, "FILE", "");
  table.List("-D,--define", &p.defines, "NAME[=VALUE]", "").is_joined = true;
  table.List("-I,--include", &p.include, "DIR", "");
  table.Text("--word", &p.word, "left|right", "");
  table.Number("-j,--jobs", &p.jobs, "N", "");
  table.Flag("-q,--quiet", &p.quiet, "");
  table.Flag("-v,--verbose", &p.verbose, "");
  table.Flag("-MD", &p.depfile, "");
  table.Text("-MF", &p.depfile_name, "FILE", "");
  for (const char* level : {"-O", "-O0", "-Os"}) {
    table.Call(level, "", "", [&p, level](std::string_view) {
      p.optimize = level;
      return std::string();
    });
  }
  table.Positionals("FILE", &p.files, 0, 3, "");
  p.error = table.Parse(arguments, &p.hint);
  return p;
}

TEST(Options, EveryWayToGiveAValue) {
  EXPECT_EQ(Parse({"-o", "a"}).output, "a");
  EXPECT_EQ(Parse({"-oa"}).output, "a");
  EXPECT_EQ(Parse({"-o=a"}).output, "a");
  EXPECT_EQ(Parse({"--output", "a"}).output, "a");
  EXPECT_EQ(Parse({"--output=a=b"}).output, "a=b");
  EXPECT_EQ(Parse({"--output="}).output, "");
  EXPECT_EQ(Parse({"-j8"}).jobs, 8u);
  EXPECT_EQ(Parse({"-DA=1", "-D", "B", "--define=C=-2", "--define", "D"}).defines,
            (std::vector<std::string>{"A=1", "B", "C=-2", "D"}));
  EXPECT_EQ(Parse({"-I../a b", "-I", "-odd"}).include, (std::vector<std::string>{"../a b", "-odd"}));
}

TEST(Options, OneDashWordsAreNotClusters) {
  const Parsed p = Parse({"-MD", "-MF", "a.d", "-Os"});
  EXPECT_TRUE(p.depfile);
  EXPECT_EQ(p.depfile_name, "a.d");
  EXPECT_EQ(p.optimize, "-Os");
  EXPECT_EQ(p.error, "");
  EXPECT_EQ(Parse({"-O"}).optimize, "-O");
}

TEST(Options, FlagsCluster) {
  const Parsed p = Parse({"-qv"});
  EXPECT_TRUE(p.quiet && p.verbose);
  EXPECT_EQ(Parse({"-qx"}).error, "unknown option '-qx'");
  EXPECT_FALSE(Parse({"-qx"}).quiet) << "a cluster that is wrong must set nothing";
}

TEST(Options, PositionalsStreamsAndTheEndOfOptions) {
  EXPECT_EQ(Parse({"a", "-", "b"}).files, (std::vector<std::string>{"a", "-", "b"}));
  EXPECT_EQ(Parse({"--", "-q", "--"}).files, (std::vector<std::string>{"-q", "--"}));
  EXPECT_EQ(Parse({"a", "b", "c", "d"}).error, "unexpected argument 'd'");
}

TEST(Options, ErrorsSayWhatWasMeant) {
  EXPECT_EQ(Parse({"--ouput=x"}).error, "unknown option '--ouput=x'");
  EXPECT_EQ(Parse({"--ouput=x"}).hint, "did you mean '--output'?");
  EXPECT_EQ(Parse({"-output"}).output, "utput") << "as compilers read it";
  EXPECT_EQ(Parse({"-quiet"}).hint, "did you mean '--quiet'?");
  EXPECT_EQ(Parse({"--word=lef"}).error, "'lef' is not a value of --word; it takes left|right");
  EXPECT_EQ(Parse({"--word=lef"}).hint, "did you mean 'left'?");
  EXPECT_EQ(Parse({"--jobs=two"}).error, "--jobs: 'two' is not a number");
  EXPECT_EQ(Parse({"--jobs=99999999999999999999"}).error, "--jobs: '99999999999999999999' is not a number");
  EXPECT_EQ(Parse({"--jobs=-1"}).error, "--jobs: '-1' is not a number");
  EXPECT_EQ(Parse({"a", "-o"}).error, "option '-o' needs a value: FILE");
  EXPECT_EQ(Parse({"--quiet=yes"}).error, "unknown option '--quiet=yes'");
}

class ResponseFile : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    std::string path = testing::TempDir() + "kiln_response_" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

TEST_F(ResponseFile, QuotesEscapesAndNesting) {
  const std::string inner = Write("inner", "-DX='a b'\n");
  const std::string outer = Write("outer", "one  \"two three\"\t'it\\s' f\\ ive \"\" \r\n@" + inner + " last");
  std::vector<std::string> arguments = {"build", "@" + outer, "end"};
  EXPECT_EQ(ExpandResponseFiles(arguments), "");
  EXPECT_EQ(arguments,
            (std::vector<std::string>{"build", "one", "two three", "it\\s", "f ive", "", "-DX=a b", "last", "end"}));
}

TEST_F(ResponseFile, WhatIsWrongIsSaid) {
  std::vector<std::string> missing = {"@/nowhere/at/all"};
  EXPECT_NE(ExpandResponseFiles(missing).find("/nowhere/at/all"), std::string::npos);
  std::vector<std::string> open = {"@" + Write("open", "a 'b")};
  EXPECT_NE(ExpandResponseFiles(open).find("' is not closed"), std::string::npos);
  const std::string self = testing::TempDir() + "kiln_response_self";
  Write("self", "@" + self);
  std::vector<std::string> endless = {"@" + self};
  EXPECT_NE(ExpandResponseFiles(endless).find("too deep"), std::string::npos);
}

TEST_F(ResponseFile, NothingIsExpandedAfterTheEndOfOptions) {
  std::vector<std::string> arguments = {"--", "@x", "@"};
  EXPECT_EQ(ExpandResponseFiles(arguments), "");
  EXPECT_EQ(arguments, (std::vector<std::string>{"--", "@x", "@"}));
}

}  // namespace
}  // namespace kiln::cli
