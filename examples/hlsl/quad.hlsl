// SPDX-License-Identifier: Apache-2.0
struct Varyings {
  float4 position : SV_Position;
  float2 uv : TEXCOORD0;
};
Varyings VS(uint id : SV_VertexID) {
  Varyings output;
  output.uv = float2(id & 1, id >> 1);
  output.position = float4(output.uv * 2 - 1, 0, 1);
  return output;
}
float4 PS(Varyings input) : SV_Target0 { return float4(input.uv, 0, 1); }
