// SPDX-License-Identifier: Apache-2.0
// Seeds 27, 28, 29: sets with equal bindings, an unused resource before used ones, split and combined samplers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "include/shared.glsl"
layout(location = 0) in vec3 at;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D combined;
layout(set = 0, binding = 1) uniform sampler2D never_used;
layout(set = 1, binding = 0) uniform texture2D images[4];
layout(set = 1, binding = 1) uniform sampler smooth_;
layout(set = 1, binding = 2) uniform sampler nearest;
layout(set = 2, binding = 0) uniform samplerCube environment;
layout(set = 2, binding = 1) uniform sampler3D volume;
layout(set = 2, binding = 2) uniform sampler2DArray layers;
layout(set = 2, binding = 3) uniform sampler2DShadow shadow;
layout(set = 2, binding = 4) uniform isampler2D integers;
void main() {
  vec3 n = decode(at.xy);
  color = texture(combined, at.xy) + texture(sampler2D(images[0], smooth_), at.xy) +
          textureLod(sampler2D(images[0], nearest), at.xy, 1.0) + textureGrad(sampler2D(images[3], smooth_), at.xy, at.yz, at.zx);
  color += texture(environment, n) + textureOffset(volume, n, ivec3(1, 0, -1)) + texture(layers, vec3(at.xy, 2.0));
  color *= texture(shadow, at) + float(texelFetch(integers, ivec2(at.xy * 64.0), 0).r);
  color.xy += vec2(textureSize(layers, 0).xy) + textureGather(combined, at.xy, 2).zw;
}
