// SPDX-License-Identifier: Apache-2.0
#include "worker/encode.h"

#include <gtest/gtest.h>

#include <random>

namespace kiln::worker {
namespace {

Action SampleAction() {
  return {"compile",
          {{"entry", "a.vert"}, {"stage", "vertex"}},
          {{"a.vert", std::string("#version 450\n\0x", 15)}, {"b.glsl", ""}},
          {{"a.vert", "b.glsl", false, "b.glsl"}, {"b.glsl", "sys", true, ""}}};
}

ActionResult SampleResult() {
  ActionResult result;
  result.exit = ExitKind::kSourceErrors;
  result.outputs = {{"spirv", std::string(100, '\x7f')}};
  diag::Diagnostic diagnostic;
  diagnostic.severity = diag::Severity::kWarning;
  diagnostic.code = "some-code";
  diagnostic.location = {"a.vert", {3, 5}, {3, 9}};
  diagnostic.message = "what is wrong";
  diagnostic.hint = "do this";
  diagnostic.notes = {{{"b.glsl", {1, 2}, {0, 0}}, "included here"}};
  diagnostic.source_line = "  vec4 x = y;";
  result.diagnostics = {diagnostic, diag::Diagnostic()};
  result.consulted = SampleAction().imports;
  result.unresolved = {{"x", "y", true, ""}};
  return result;
}

bool Equal(const ActionResult& a, const ActionResult& b) {
  return a.exit == b.exit && a.outputs == b.outputs && a.diagnostics == b.diagnostics && a.consulted == b.consulted &&
         a.unresolved == b.unresolved;
}

TEST(Encode, ActionsAndResultsComeBackEqual) {
  Action action;
  ASSERT_TRUE(DecodeAction(EncodeAction(SampleAction()), action));
  EXPECT_EQ(action.operation, SampleAction().operation);
  EXPECT_EQ(action.options, SampleAction().options);
  EXPECT_EQ(action.inputs, SampleAction().inputs);
  EXPECT_EQ(action.imports, SampleAction().imports);
  ActionResult result;
  ASSERT_TRUE(DecodeResult(EncodeResult(SampleResult()), result));
  EXPECT_TRUE(Equal(result, SampleResult()));
}

TEST(Encode, EveryTruncationAndEveryTrailerIsRefused) {
  const std::string action_bytes = EncodeAction(SampleAction()), result_bytes = EncodeResult(SampleResult());
  Action action;
  ActionResult result;
  for (size_t size = 0; size < action_bytes.size(); ++size) {
    EXPECT_FALSE(DecodeAction(std::string_view(action_bytes).substr(0, size), action)) << size;
  }
  for (size_t size = 0; size < result_bytes.size(); ++size) {
    EXPECT_FALSE(DecodeResult(std::string_view(result_bytes).substr(0, size), result)) << size;
  }
  EXPECT_FALSE(DecodeAction(action_bytes + '\0', action));
  EXPECT_FALSE(DecodeResult(result_bytes + '\0', result));
}

TEST(Encode, DamagedBytesGiveAnAnswerAndNoHugeAllocation) {
  const std::string good = EncodeResult(SampleResult());
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string bad = good;
    for (int i = 0; i < 3; ++i) bad[random() % bad.size()] = static_cast<char>(random());
    ActionResult result;
    if (DecodeResult(bad, result)) {
      EXPECT_LT(EncodeResult(result).size(), good.size() + 1);
    }
  }
}

TEST(Encode, TheCanonicalFormIgnoresOrderAndNothingElse) {
  const auto make = [](auto change) {
    std::string toolchain = "t", operation = "compile";
    std::vector<std::pair<std::string, std::string>> options = {{"a", "1"}, {"b", "2"}};
    std::vector<InputDigest> inputs = {{"m", "00"}, {"n", "11"}};
    std::vector<Import> imports = {{"m", "n", false, "n"}, {"m", "o", true, ""}};
    change(toolchain, operation, options, inputs, imports);
    return CanonicalAction(toolchain, operation, options, inputs, imports);
  };
  const std::string plain = make([](auto&...) {});
  EXPECT_EQ(plain, make([](auto&, auto&, auto& options, auto& inputs, auto& imports) {
              std::swap(options[0], options[1]);
              std::swap(inputs[0], inputs[1]);
              std::swap(imports[0], imports[1]);
            }));
  EXPECT_NE(plain, make([](auto& toolchain, auto&...) { toolchain = "u"; }));
  EXPECT_NE(plain, make([](auto&, auto& operation, auto&...) { operation = "preprocess"; }));
  EXPECT_NE(plain, make([](auto&, auto&, auto& options, auto&...) { options[0].second = "2"; }));
  // Moving a byte from a name to its value, or from one field to the next, is another action.
  EXPECT_NE(plain, make([](auto&, auto&, auto& options, auto&...) { options[0] = {"a1", ""}; }));
  EXPECT_NE(plain, make([](auto&, auto&, auto&, auto& inputs, auto&...) { inputs.pop_back(); }));
  EXPECT_NE(plain, make([](auto&, auto&, auto&, auto& inputs, auto&...) { inputs[1].digest = "12"; }));
  EXPECT_NE(plain, make([](auto&, auto&, auto&, auto&, auto& imports) { imports[1].to = "p"; }));
  EXPECT_NE(plain, make([](auto&, auto&, auto&, auto&, auto& imports) { imports[0].is_angled = true; }));
}

TEST(Frames, ArriveInAnyPieces) {
  const std::string stream = MakeFrame(FrameKind::kHello, "hello") + MakeFrame(FrameKind::kResult, "") +
                             MakeFrame(FrameKind::kRequest, std::string(5000, 'x'));
  for (const size_t piece : {size_t{1}, size_t{3}, size_t{8}, size_t{9}, size_t{4096}, stream.size()}) {
    FrameReader reader;
    std::vector<std::pair<FrameKind, std::string>> frames;
    for (size_t at = 0; at < stream.size(); at += piece) {
      reader.Append(stream.data() + at, std::min(piece, stream.size() - at));
      FrameKind kind;
      std::string payload;
      FrameReader::State state;
      while ((state = reader.Next(kind, payload)) == FrameReader::State::kFrame) frames.emplace_back(kind, payload);
      ASSERT_EQ(state, FrameReader::State::kNeedsMore);
    }
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_EQ(frames[0], std::make_pair(FrameKind::kHello, std::string("hello")));
    EXPECT_EQ(frames[1], std::make_pair(FrameKind::kResult, std::string()));
    EXPECT_EQ(frames[2].second.size(), 5000u);
    EXPECT_TRUE(reader.empty());
  }
}

TEST(Frames, WhatIsNoFrameIsRefusedAtOnce) {
  const auto state_of = [](std::string bytes) {
    FrameReader reader;
    reader.Append(bytes.data(), bytes.size());
    FrameKind kind;
    std::string payload;
    return reader.Next(kind, payload);
  };
  EXPECT_EQ(state_of(""), FrameReader::State::kNeedsMore);
  EXPECT_EQ(state_of("KW"), FrameReader::State::kNeedsMore);
  EXPECT_EQ(state_of("E"), FrameReader::State::kBroken);
  EXPECT_EQ(state_of("KWF2"), FrameReader::State::kBroken);
  std::string frame = MakeFrame(FrameKind::kResult, "");
  frame[4] = 0;
  EXPECT_EQ(state_of(frame), FrameReader::State::kBroken);
  frame[4] = 9;
  EXPECT_EQ(state_of(frame), FrameReader::State::kBroken);
  frame = MakeFrame(FrameKind::kResult, "");
  frame[8] = '\x7f';
  EXPECT_EQ(state_of(frame), FrameReader::State::kBroken) << "2 GiB";
}

TEST(Frames, AHelloOfAnotherVersionIsUnderstoodAsSuch) {
  Hello hello;
  ASSERT_TRUE(DecodeHello(EncodeHello({kProtocolVersion, "abc"}), hello));
  EXPECT_EQ(hello.identity_digest, "abc");
  EXPECT_FALSE(DecodeHello(EncodeHello({kProtocolVersion, "abc"}) + "more", hello));
  EXPECT_TRUE(DecodeHello(EncodeHello({kProtocolVersion + 1, "abc"}) + "more", hello));
  EXPECT_EQ(hello.protocol, kProtocolVersion + 1);
}

}  // namespace
}  // namespace kiln::worker
