// SPDX-License-Identifier: Apache-2.0
#include "generate.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "random.h"

namespace kiln::bench {

namespace {

constexpr const char* kShared = R"(#ifndef SHARED_GLSL
#define SHARED_GLSL
layout(std140, set = 0, binding = 0) uniform Frame {
  mat4 view_projection;
  vec4 eye;
  vec4 light;
  vec4 params;
} frame;
float saturate(float x) { return clamp(x, 0.0, 1.0); }
vec3 tone(vec3 x) { return x / (1.0 + x); }
#endif
)";

// A function whose text depends on the generator: a few operations over two vectors.
std::string Function(const std::string& name, Random& random) {
  const char* const kUnary[] = {"sin", "cos", "sqrt", "abs", "fract", "exp2"};
  const char* const kBinary[] = {"min", "max", "pow", "step", "mod"};
  std::string out = "vec3 " + name + "(vec3 a, vec3 b) {\n  vec3 r = a * " + random.Number() + " + b;\n";
  for (uint32_t i = 0; i < 4; ++i) {
    out += "  r += " + std::string(kUnary[random.Next(6)]) + "(abs(" + std::string(kBinary[random.Next(5)]) +
           "(abs(r) + " + random.Number() + ", abs(b) + " + random.Number() + "))) * " + random.Number() + ";\n";
  }
  return out + "  return r;\n}\n";
}

std::string Functions(Random& random) {
  std::string out;
  for (int i = 0; i < 6; ++i) out += Function("layer" + std::to_string(i), random);
  return out;
}

std::string Calls(Random& random) {
  std::string out;
  for (int i = 0; i < 6; ++i) {
    out += "  sum = layer" + std::to_string(i) + "(sum, p * " + random.Number() + ");\n";
    if (random.Next(2) == 0)
      out += "  for (int i = 0; i < " + std::to_string(random.Next(6) + 2) + "; ++i) sum = tone(sum + p);\n";
  }
  return out;
}

std::string Head() {
  return "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"shared.glsl\"\n";
}

std::string Fragment(Random& random) {
  return Head() +
         "layout(location = 0) in vec3 world;\nlayout(location = 1) in vec2 uv;\n"
         "layout(location = 0) out vec4 color;\nlayout(set = 1, binding = 0) uniform sampler2D albedo;\n"
         "layout(set = 1, binding = 1) uniform samplerCube sky;\n" +
         Functions(random) +
         "void main() {\n  vec3 p = world;\n  vec3 sum = texture(albedo, uv).rgb;\n  vec3 n = normalize(cross(dFdx(p), "
         "dFdy(p)));\n" +
         Calls(random) +
         "  sum += texture(sky, reflect(normalize(p - frame.eye.xyz), n)).rgb * saturate(dot(n, frame.light.xyz));\n"
         "  if (sum.x < 0.001) discard;\n  color = vec4(tone(sum), 1.0);\n}\n";
}

std::string Vertex(Random& random) {
  return Head() +
         "layout(location = 0) in vec3 position;\nlayout(location = 1) in vec3 normal;\n"
         "layout(location = 2) in vec2 in_uv;\nlayout(location = 0) out vec3 world;\n"
         "layout(location = 1) out vec2 uv;\nlayout(push_constant) uniform Draw { mat4 model; } draw;\n" +
         Functions(random) +
         "void main() {\n  vec3 p = (draw.model * vec4(position, 1.0)).xyz;\n  vec3 sum = normal;\n" + Calls(random) +
         "  world = p + sum * 0.01;\n  uv = in_uv;\n  gl_Position = frame.view_projection * vec4(world, 1.0);\n}\n";
}

std::string Compute(Random& random) {
  return Head() +
         "layout(local_size_x = 64) in;\nlayout(std430, set = 1, binding = 0) buffer Points { vec4 points[]; };\n"
         "shared vec4 tile[64];\n" +
         Functions(random) +
         "void main() {\n  uint id = gl_GlobalInvocationID.x;\n  tile[gl_LocalInvocationIndex] = points[id];\n  "
         "barrier();\n  vec3 p = tile[63u - gl_LocalInvocationIndex].xyz;\n  vec3 sum = points[id].xyz;\n" +
         Calls(random) + "  points[id] = vec4(sum, float(id));\n}\n";
}

std::string Manifest(const std::string& toolchain, const std::string& programs) {
  return "{\n  \"schemaVersion\": 1,\n  \"output\": {\"folder\": \"out\"},\n" +
         (toolchain.empty() ? std::string() : "  \"toolchains\": \"" + toolchain + "\",\n") +
         "  \"targets\": {\n    \"spirv\": {\"target\": \"spirv-1.3\", \"optimize\": \"performance\"},\n"
         "    \"msl\": {\"target\": \"msl-2.4\"},\n    \"hlsl\": {\"target\": \"hlsl-6.0\"},\n"
         "    \"essl\": {\"target\": \"essl-310\"}\n  },\n  \"programs\": [" +
         programs + "]\n}\n";
}

std::string NumberedName(size_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "s%05zu", number);
  return text;
}

}  // namespace

void WriteText(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

void WriteRealistic(const std::string& folder, size_t count, const std::string& toolchain) {
  WriteText(folder + "/shaders/shared.glsl", kShared);
  for (size_t i = 0; i < count; ++i) {
    Random random(i + 1);
    const char* const kExtensions[] = {".frag", ".vert", ".comp", ".frag", ".frag"};
    const std::string extension = kExtensions[i % 5];
    const std::string text = extension == ".frag"   ? Fragment(random)
                             : extension == ".vert" ? Vertex(random)
                                                    : Compute(random);
    WriteText(folder + "/shaders/" + NumberedName(i) + extension, text);
  }
  WriteText(folder + "/kiln.json", Manifest(toolchain, "\"shaders/*.{frag,vert,comp}\""));
}

void WriteMany(const std::string& folder, size_t sources, const std::string& toolchain) {
  WriteText(folder + "/shaders/a.glsl",
            "#include \"b.glsl\"\n#include \"c.glsl\"\nfloat a(float x) { return b(x) + c(x); }\n");
  WriteText(folder + "/shaders/b.glsl", "#include \"d.glsl\"\nfloat b(float x) { return d(x) * 2.0; }\n");
  WriteText(folder + "/shaders/c.glsl", "float c(float x) { return x * x; }\n");
  WriteText(folder + "/shaders/d.glsl", "float d(float x) { return x + 0.5; }\n");
  for (size_t i = 0; i < sources; ++i) {
    WriteText(folder + "/shaders/" + std::to_string(i / 500) + "/" + NumberedName(i) + ".frag",
              "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"a.glsl\"\n"
              "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(a(" +
                  std::to_string(i) + ".0)); }\n");
  }
  std::string manifest = Manifest(toolchain, "\"shaders/**/*.frag\"");
  manifest.insert(manifest.find("  \"targets\""), "  \"include\": [\"shaders\"],\n");
  const size_t at = manifest.find(", \"optimize\": \"performance\"");
  manifest.erase(at, std::string(", \"optimize\": \"performance\"").size());
  WriteText(folder + "/kiln.json", manifest);
}

void WriteNinja(const std::string& folder, size_t sources, const std::string& tool) {
  std::string out = "rule touch\n  command = " + tool + " --touch $out $out.d $in\n  depfile = $out.d\n  deps = gcc\n";
  for (size_t i = 0; i < sources; ++i) {
    const std::string source = "shaders/" + std::to_string(i / 500) + "/" + NumberedName(i) + ".frag";
    for (const char* target : {"spv", "metal", "hlsl", "essl"}) {
      out += "build ninja-out/" + std::string(target) + "/" + std::to_string(i / 500) + "/" + NumberedName(i) + "." +
             target + ": touch " + source + "\n";
    }
  }
  WriteText(folder + "/build.ninja", out);
}

int Touch(const std::string& output, const std::string& depfile, const std::string& source) {
  WriteText(output, source);
  WriteText(depfile, output + ": " + source + " shaders/a.glsl shaders/b.glsl shaders/c.glsl shaders/d.glsl\n");
  return 0;
}

}  // namespace kiln::bench
