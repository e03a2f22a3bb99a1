// SPDX-License-Identifier: Apache-2.0
// Sorted by the foreign name.
#include "wgsl/syntax/foreign_names.h"

#include <algorithm>
#include <iterator>

namespace kiln::wgsl {

namespace {

struct ForeignName {
  std::string_view name;
  std::string_view wgsl;
};

constexpr ForeignName kForeignNames[] = {
    {"InterlockedAdd", "atomicAdd"},
    {"InterlockedAnd", "atomicAnd"},
    {"InterlockedExchange", "atomicExchange"},
    {"InterlockedMax", "atomicMax"},
    {"InterlockedMin", "atomicMin"},
    {"InterlockedOr", "atomicOr"},
    {"RWTexture2D", "texture_storage_2d"},
    {"SamplerState", "sampler"},
    {"Texture2D", "texture_2d"},
    {"Texture3D", "texture_3d"},
    {"TextureCube", "texture_cube"},
    {"asfloat", "bitcast<f32>"},
    {"asint", "bitcast<i32>"},
    {"asuint", "bitcast<u32>"},
    {"barrier", "workgroupBarrier"},
    {"bitCount", "countOneBits"},
    {"bitfieldExtract", "extractBits"},
    {"bitfieldInsert", "insertBits"},
    {"bitfieldReverse", "reverseBits"},
    {"countbits", "countOneBits"},
    {"dFdx", "dpdx"},
    {"dFdy", "dpdy"},
    {"ddx", "dpdx"},
    {"ddy", "dpdy"},
    {"double", "f32"},
    {"fabs", "abs"},
    {"faceforward", "faceForward"},
    {"findLSB", "firstTrailingBit"},
    {"findMSB", "firstLeadingBit"},
    {"float", "f32"},
    {"float16", "f16"},
    {"float2", "vec2f"},
    {"float2x2", "mat2x2f"},
    {"float3", "vec3f"},
    {"float32", "f32"},
    {"float3x3", "mat3x3f"},
    {"float4", "vec4f"},
    {"float4x4", "mat4x4f"},
    {"floatBitsToInt", "bitcast<i32>"},
    {"floatBitsToUint", "bitcast<u32>"},
    {"fmax", "max"},
    {"fmin", "min"},
    {"frac", "fract"},
    {"half", "f16"},
    {"imageLoad", "textureLoad"},
    {"imageStore", "textureStore"},
    {"int", "i32"},
    {"int2", "vec2i"},
    {"int3", "vec3i"},
    {"int32", "i32"},
    {"int4", "vec4i"},
    {"intBitsToFloat", "bitcast<f32>"},
    {"inversesqrt", "inverseSqrt"},
    {"ivec2", "vec2i"},
    {"ivec3", "vec3i"},
    {"ivec4", "vec4i"},
    {"lerp", "mix"},
    {"mat2", "mat2x2f"},
    {"mat3", "mat3x3f"},
    {"mat4", "mat4x4f"},
    {"reversebits", "reverseBits"},
    {"rsqrt", "inverseSqrt"},
    {"sampler2D", "texture_2d"},
    {"texelFetch", "textureLoad"},
    {"texture", "textureSample"},
    {"texture2D", "textureSample"},
    {"textureGrad", "textureSampleGrad"},
    {"textureLod", "textureSampleLevel"},
    {"textureSize", "textureDimensions"},
    {"uint", "u32"},
    {"uint2", "vec2u"},
    {"uint3", "vec3u"},
    {"uint32", "u32"},
    {"uint4", "vec4u"},
    {"uintBitsToFloat", "bitcast<f32>"},
    {"uvec2", "vec2u"},
    {"uvec3", "vec3u"},
    {"uvec4", "vec4u"},
};
static_assert(std::is_sorted(std::begin(kForeignNames), std::end(kForeignNames),
                             [](const ForeignName& a, const ForeignName& b) { return a.name < b.name; }));

}  // namespace

std::string_view ForeignNameInWgsl(std::string_view name) {
  const auto* found = std::lower_bound(std::begin(kForeignNames), std::end(kForeignNames), name,
                                       [](const ForeignName& row, std::string_view text) { return row.name < text; });
  return found != std::end(kForeignNames) && found->name == name ? found->wgsl : std::string_view();
}

std::string_view ForeignTypeInWgsl(std::string_view name) {
  if (name == "texture2D") return "texture_2d";
  const std::string_view wgsl = ForeignNameInWgsl(name);
  return IsTypeName(wgsl) ? wgsl : std::string_view();
}

std::string_view ForeignOperatorHint(std::string_view name) {
  if (name == "mul") return "WGSL has the operator '*' for it";
  if (name != "mod" && name != "fmod") return {};
  return "WGSL has the operator '%' for it; the sign is that of the left side";
}

bool IsTypeName(std::string_view name) {
  for (const std::string_view whole : {"bool", "i32", "u32", "f32", "f16", "sampler", "sampler_comparison"}) {
    if (name == whole) return true;
  }
  for (const std::string_view begin : {"vec", "mat", "array", "atomic", "ptr", "texture_"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}

std::vector<std::string_view> ForeignNames() {
  std::vector<std::string_view> names;
  for (const ForeignName& row : kForeignNames) names.push_back(row.name);
  return names;
}

}  // namespace kiln::wgsl
