// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(0.95, 0.45, 0.15, 1.0); }
