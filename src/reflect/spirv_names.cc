// SPDX-License-Identifier: Apache-2.0
#include "reflect/spirv_names.h"

#include <iterator>

namespace kiln::reflect {
namespace {

struct Row {
  uint32_t number;
  std::string_view name;
};

constexpr Row kStages[] = {{0, "vertex"},        {1, "tesscontrol"}, {2, "tesseval"},        {3, "geometry"},
                           {4, "fragment"},      {5, "compute"},     {6, "kernel"},          {5267, "task"},
                           {5268, "mesh"},       {5313, "raygen"},   {5314, "intersection"}, {5315, "anyhit"},
                           {5316, "closesthit"}, {5317, "miss"},     {5318, "callable"},     {5364, "task"},
                           {5365, "mesh"}};

constexpr Row kBuiltins[] = {{0, "position"},
                             {1, "point-size"},
                             {3, "clip-distance"},
                             {4, "cull-distance"},
                             {5, "vertex-id"},
                             {6, "instance-id"},
                             {7, "primitive-id"},
                             {8, "invocation-id"},
                             {9, "layer"},
                             {10, "viewport-index"},
                             {11, "tess-level-outer"},
                             {12, "tess-level-inner"},
                             {13, "tess-coord"},
                             {14, "patch-vertices"},
                             {15, "frag-coord"},
                             {16, "point-coord"},
                             {17, "front-facing"},
                             {18, "sample-id"},
                             {19, "sample-position"},
                             {20, "sample-mask"},
                             {22, "frag-depth"},
                             {23, "helper-invocation"},
                             {24, "num-workgroups"},
                             {25, "workgroup-size"},
                             {26, "workgroup-id"},
                             {27, "local-invocation-id"},
                             {28, "global-invocation-id"},
                             {29, "local-invocation-index"},
                             {36, "subgroup-size"},
                             {38, "num-subgroups"},
                             {40, "subgroup-id"},
                             {41, "subgroup-local-invocation-id"},
                             {42, "vertex-index"},
                             {43, "instance-index"},
                             {4416, "subgroup-eq-mask"},
                             {4417, "subgroup-ge-mask"},
                             {4418, "subgroup-gt-mask"},
                             {4419, "subgroup-le-mask"},
                             {4420, "subgroup-lt-mask"},
                             {4424, "base-vertex"},
                             {4425, "base-instance"},
                             {4426, "draw-index"},
                             {4432, "primitive-shading-rate"},
                             {4438, "device-index"},
                             {4440, "view-index"},
                             {4444, "shading-rate"},
                             {5014, "frag-stencil-ref"},
                             {5264, "fully-covered"},
                             {5286, "bary-coord"},
                             {5287, "bary-coord-no-perspective"},
                             {5292, "frag-size"},
                             {5293, "frag-invocation-count"},
                             {5294, "primitive-point-indices"},
                             {5295, "primitive-line-indices"},
                             {5296, "primitive-triangle-indices"},
                             {5299, "cull-primitive"},
                             {5319, "launch-id"},
                             {5320, "launch-size"},
                             {5321, "world-ray-origin"},
                             {5322, "world-ray-direction"},
                             {5323, "object-ray-origin"},
                             {5324, "object-ray-direction"},
                             {5325, "ray-tmin"},
                             {5326, "ray-tmax"},
                             {5327, "instance-custom-index"},
                             {5330, "object-to-world"},
                             {5331, "world-to-object"},
                             {5332, "hit-t"},
                             {5333, "hit-kind"},
                             {5335, "hit-triangle-vertex-positions"},
                             {5351, "incoming-ray-flags"},
                             {5352, "ray-geometry-index"}};

constexpr Row kModes[] = {{0, "invocations"},
                          {1, "spacing-equal"},
                          {2, "spacing-fractional-even"},
                          {3, "spacing-fractional-odd"},
                          {4, "clockwise"},
                          {5, "counter-clockwise"},
                          {6, "pixel-center-integer"},
                          {7, "origin-upper-left"},
                          {8, "origin-lower-left"},
                          {9, "early-fragment-tests"},
                          {10, "point-mode"},
                          {11, "transform-feedback"},
                          {12, "depth-replacing"},
                          {14, "depth-greater"},
                          {15, "depth-less"},
                          {16, "depth-unchanged"},
                          {19, "input-points"},
                          {20, "input-lines"},
                          {21, "input-lines-adjacency"},
                          {22, "triangles"},
                          {23, "input-triangles-adjacency"},
                          {24, "quads"},
                          {25, "isolines"},
                          {26, "vertices"},
                          {27, "output-points"},
                          {28, "output-line-strip"},
                          {29, "output-triangle-strip"},
                          {4446, "post-depth-coverage"},
                          {5027, "stencil-replacing"},
                          {5269, "output-lines"},
                          {5270, "primitives"},
                          {5289, "derivative-group-quads"},
                          {5290, "derivative-group-linear"},
                          {5298, "output-triangles"},
                          {5366, "pixel-interlock-ordered"},
                          {5367, "pixel-interlock-unordered"},
                          {5368, "sample-interlock-ordered"},
                          {5369, "sample-interlock-unordered"}};

constexpr std::string_view kFormats[] = {"",          "rgba32f",      "rgba16f",
                                         "r32f",      "rgba8",        "rgba8-snorm",
                                         "rg32f",     "rg16f",        "r11f-g11f-b10f",
                                         "r16f",      "rgba16",       "rgb10-a2",
                                         "rg16",      "rg8",          "r16",
                                         "r8",        "rgba16-snorm", "rg16-snorm",
                                         "rg8-snorm", "r16-snorm",    "r8-snorm",
                                         "rgba32i",   "rgba16i",      "rgba8i",
                                         "r32i",      "rg32i",        "rg16i",
                                         "rg8i",      "r16i",         "r8i",
                                         "rgba32ui",  "rgba16ui",     "rgba8ui",
                                         "r32ui",     "rgb10-a2ui",   "rg32ui",
                                         "rg16ui",    "rg8ui",        "r16ui",
                                         "r8ui",      "r64ui",        "r64i"};

constexpr std::string_view kDimensions[] = {"1d", "2d", "3d", "cube", "rect", "buffer", "subpass"};

template <size_t N>
std::string_view Find(const Row (&rows)[N], uint32_t number) {
  for (const Row& row : rows) {
    if (row.number == number) return row.name;
  }
  return {};
}

template <size_t N>
std::string NameOrNumber(const Row (&rows)[N], uint32_t number, std::string_view prefix) {
  const std::string_view name = Find(rows, number);
  return name.empty() ? std::string(prefix) + std::to_string(number) : std::string(name);
}

}  // namespace

std::string StageName(uint32_t execution_model) { return NameOrNumber(kStages, execution_model, "model-"); }
std::string BuiltinName(uint32_t builtin) { return NameOrNumber(kBuiltins, builtin, "builtin-"); }
std::string_view ModeName(uint32_t mode) { return Find(kModes, mode); }
std::string_view ImageFormatName(uint32_t format) {
  return format < std::size(kFormats) ? kFormats[format] : std::string_view();
}
std::string_view DimensionName(uint32_t dimension) {
  return dimension < std::size(kDimensions) ? kDimensions[dimension] : std::string_view("other");
}

}  // namespace kiln::reflect
