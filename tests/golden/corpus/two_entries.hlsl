// SPDX-License-Identifier: Apache-2.0
// Two entry points, registers and spaces, a matrix in each majority, a structured buffer, seed 19's mat2 in a cbuffer.
struct Light {
  float3 position;
  float radius;
};
[[vk::binding(0, 0)]] cbuffer Camera : register(b0) {
  float4x4 viewProjection;
  row_major float4x4 model;
  float2x2 spin;
  float fade[3];
};
[[vk::binding(1, 0)]] StructuredBuffer<Light> lights : register(t0);
[[vk::binding(2, 0)]] Texture2D<float4> image : register(t1);
[[vk::binding(3, 0)]] SamplerState smooth : register(s0);
struct Varyings {
  float4 position : SV_Position;
  float2 uv : TEXCOORD0;
  nointerpolation uint light : LIGHT;
};
Varyings VS(float3 position : POSITION, uint id : SV_InstanceID) {
  Varyings output;
  output.position = mul(viewProjection, mul(model, float4(position, 1)));
  output.uv = mul(spin, position.xy) * fade[1];
  output.light = id;
  return output;
}
float4 PS(Varyings input) : SV_Target0 {
  Light light = lights[input.light];
  float4 texel = image.Sample(smooth, input.uv);
  clip(texel.a - 0.5);
  return texel * saturate(1 - length(light.position.xy - input.uv) / light.radius);
}
[numthreads(4, 4, 1)] void CS(uint3 id : SV_DispatchThreadID) {}
