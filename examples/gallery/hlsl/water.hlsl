// SPDX-License-Identifier: Apache-2.0
// Gerstner waves in the vertex stage, refraction and foam in the fragment stage.

#include "../include/lighting.hlsli"

[[vk::binding(0, 0)]] cbuffer Frame : register(b0) {
  column_major float4x4 viewProjection;
  float3 eye;
  float time;
  float3 sun;
  float exposure;
};

[[vk::binding(1, 0)]] Texture2D scene : register(t0);
[[vk::binding(2, 0)]] Texture2D<float> depthMap : register(t1);
[[vk::binding(3, 0)]] TextureCube sky : register(t2);
[[vk::binding(4, 0)]] SamplerState smooth : register(s0);

struct Wave {
  float2 direction;
  float steepness;
  float wavelength;
};

static const Wave kWaves[4] = {
  {float2(1.0, 0.2), 0.22, 14.0},
  {float2(0.7, 0.7), 0.18, 7.0},
  {float2(-0.3, 1.0), 0.15, 4.5},
  {float2(0.9, -0.4), 0.12, 2.7},
};

struct Varyings {
  float4 position : SV_Position;
  float3 world : TEXCOORD0;
  float3 normal : TEXCOORD1;
  float crest : TEXCOORD2;
};

Varyings VSWater(float2 at : POSITION) {
  float3 p = float3(at.x, 0, at.y);
  float3 tangent = float3(1, 0, 0);
  float3 binormal = float3(0, 0, 1);
  float crest = 0;
  for (int i = 0; i < 4; ++i) {
    float2 d = normalize(kWaves[i].direction);
    float k = 2.0 * kPi / kWaves[i].wavelength;
    float f = k * (dot(d, at) - sqrt(9.81 / k) * time);
    float a = kWaves[i].steepness / k;
    float s, c;
    sincos(f, s, c);
    p += float3(d.x * a * c, a * s, d.y * a * c);
    tangent += float3(-d.x * d.x * s, d.x * c, -d.x * d.y * s) * kWaves[i].steepness;
    binormal += float3(-d.x * d.y * s, d.y * c, -d.y * d.y * s) * kWaves[i].steepness;
    crest += s * kWaves[i].steepness;
  }
  Varyings output;
  output.world = p;
  output.normal = normalize(cross(binormal, tangent));
  output.crest = crest;
  output.position = mul(viewProjection, float4(p, 1));
  return output;
}

float4 PSWater(Varyings input) : SV_Target0 {
  float3 n = normalize(input.normal);
  float3 toEye = normalize(eye - input.world);
  float2 size;
  scene.GetDimensions(size.x, size.y);
  float2 uv = input.position.xy / size;
  float2 bent = uv + n.xz * 0.03;
  float3 below = scene.Sample(smooth, bent).rgb;
  float behind = depthMap.Sample(smooth, uv);
  below = lerp(below, float3(0.01, 0.07, 0.09), saturate((behind - input.position.z) * 40.0));
  float3 above = sky.Sample(smooth, reflect(-toEye, n)).rgb;
  float fresnel = 0.02 + 0.98 * pow(1.0 - saturate(dot(n, toEye)), 5.0);
  float3 h = normalize(toEye + sun);
  float glitter = pow(saturate(dot(n, h)), 400.0) * 8.0;
  float foam = smoothstep(0.35, 0.6, input.crest);
  return float4((lerp(below, above, fresnel) + glitter + foam * 0.6) * exposure, 1);
}
