// SPDX-License-Identifier: Apache-2.0
// The maker on a virtual disk with a compiler of the test's own: it reads `#include "x"` lines outside `#if 0`, and its
// SPIR-V is the text of all it read. So what is rebuilt, and what is not, can be counted.
#include "build/maker.h"

#include <gtest/gtest.h>

#include <set>

#include "base/memory_disk.h"

namespace kiln::build {
namespace {

using worker::Action;
using worker::ActionResult;
using worker::ExitKind;

diag::Diagnostic Said(diag::Severity severity, std::string code, diag::Location location, std::string message) {
  diag::Diagnostic said;
  said.severity = severity;
  said.code = std::move(code);
  said.location = std::move(location);
  said.message = std::move(message);
  return said;
}

class FakeRunner final : public ActionRunner {
 public:
  void Submit(Action action, std::function<void(ActionResult)> done) override {
    ++counts_[action.operation];
    if (break_next_) {
      ActionResult broken;
      broken.exit = *break_next_;
      broken.diagnostics.push_back(Said(diag::Severity::kError, "worker-crashed", {}, "it died"));
      break_next_.reset();
      done(std::move(broken));
      return;
    }
    if (action.operation == "compile") {
      done(Compile(action));
    } else {
      ActionResult result;
      for (const auto& [name, value] : action.options) {
        if (name == "target" && value == "essl") result.exit = ExitKind::kUnsupported;
      }
      if (action.operation != "validate") {
        const std::string name = action.operation == "optimize" ? "spirv" : "text";
        std::string made = action.operation;
        for (const auto& [option, value] : action.options) {
          if (option == "level" && value == "-O") made = "spirv-opt";
        }
        result.outputs.push_back({name, made + "(" + action.inputs[0].bytes + ")"});
      } else if (!invalid_.empty() && action.inputs[0].bytes.starts_with(invalid_)) {
        result.exit = ExitKind::kSourceErrors;
        result.diagnostics.push_back(Said(diag::Severity::kError, "spirv-invalid", {}, "Id is 0"));
      }
      done(std::move(result));
    }
  }
  void Cancel() override {}

  int Count(const std::string& operation) { return counts_[operation]; }
  void Reset() { counts_.clear(); }
  void BreakNext(ExitKind exit) { break_next_ = exit; }
  /// Modules that begin so are not valid.
  void Refuse(std::string beginning) { invalid_ = std::move(beginning); }

 private:
  ActionResult Compile(const Action& action) {
    ActionResult result;
    std::string out;
    Read(action, "m0", out, result);
    for (const auto& [name, value] : action.options) {
      if (name.starts_with("define:")) out += name + "=" + value + ";";
    }
    if (!result.unresolved.empty()) result.exit = ExitKind::kNeedsModule;
    if (result.ok()) result.outputs.push_back({"spirv", out});
    return result;
  }
  void Read(const Action& action, const std::string& module, std::string& out, ActionResult& result) {
    std::string_view text;
    for (const worker::Blob& input : action.inputs) {
      if (input.name == module) text = input.bytes;
    }
    bool is_active = true;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      if (line == "#if 0") is_active = false;
      if (line == "#endif") is_active = true;
      if (line == "error" && is_active) {
        result.exit = ExitKind::kSourceErrors;
        result.diagnostics.push_back(Said(diag::Severity::kError, "bad", {module, {1, 1}, {}}, "an error"));
      }
      if (line == "warn" && is_active) {
        result.diagnostics.push_back(Said(diag::Severity::kWarning, "w", {module, {1, 1}, {}}, "warned"));
      }
      if (!is_active || !line.starts_with("#include ")) {
        if (is_active && !line.starts_with("//")) out += std::string(line) + "|";
        continue;
      }
      // `#include X` stands for "x.glsl", as a macro would.
      const bool is_computed = line == "#include X";
      const std::string spelled = is_computed ? "x.glsl" : std::string(line.substr(10, line.size() - 11));
      const worker::Import* found = nullptr;
      for (const worker::Import& import : action.imports) {
        if (import.from == module && import.spelled == spelled) found = &import;
      }
      if (found == nullptr) {
        result.unresolved.push_back({module, spelled, false, ""});
        continue;
      }
      result.consulted.push_back(*found);
      if (found->to.empty()) {
        out += "missing|";
      } else {
        Read(action, found->to, out, result);
      }
    }
  }

  std::map<std::string, int> counts_;
  std::string invalid_;
  std::optional<ExitKind> break_next_;
};

class MakerTest : public testing::Test {
 protected:
  MakerTest() {
    unit_.source = "a.vert";
    unit_.program = "a";
    unit_.entry = "main";
    unit_.include = {"inc"};
    spirv_.kind = TargetKind::kSpirv;
    spirv_.version = "1.5";
    msl_.kind = TargetKind::kMsl;
    msl_.version = "2.4";
  }
  void File(const std::string& path, std::string_view text) { disk_.Add("/p/" + path, text); }

  /// Makes `targets` of the unit as a new process would.
  std::vector<MadeArtifact> Make(const std::vector<Target>& targets, const std::string& project = "/p") {
    runner_.Reset();
    const auto sources = DiskSources(disk_, project);
    store::Store store(disk_, clock_, cache_);
    Executor executor(store, runner_, toolchain_, 4);
    MakerOptions options;
    options.manifest = manifest_;
    Maker maker(*sources, store, executor, options);
    std::vector<std::pair<size_t, Recipe>> wanted;
    wanted.reserve(targets.size());
    for (const Target& target : targets) wanted.emplace_back(wanted.size(), RecipeOf(config_, unit_, target));
    maker.Start(unit_, wanted);
    while (executor.load() != 0) executor.Wait(10);
    std::vector<MadeArtifact> made;
    for (size_t i = 0; i < targets.size(); ++i) {
      made.push_back(maker.ResultOf(i));
      if (made.back().is_ok) made.back().bytes = maker.BytesOf(made.back());
    }
    return made;
  }
  std::string Spirv() {
    const auto made = Make({spirv_});
    return made[0].is_ok ? *made[0].bytes : "failed";
  }

  ManualClock clock_;
  MemoryDisk disk_{clock_};
  FakeRunner runner_;
  std::string cache_ = "/cache";
  std::string toolchain_ = "t1";
  const diag::SourceSet* manifest_ = nullptr;
  Config config_;
  Unit unit_;
  Target spirv_;
  Target msl_;
};

TEST_F(MakerTest, SpirvOptTakesThePlaceOfAFaultyOptimizer) {
  File("a.vert", "x\n");
  spirv_.compile.optimize = "performance";
  EXPECT_EQ(Spirv(), "optimize(x|)");
  EXPECT_EQ(runner_.Count("validate"), 1);

  File("a.vert", "y\n");
  runner_.Refuse("optimize(");
  const auto made = Make({spirv_});
  ASSERT_TRUE(made[0].is_ok);
  EXPECT_EQ(*made[0].bytes, "spirv-opt(y|)");
  ASSERT_EQ(made[0].diagnostics.size(), 1u);
  EXPECT_EQ(made[0].diagnostics[0].code, "optimizer-fault");
  EXPECT_EQ(made[0].diagnostics[0].severity, diag::Severity::kWarning);
  EXPECT_NE(made[0].diagnostics[0].message.find("Id is 0"), std::string::npos);
  EXPECT_EQ(Make({spirv_})[0].diagnostics, made[0].diagnostics) << "the warning is repeated on a hit";

  // What was not valid before is the source's, or its compiler's.
  File("a.vert", "z\n");
  runner_.Refuse("");
  runner_.Refuse("spirv-opt(");
  EXPECT_EQ(Spirv(), "optimize(z|)");
  spirv_.compile.optimize = "-O";
  EXPECT_EQ(Spirv(), "failed");
}

TEST_F(MakerTest, ColdThenWarm) {
  File("a.vert", "#include \"b.glsl\"\nx\n");
  File("inc/b.glsl", "y\n");
  EXPECT_EQ(Spirv(), "y|x|");
  EXPECT_EQ(runner_.Count("compile"), 1);
  const auto warm = Make({spirv_});
  EXPECT_TRUE(warm[0].was_cached);
  EXPECT_EQ(runner_.Count("compile"), 0);
  EXPECT_EQ(*warm[0].bytes, "y|x|");
}

TEST_F(MakerTest, OneCompilationServesTargetsThatAgree) {
  File("a.vert", "x\n");
  const auto made = Make({spirv_, msl_});
  EXPECT_TRUE(made[0].is_ok && made[1].is_ok);
  EXPECT_EQ(runner_.Count("compile"), 1);
  EXPECT_EQ(*made[1].bytes, "translate(x|)");
}

TEST_F(MakerTest, IncludeTwoLevelsDown) {
  File("a.vert", "#include \"b.glsl\"\n");
  File("inc/b.glsl", "#include \"c.glsl\"\n");
  File("inc/c.glsl", "1\n");
  const auto first = Make({spirv_});
  File("inc/c.glsl", "2\n");
  const auto second = Make({spirv_});
  EXPECT_EQ(runner_.Count("compile"), 1);
  EXPECT_NE(first[0].key, second[0].key);
  EXPECT_EQ(*second[0].bytes, "2|");
}

TEST_F(MakerTest, AnIncludeUnderInactiveIfDoesNotCount) {
  File("a.vert", "#if 0\n#include \"off.glsl\"\n#include \"nowhere.glsl\"\n#endif\nx\n");
  File("inc/off.glsl", "1\n");
  EXPECT_EQ(Spirv(), "#endif|x|");
  File("inc/off.glsl", "2\n");
  Make({spirv_});
  EXPECT_EQ(runner_.Count("compile"), 0);
  File("inc/nowhere.glsl", "now there\n");
  Make({spirv_});
  EXPECT_EQ(runner_.Count("compile"), 0);
}

TEST_F(MakerTest, AMissingIncludeThatAppearsRebuilds) {
  File("a.vert", "#include \"late.glsl\"\n");
  EXPECT_EQ(Spirv(), "missing|");
  File("inc/late.glsl", "here\n");
  EXPECT_EQ(Spirv(), "here|");
  // And one that hides another, nearer to the includer.
  File("late.glsl", "nearer\n");
  EXPECT_EQ(Spirv(), "nearer|");
  EXPECT_EQ(runner_.Count("compile"), 1);
}

TEST_F(MakerTest, GoingBackIsAHit) {
  File("a.vert", "#include \"b.glsl\"\n");
  File("inc/b.glsl", "1\n");
  EXPECT_EQ(Spirv(), "1|");
  File("inc/b.glsl", "2\n");
  EXPECT_EQ(Spirv(), "2|");
  File("inc/b.glsl", "1\n");
  EXPECT_EQ(Spirv(), "1|");
  EXPECT_EQ(runner_.Count("compile"), 0);
}

TEST_F(MakerTest, AnotherCheckoutSharesTheCache) {
  File("a.vert", "#include \"b.glsl\"\n");
  File("inc/b.glsl", "1\n");
  const auto here = Make({spirv_, msl_});
  disk_.Add("/elsewhere/deep/a.vert", "#include \"b.glsl\"\n");
  disk_.Add("/elsewhere/deep/inc/b.glsl", "1\n");
  const auto there = Make({spirv_, msl_}, "/elsewhere/deep");
  EXPECT_EQ(runner_.Count("compile") + runner_.Count("translate"), 0);
  EXPECT_EQ(here[0].key, there[0].key);
  EXPECT_EQ(here[1].digest, there[1].digest);
}

TEST_F(MakerTest, EqualTextUnderOtherNamesSharesTheCache) {
  File("a.vert", "#include \"b.glsl\"\n");
  File("inc/b.glsl", "1\n");
  Make({spirv_});
  File("other/z.vert", "#include \"b.glsl\"\n");
  unit_.source = "other/z.vert";
  Make({spirv_});
  EXPECT_EQ(runner_.Count("compile"), 0);
}

TEST_F(MakerTest, ToolchainAndOptionsAreInTheKey) {
  File("a.vert", "x\n");
  const auto first = Make({spirv_});
  toolchain_ = "t2";
  EXPECT_NE(Make({spirv_})[0].key, first[0].key);
  EXPECT_EQ(runner_.Count("compile"), 1);
  unit_.defines = {{"A", "1"}};
  EXPECT_EQ(Spirv(), "x|define:A=1;");
  EXPECT_EQ(runner_.Count("compile"), 1);
}

TEST_F(MakerTest, ACommentRecompilesButTheTranslationIsAHit) {
  File("a.vert", "x\n");
  Make({msl_});
  File("a.vert", "// new\nx\n");
  const auto made = Make({msl_});
  EXPECT_EQ(runner_.Count("compile"), 1);
  EXPECT_EQ(runner_.Count("translate"), 0);
  EXPECT_TRUE(made[0].is_ok);
}

TEST_F(MakerTest, WarningsAreRepeatedOnAHitAndNamePlacesOfNow) {
  File("a.vert", "#include \"b.glsl\"\n");
  File("inc/b.glsl", "warn\n");
  const auto cold = Make({spirv_});
  ASSERT_EQ(cold[0].diagnostics.size(), 1u);
  EXPECT_EQ(cold[0].diagnostics[0].location.file, "inc/b.glsl");
  EXPECT_EQ(cold[0].diagnostics[0].source_line, "warn");
  const auto warm = Make({spirv_});
  EXPECT_EQ(warm[0].diagnostics, cold[0].diagnostics);
  // The same bytes under another name: the place is there.
  ASSERT_TRUE(disk_.Remove("/p/inc/b.glsl").ok());
  File("b.glsl", "warn\n");
  const auto moved = Make({spirv_});
  EXPECT_EQ(runner_.Count("compile"), 0);
  ASSERT_EQ(moved[0].diagnostics.size(), 1u);
  EXPECT_EQ(moved[0].diagnostics[0].location.file, "b.glsl");
}

TEST_F(MakerTest, ComputedIncludesAreAskedFor) {
  File("a.vert", "#include X\n");
  File("inc/x.glsl", "1\n");
  EXPECT_EQ(Spirv(), "1|");
  EXPECT_EQ(runner_.Count("compile"), 2);
  File("inc/x.glsl", "2\n");
  EXPECT_EQ(Spirv(), "2|");
}

TEST_F(MakerTest, FailuresAreNotKept) {
  File("a.vert", "error\n");
  auto made = Make({spirv_, msl_});
  EXPECT_FALSE(made[0].is_ok);
  ASSERT_EQ(made[0].diagnostics.size(), 1u);
  EXPECT_EQ(made[0].diagnostics[0].location.file, "a.vert");
  Make({spirv_});
  EXPECT_EQ(runner_.Count("compile"), 1);
  File("a.vert", "x\n");
  runner_.BreakNext(ExitKind::kCrashed);
  // BreakNext was set before Make counts anew.
  made = Make({spirv_});
  EXPECT_FALSE(made[0].is_ok);
  ASSERT_EQ(made[0].diagnostics.size(), 1u);
  EXPECT_EQ(made[0].diagnostics[0].location.file, "a.vert");
  EXPECT_EQ(Spirv(), "x|");
}

TEST_F(MakerTest, AnUnsupportedTargetFailsAlone) {
  File("a.vert", "x\n");
  Target essl;
  essl.kind = TargetKind::kEssl;
  essl.version = "310";
  const auto made = Make({essl, spirv_, msl_});
  EXPECT_FALSE(made[0].is_ok);
  EXPECT_TRUE(made[1].is_ok && made[2].is_ok);
}

TEST_F(MakerTest, WithoutACacheEverythingRunsAndNothingIsWritten) {
  cache_.clear();
  File("a.vert", "x\n");
  EXPECT_EQ(Spirv(), "x|");
  EXPECT_EQ(Spirv(), "x|");
  EXPECT_EQ(runner_.Count("compile"), 1);
  for (const std::string& path : disk_.AllFiles()) EXPECT_EQ(path.substr(0, 3), "/p/");
}

TEST_F(MakerTest, DamagedCacheEntriesAreMisses) {
  File("a.vert", "#include \"b.glsl\"\nx\n");
  File("inc/b.glsl", "y\n");
  Make({spirv_, msl_});
  std::vector<std::string> entries;
  for (const std::string& path : disk_.AllFiles()) {
    if (path.starts_with("/cache/")) entries.push_back(path);
  }
  ASSERT_GT(entries.size(), 3u);
  for (const std::string& path : entries) {
    for (const size_t at : {0u, 5u, 40u, 90u}) {
      if (!disk_.Has(path)) continue;
      disk_.Damage(path, [&](std::string& bytes) {
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 0x11);
      });
      const auto made = Make({spirv_, msl_});
      ASSERT_TRUE(made[0].is_ok && made[1].is_ok) << path;
      EXPECT_EQ(*made[0].bytes, "y|x|") << path;
      EXPECT_EQ(*made[1].bytes, "translate(y|x|)") << path;
    }
  }
}

TEST_F(MakerTest, AnHlslAttributeThatNamesAnotherStage) {
  File("a.hlsl", "#include \"b.glsl\"\n");
  File("inc/b.glsl", "[numthreads(8, 8, 1)]\nvoid main() {}\n");
  unit_.source = "a.hlsl";
  unit_.language = Language::kHlsl;
  auto made = Make({spirv_, msl_});
  EXPECT_FALSE(made[0].is_ok || made[1].is_ok);
  ASSERT_EQ(made[0].diagnostics.size(), 1u);
  const diag::Diagnostic& said = made[0].diagnostics[0];
  EXPECT_EQ(said.code, "stage-mismatch");
  EXPECT_EQ(said.location.file, "inc/b.glsl");
  EXPECT_EQ(said.location.begin.line, 1u);
  EXPECT_EQ(said.location.begin.column, 2u);
  EXPECT_EQ(said.source_line, "[numthreads(8, 8, 1)]");
  EXPECT_NE(said.hint.find("compute or task or mesh"), std::string::npos) << said.hint;
  EXPECT_EQ(runner_.Count("compile"), 0);
  unit_.stage = Stage::kCompute;
  made = Make({spirv_});
  EXPECT_TRUE(made[0].is_ok);
  // A macro may make another function of this name.
  unit_.stage = Stage::kVertex;
  unit_.defines = {{"ENTRY", "main"}};
  EXPECT_TRUE(Make({spirv_})[0].is_ok);
}

TEST_F(MakerTest, AnHlslEntryThatTheSourceDoesNotHave) {
  File("a.hlsl", "float4 VSMain() {}\n");
  unit_.source = "a.hlsl";
  unit_.language = Language::kHlsl;
  unit_.entry = "VSMian";
  const auto made = Make({spirv_});
  EXPECT_FALSE(made[0].is_ok);
  ASSERT_EQ(made[0].diagnostics.size(), 1u);
  EXPECT_EQ(made[0].diagnostics[0].code, "entry-missing");
  EXPECT_EQ(made[0].diagnostics[0].hint, "it has 'VSMain'");
  EXPECT_EQ(runner_.Count("compile"), 0);
  // A macro from outside may make the name.
  unit_.defines = {{"ENTRY", "VSMian"}};
  EXPECT_TRUE(Make({spirv_})[0].is_ok);
}

TEST_F(MakerTest, GlslWithoutMain) {
  File("a.frag", "void maim() {}\n");
  unit_.source = "a.frag";
  unit_.language = Language::kGlsl;
  diag::SourceSet manifest;
  const diag::SourceFile& file = manifest.AddView("kiln.json", "\"a.frag\"");
  manifest_ = &manifest;
  unit_.where = {file.base(), file.base() + 8};
  const auto made = Make({spirv_});
  EXPECT_FALSE(made[0].is_ok);
  ASSERT_EQ(made[0].diagnostics.size(), 1u);
  EXPECT_EQ(made[0].diagnostics[0].code, "entry-missing");
  EXPECT_EQ(made[0].diagnostics[0].location.file, "kiln.json");
  EXPECT_EQ(made[0].diagnostics[0].location.begin.line, 1u);
  EXPECT_EQ(made[0].diagnostics[0].hint, "it has 'maim'");
}

}  // namespace
}  // namespace kiln::build
