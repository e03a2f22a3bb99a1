// SPDX-License-Identifier: Apache-2.0
// The public library.
#include <gtest/gtest.h>

#include "kiln/kiln.h"

namespace kiln {
namespace {

TEST(PublicApi, DiagnosticsAreData) {
  const Compiled compiled = CompileWgsl("fn f() -> i32 {\n  let é = tru;\n  return 1;\n}\n", {.name = "dir/a.wgsl"});
  EXPECT_FALSE(compiled);
  ASSERT_EQ(compiled.diagnostics.size(), 1u);
  const Diagnostic& d = compiled.diagnostics[0];
  EXPECT_EQ(d.severity, Severity::kError);
  EXPECT_EQ(d.location.file, "dir/a.wgsl");
  EXPECT_EQ(d.location.line, 2u);
  EXPECT_EQ(d.location.column, 11u);  // code points, not bytes
  EXPECT_FALSE(d.code.empty());
  EXPECT_EQ(d.source_line, "  let é = tru;");
  EXPECT_NE(ToString(d).find("dir/a.wgsl:2:11: error:"), std::string::npos);
}

constexpr const char* kModule = R"(
@id(4) override on: bool = true;
override n: u32;
override scale: f32 = 0.5;
override twice = n * 2;
@compute @workgroup_size(n, 2) fn cs() { if on { _ = scale; } }
@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }
@compute @workgroup_size(3) fn fixed() { }
)";

TEST(PublicApi, EntryPointsAndOverrides) {
  const Compiled compiled = CompileWgsl(kModule);
  ASSERT_TRUE(compiled);
  const auto entries = compiled.module->entry_points();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "cs");
  EXPECT_FALSE(entries[0].workgroup_size);
  EXPECT_EQ(entries[1].stage, ShaderStage::kVertex);
  EXPECT_FALSE(entries[1].workgroup_size);
  EXPECT_EQ(*entries[2].workgroup_size, (std::array<uint32_t, 3>{3, 1, 1}));
  const auto overrides = compiled.module->overrides();
  ASSERT_EQ(overrides.size(), 4u);
  EXPECT_EQ(overrides[0].key, "4");
  EXPECT_EQ(overrides[0].type, "bool");
  EXPECT_EQ(overrides[0].default_value, 1.0);
  EXPECT_EQ(overrides[1].key, "n");
  EXPECT_FALSE(overrides[1].has_default);
  EXPECT_EQ(overrides[2].default_value, 0.5);
  EXPECT_TRUE(overrides[3].has_default);
  EXPECT_FALSE(overrides[3].default_value);
}

TEST(PublicApi, Specialize) {
  const Compiled compiled = CompileWgsl(kModule);
  ASSERT_TRUE(compiled);
  const Compiled special = compiled.module->Specialize({.entry_point = "cs", .overrides = {{"n", 8}, {"4", 0}}});
  ASSERT_TRUE(special) << ToString(special.diagnostics.at(0));
  EXPECT_EQ(*special.module->entry_points().at(0).workgroup_size, (std::array<uint32_t, 3>{8, 2, 1}));
  EXPECT_TRUE(special.module->overrides().empty());
  EXPECT_FALSE(compiled.module->Specialize({.entry_point = "cs"})) << "n has no value";
  EXPECT_FALSE(compiled.module->Specialize({.entry_point = "cs", .overrides = {{"n", 1000}}})) << "too large a group";
  EXPECT_FALSE(compiled.module->Specialize({.entry_point = "nothing"}));
  EXPECT_TRUE(compiled.module->Specialize({.entry_point = "vs"}));
}

TEST(PublicApi, AMisspeltNameGetsTheOneThatWasMeant) {
  const Compiled compiled = CompileWgsl(
      "override size: f32 = 2; @id(7) override other = 3; @compute @workgroup_size(1) fn blur() { _ = size; _ = other; "
      "}");
  ASSERT_TRUE(compiled);
  const auto hint_for = [&](const PipelineOptions& options) {
    const Compiled special = compiled.module->Specialize(options);
    EXPECT_FALSE(special);
    return special.diagnostics.empty() ? "" : special.diagnostics[0].code + ": " + special.diagnostics[0].hint;
  };
  EXPECT_EQ(hint_for({.overrides = {{"sise", 1}}}), "unknown-override: did you mean 'size'?");
  EXPECT_EQ(hint_for({.overrides = {{"othre", 1}}}),
            "unknown-override: did you mean 'other', named here by its @id: 7");
  EXPECT_EQ(hint_for({.overrides = {{"other", 1}}}), "unknown-override: 'other' has an @id, which is its name here: 7");
  EXPECT_EQ(hint_for({.overrides = {{"8", 1}}}), "unknown-override: it has 'size', '7'");
  EXPECT_EQ(hint_for({.entry_point = "blurr"}), "no-entry-point: did you mean 'blur'?");
  EXPECT_EQ(hint_for({.entry_point = "shade"}), "no-entry-point: it has 'blur'");
}

TEST(PublicApi, Emits) {
  const Compiled compiled = CompileWgsl("@compute @workgroup_size(1) fn main() { var x = 1; x++; }");
  ASSERT_TRUE(compiled);
  const SpirvOutput spirv = compiled.module->EmitSpirv({.version = SpirvVersion::k1_5});
  ASSERT_TRUE(spirv);
  EXPECT_EQ(spirv.words[0], 0x07230203u);
  EXPECT_EQ(spirv.words[1], 0x00010500u);
  EXPECT_EQ(compiled.module->EmitWgsl().text,
            "@compute @workgroup_size(1i) fn main() {\n  var x = 1i;\n  x = x + 1i;\n}\n");
  EXPECT_NE(compiled.module->IrText().find("store %x = (load(%x) + 1i);"), std::string::npos);
  EXPECT_NE(compiled.module->ReflectJson().find("\"main\""), std::string::npos);
  EXPECT_GT(compiled.module->MemoryUse(), 0u);
}

TEST(PublicApi, AnEmptyModuleIsAModule) {
  const Compiled compiled = CompileWgsl("");
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled.module->EmitWgsl());
  EXPECT_EQ(compiled.module->EmitWgsl().text, "");
}

TEST(PublicApi, ModulesMove) {
  Compiled compiled = CompileWgsl(kModule);
  ASSERT_TRUE(compiled);
  ShaderModule module = std::move(*compiled.module);
  EXPECT_EQ(module.entry_points().size(), 3u);
}

}  // namespace
}  // namespace kiln
