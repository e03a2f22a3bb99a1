// SPDX-License-Identifier: Apache-2.0
#include "wgsl_corpus.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/json.h"
#include "random.h"

namespace kiln::bench {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHead = R"(// A generated module.
struct Frame {
  view_projection: mat4x4<f32>,
  inverse_view: mat4x4<f32>,
  eye: vec4<f32>,
  light_direction: vec3<f32>,
  exposure: f32,
  size: vec2<u32>,
  frame_index: u32,
}

struct Light {
  position: vec3<f32>,
  radius: f32,
  color: vec3<f32>,
  intensity: f32,
}

struct Particle {
  position: vec4<f32>,
  velocity: vec4<f32>,
  state: u32,
  seed: u32,
}

struct Surface {
  albedo: vec3<f32>,
  normal: vec3<f32>,
  roughness: f32,
  metallic: f32,
}

const PI: f32 = 3.14159265359;
const MAX_LIGHTS: u32 = 64u;
const OFFSETS = array<vec2<f32>, 4>(vec2(0.0, 1.0), vec2(1.0, 0.0), vec2(0.0, -1.0), vec2(-1.0, 0.0));

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> lights: array<Light>;
@group(0) @binding(2) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(3) var<storage, read_write> counters: array<atomic<u32>, 64>;
@group(1) @binding(0) var color_map: texture_2d<f32>;
@group(1) @binding(1) var normal_map: texture_2d<f32>;
@group(1) @binding(2) var filtering: sampler;
@group(1) @binding(3) var target_map: texture_storage_2d<rgba8unorm, write>;

var<workgroup> tile: array<vec4<f32>, 64>;
var<private> ray_count: u32;

)";

// Fills `$0`..`$9` of a text: an ever different number each, the names of the function and of its callee with `$f` and
// `$c`, a name of its own with `$n`.
std::string Fill(std::string_view text, const std::string& own, const std::string& callee, Random& random) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '$') {
      out += text[at];
      continue;
    }
    switch (text[++at]) {
      case 'f':
        out += own;
        break;
      case 'c':
        out += callee;
        break;
      case 'i':
        out += std::to_string(random.Next(7) + 2);
        break;
      case 'u':
        out += std::to_string(random.Next(1u << 30)) + "u";
        break;
      default:
        out += random.Number();
    }
  }
  return out;
}

// Every function is (vec3<f32>, f32) -> f32, so that each can call each.
constexpr const char* kFunctions[] = {
    // Hash and value noise.
    R"(fn $f(p: vec3<f32>, t: f32) -> f32 {
  let cell = vec3<i32>(floor(p * $0));
  var h = u32(cell.x) * $u + u32(cell.y) * $u + u32(cell.z) * $u;
  h = (h ^ (h >> 15u)) * $u;
  h ^= h >> 13u;
  let local = fract(p * $0);
  let weight = local * local * (3.0 - 2.0 * local);
  return mix(f32(h & 0xffffu) / 65535.0, $c(p + vec3($0, $0, $0), t), weight.x) + weight.y * weight.z;
}

)",
    // A surface under a light.
    R"(// Light with the distribution of Trowbridge and Reitz.
fn $f(normal: vec3<f32>, roughness: f32) -> f32 {
  let view = normalize(frame.eye.xyz - normal * $0);
  let light = normalize(-frame.light_direction);
  let half_vector = normalize(view + light);
  let n_dot_h = max(dot(normal, half_vector), 0.0001);
  let n_dot_v = max(dot(normal, view), 0.0001);
  let n_dot_l = max(dot(normal, light), 0.0);
  let alpha = roughness * roughness;
  let denominator = n_dot_h * n_dot_h * (alpha * alpha - 1.0) + 1.0;
  let distribution = (alpha * alpha) / (PI * denominator * denominator);
  let k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
  let geometry = (n_dot_v / (n_dot_v * (1.0 - k) + k)) * (n_dot_l / (n_dot_l * (1.0 - k) + k));
  let fresnel = vec3(0.04) + (vec3(1.0) - vec3(0.04)) * pow(1.0 - n_dot_v, 5.0);
  return dot(fresnel * distribution * geometry, vec3<f32>($0, $0, $0)) + $c(half_vector, alpha);
}

)",
    // All lights.
    R"(fn $f(p: vec3<f32>, scale: f32) -> f32 {
  var sum = vec3<f32>(0.0, 0.0, 0.0);
  let count = min(arrayLength(&lights), MAX_LIGHTS);
  for (var i: u32 = 0u; i < count; i = i + 1u) {
    let light = lights[i];
    let to_light = light.position - p;
    let distance_squared = dot(to_light, to_light);
    if (distance_squared > light.radius * light.radius) {
      continue;
    }
    let attenuation = clamp(1.0 - distance_squared / (light.radius * light.radius), 0.0, 1.0);
    sum += light.color * light.intensity * attenuation * $0;
  }
  return length(sum) * scale + $c(sum, $0);
}

)",
    // Marching a ray.
    R"(fn $f(origin: vec3<f32>, limit: f32) -> f32 {
  var travelled = $0;
  var steps = 0;
  loop {
    if (steps >= $i || travelled > limit) { break; }
    let at = origin + vec3<f32>(0.0, $0, travelled);
    let sphere = length(at - vec3<f32>($0, $0, $0)) - $0;
    let q = abs(at) - vec3<f32>($0, $0, $0);
    let box = length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
    let nearest = min(sphere, box);
    if (nearest < 0.001) { return travelled; }
    travelled = travelled + nearest;
    continuing { steps += 1; }
  }
  ray_count += 1u;
  return $c(origin, travelled);
}

)",
    // A switch and bits.
    R"(fn $f(v: vec3<f32>, t: f32) -> f32 {
  let key = u32(abs(t) * $0) % 5u;
  var result: f32;
  switch key {
    case 0u: { result = sin(v.x * $0) + cos(v.y * $0); }
    case 1u, 2u: { result = sqrt(abs(v.x * v.y)) * exp2(-$0 * t); }
    case 3u: {
      let packed = pack4x8unorm(vec4<f32>(v, t));
      let bits = countOneBits(packed) + firstLeadingBit(packed | 1u);
      result = bitcast<f32>((bits << 3u) | 0x3f800000u);
    }
    default: { result = select(v.z, $0, v.x > v.y && t < $0); }
  }
  return result - $c(v.zyx, result);
}

)",
    // Matrices.
    R"(fn $f(axis: vec3<f32>, angle: f32) -> f32 {
  let s = sin(angle);
  let c = cos(angle);
  let rotation = mat3x3<f32>(
    vec3<f32>(c + axis.x * axis.x * (1.0 - c), axis.x * axis.y * (1.0 - c) - axis.z * s, axis.z * $0),
    vec3<f32>(axis.y * axis.x * (1.0 - c) + axis.z * s, c + axis.y * axis.y * (1.0 - c), axis.x * $0),
    vec3<f32>(axis.z * axis.x * (1.0 - c) - axis.y * s, $0, c + axis.z * axis.z * (1.0 - c)));
  let turned = rotation * (axis * $0);
  let projected = frame.view_projection * vec4<f32>(turned, 1.0);
  return projected.x / max(projected.w, $0) + $c(turned.yxz, determinant(rotation));
}

)",
    // Texels around a place.
    R"(fn $f(p: vec3<f32>, level: f32) -> f32 {
  let size = vec2<f32>(textureDimensions(color_map));
  var total = vec4<f32>(0.0);
  for (var i = 0; i < 4; i++) {
    let uv = fract(p.xy + OFFSETS[i] / size);
    total += textureSampleLevel(color_map, filtering, uv, 0.0) * $0;
    let texel = textureLoad(normal_map, vec2<i32>(uv * size), 0);
    total -= vec4<f32>(texel.xyz * 2.0 - 1.0, $0);
  }
  return dot(total, vec4<f32>($0, $0, $0, 1.0)) * level + $c(total.xyz, $0);
}

)",
    // A local array, insertion sort.
    R"(fn $f(v: vec3<f32>, t: f32) -> f32 {
  var values = array<f32, 5>(v.x, v.y, v.z, t, $0);
  for (var i = 1u; i < 5u; i++) {
    var j = i;
    while j > 0u && values[j - 1u] > values[j] {
      let kept = values[j];
      values[j] = values[j - 1u];
      values[j - 1u] = kept;
      j--;
    }
  }
  var surface = Surface(vec3<f32>($0), normalize(v), values[2], values[1]);
  surface.albedo = surface.albedo * values[3];
  surface.normal.y = -surface.normal.y;
  return surface.roughness * surface.albedo.x + $c(surface.normal, surface.metallic);
}

)",
};

constexpr const char* kVertex = R"(struct Varyings_$f {
  @builtin(position) position: vec4<f32>,
  @location(0) world: vec3<f32>,
  @location(1) uv: vec2<f32>,
}

@vertex
fn vertex_$f(@location(0) position: vec3<f32>, @location(1) uv: vec2<f32>) -> Varyings_$f {
  var out: Varyings_$f;
  out.world = position * $0 + vec3<f32>(0.0, $c(position, $0), 0.0);
  out.position = frame.view_projection * vec4<f32>(out.world, 1.0);
  out.uv = uv;
  return out;
}

@fragment
fn fragment_$f(in: Varyings_$f) -> @location(0) vec4<f32> {
  let base = textureSample(color_map, filtering, in.uv);
  let lit = base.rgb * $c(normalize(in.world), $0) * frame.exposure;
  if (base.a < 0.5) {
    discard;
  }
  return vec4<f32>(pow(lit / (lit + vec3<f32>(1.0)), vec3<f32>(1.0 / 2.2)), base.a);
}

)";

constexpr const char* kCompute = R"(@compute @workgroup_size(8, 8)
fn compute_$f(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  tile[lane] = vec4<f32>(vec3<f32>(id), $0);
  workgroupBarrier();
  let index = id.y * frame.size.x + id.x;
  if (index < arrayLength(&particles)) {
    var particle = particles[index];
    particle.velocity += tile[(lane + $iu) % 64u] * $0;
    particle.position.y = $c(particle.position.xyz, particle.velocity.w);
    particle.seed = particle.seed * 1664525u + 1013904223u;
    particles[index] = particle;
    atomicAdd(&counters[particle.state % 64u], 1u);
    textureStore(target_map, vec2<i32>(id.xy), particle.position);
  }
}

)";

}  // namespace

std::string GenerateWgsl(size_t bytes, unsigned seed) {
  Random random(seed);
  std::string out = kHead;
  out.reserve(bytes + 4096);
  for (size_t group = 0; out.size() < bytes; ++group) {
    // Each calls the one before it in its group; the entry points of the group call the last.
    const std::string mark = "g" + std::to_string(group);
    std::string callee = "leaf_" + mark;
    out += Fill("fn $f(v: vec3<f32>, t: f32) -> f32 { return dot(v, vec3<f32>($0, $0, t)) * $0; }\n\n", callee, "",
                random);
    for (int i = 0; i < 12 && out.size() < bytes; ++i) {
      const std::string own = "part" + std::to_string(i) + "_" + mark;
      out += Fill(kFunctions[random.Next(std::size(kFunctions))], own, callee, random);
      callee = own;
    }
    out += Fill(random.Next(2) == 0 ? kVertex : kCompute, mark, callee, random);
  }
  return out;
}

std::string GenerateSmallWgsl(unsigned seed) {
  Random random(seed);
  std::string out = kHead;
  out += Fill("fn $f(v: vec3<f32>, t: f32) -> f32 { return v.x * $0 + t; }\n\n", "leaf", "", random);
  out += Fill(kFunctions[random.Next(std::size(kFunctions))], "part", "leaf", random);
  out += Fill(random.Next(2) == 0 ? kVertex : kCompute, "main", "part", random);
  return out;
}

std::vector<std::string> TinyWgsl() {
  return {
      "@compute @workgroup_size(1)\nfn main() {\n}\n",
      "@fragment\nfn main() -> @location(0) vec4f {\n  return vec4f(1.0, 0.0, 0.0, 1.0);\n}\n",
      "@vertex\nfn main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {\n"
      "  var pos = array<vec2f, 3>(vec2(0.0, 0.5), vec2(-0.5, -0.5), vec2(0.5, -0.5));\n"
      "  return vec4f(pos[index], 0.0, 1.0);\n}\n",
      "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n\n@compute @workgroup_size(64)\n"
      "fn main(@builtin(global_invocation_id) id: vec3u) {\n  data[id.x] = data[id.x] * 2u;\n}\n",
  };
}

std::vector<std::string> WgslFilesBelow(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, error); it != fs::recursive_directory_iterator(); ++it) {
    if (it->is_regular_file(error) && it->path().extension() == ".wgsl") files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> AcceptedRows(const std::string& rows, size_t step) {
  std::vector<std::string> texts;
  std::FILE* pipe = popen(("xz -dc '" + rows + "' 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return texts;
  char* line = nullptr;
  size_t capacity = 0;
  size_t number = 0;
  for (ssize_t length; (length = getline(&line, &capacity, pipe)) > 0;) {
    if (number++ % step != 0) continue;
    Arena arena;
    const json::ReadResult row = json::Read({line, static_cast<size_t>(length)}, arena);
    if (!row.ok()) continue;
    const json::Value* expect = row.root->Find("expect");
    const json::Value* code = row.root->Find("code");
    if (code != nullptr && (expect == nullptr || expect->AsBool().value_or(false))) texts.emplace_back(code->text);
  }
  std::free(line);
  pclose(pipe);
  return texts;
}

}  // namespace kiln::bench
