// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include <hash.glsl>
layout(location = 0) out vec4 color;
void main() { color = vec4(unit(uvec2(gl_FragCoord.xy))); }
