// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(std140, set = 0, binding = 0) uniform Blend { float amount; } blend;
layout(set = 1, binding = 0) uniform sampler2D below;
layout(set = 1, binding = 1) uniform sampler2D above;
void main() { color = mix(texture(below, uv), texture(above, uv), blend.amount); }
