// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "cli/command.h"
#include "cli/session.h"
#include "diag/render.h"

namespace kiln::cli {

namespace {

constexpr std::string_view kManifest = R"({
  // What is built: docs/configuration.md explains every key; editors complete them from the schema.
  "schemaVersion": 1,

  // Where the files go and what they are called.
  "output": {"folder": "build/shaders", "layout": "{target}/{program}.{stage}.{ext}"},

  // Every program is built for each of these.
  "targets": ["spirv-1.3", "msl-2.4", "hlsl-6.0", "essl-310", "reflection"],

  // A program is the stages that are used together. A glob makes one program of each file it finds.
  "programs": [
    {"name": "triangle", "stages": ["shaders/triangle.vert", "shaders/triangle.frag"]},
  ],
}
)";

constexpr std::string_view kVertex = R"(#version 450

// A triangle without a vertex buffer.
const vec2 kCorners[3] = vec2[](vec2(0.0, -0.6), vec2(0.6, 0.5), vec2(-0.6, 0.5));
const vec3 kColors[3] = vec3[](vec3(0.95, 0.45, 0.15), vec3(0.2, 0.7, 0.45), vec3(0.2, 0.4, 0.95));

layout(location = 0) out vec3 color;

void main() {
  gl_Position = vec4(kCorners[gl_VertexIndex], 0.0, 1.0);
  color = kColors[gl_VertexIndex];
}
)";

constexpr std::string_view kFragment = R"(#version 450

layout(location = 0) in vec3 color;
layout(location = 0) out vec4 target;

layout(set = 0, binding = 0) uniform Frame {
  float brightness;
} frame;

void main() { target = vec4(color * frame.brightness, 1.0); }
)";

class InitCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("FOLDER", &folder_, 0, 1, "where to write (default: here)");
    table.Flag("--force", &is_forced_, "replace files that are there");
  }
  Exit Run(Session& session) override {
    const std::string folder = folder_.empty() ? "." : folder_.front();
    const std::pair<const char*, std::string_view> files[] = {
        {"kiln.json", kManifest}, {"shaders/triangle.vert", kVertex}, {"shaders/triangle.frag", kFragment}};
    Disk& disk = SystemDisk();
    for (const auto& [name, text] : files) {
      const auto stat = disk.StatLink(folder + "/" + name);
      if (!is_forced_ && stat.ok() && stat->exists()) {
        session.sink.Error("file-exists").Hint("--force replaces it")
            << "'" << folder << "/" << name << "' is there already";
      }
    }
    if (session.sink.has_errors()) return Exit::kUsage;
    if (const auto made = disk.MakeFolders(folder + "/shaders"); !made) return Refused(session, made.error());
    for (const auto& [name, text] : files) {
      if (const auto written = disk.WriteFile(folder + "/" + name, text); !written) {
        return Refused(session, written.error());
      }
      session.Say("wrote " + diag::Visible(folder == "." ? name : folder + "/" + name) + "\n");
    }
    session.Say("now: kiln build" + (folder == "." ? "" : " -C " + diag::Visible(folder)) + "\n");
    return Exit::kFine;
  }

 private:
  static Exit Refused(Session& session, const OsError& error) {
    session.sink.Error("cannot-write") << error.Message();
    return Exit::kEnvironment;
  }

  std::vector<std::string> folder_;
  bool is_forced_ = false;
};

}  // namespace

extern const CommandInfo kInitCommand{"init", "write a commented kiln.json and a first shader", "",
                                      [] { return std::unique_ptr<Command>(new InitCommand); }};

}  // namespace kiln::cli
