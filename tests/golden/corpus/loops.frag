// SPDX-License-Identifier: Apache-2.0
// Seed 36: early continue, a loop variable that is set late, nested switch with fall-through.
#version 450
layout(location = 0) flat in ivec4 control;
layout(location = 0) out vec4 color;
void main() {
  vec4 sum = vec4(0.0);
  int i;
  for (i = control.x; i < control.y; ++i) {
    if ((i & 3) == 1) continue;
    int j = 0;
    while (true) {
      if (j++ > control.z) break;
      switch (i % 5) {
        case 0:
          sum.x += 1.0;
        case 1:
          switch (j & 1) {
            case 0:
              sum.y += 0.5;
              break;
            default:
              sum.z += 0.25;
          }
          break;
        case 3:
          continue;
        default:
          sum.w += float(j);
      }
    }
  }
  do {
    sum *= 0.5;
    --i;
  } while (i > 0 && sum.x > 1.0);
  color = sum;
}
