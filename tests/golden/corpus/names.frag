// SPDX-License-Identifier: Apache-2.0
// Seeds 8, 10, 11, 12: names that are words of MSL or HLSL, or of generated code.
#version 450
layout(location = 0) in vec4 vertex;
layout(location = 1) flat in int thread;
layout(location = 0) out vec4 fragment;
layout(set = 0, binding = 0) uniform texture2D tex;
layout(set = 0, binding = 1) uniform sampler samp;
struct main0_out {
  vec4 gl_FragColor_;
  float half_;
};
vec4 kernel(vec4 vector, float constant) { return vector * constant; }
float device(float metal) { return metal + 1.0; }
void main() {
  float half3 = vertex.x, matrix = vertex.y, pass = device(vertex.z), technique = 2.0, register_ = 1.0;
  main0_out main0_in = main0_out(vertex, half3);
  vec4 result = kernel(texture(sampler2D(tex, samp), vec2(half3, matrix)), pass);
  int index = thread;
  for (int new = 0; new < 3; ++new) result += kernel(main0_in.gl_FragColor_, technique + register_ + float(index + new));
  fragment = result;
}
