// SPDX-License-Identifier: Apache-2.0
// Deferred lighting in tiles: a workgroup finds the lights that touch its tile, then shades its pixels with them.

#include "../include/lighting.hlsli"

#define TILE 16
#define MOST_LIGHTS 64

[[vk::binding(0, 0)]] StructuredBuffer<PointLight> lights : register(t0);
[[vk::binding(1, 0)]] Texture2D<float4> albedoMap : register(t1);
[[vk::binding(2, 0)]] Texture2D<float4> normalMap : register(t2);
[[vk::binding(3, 0)]] Texture2D<float> depthMap : register(t3);
[[vk::binding(4, 0)]] RWTexture2D<float4> output : register(u0);
[[vk::binding(5, 0)]] cbuffer View : register(b0) {
  column_major float4x4 inverseViewProjection;
  uint2 resolution;
  uint lightCount;
};

groupshared uint lowest;
groupshared uint highest;
groupshared uint found;
groupshared uint indices[MOST_LIGHTS];

float3 World(float2 uv, float depth) {
  float4 p = mul(inverseViewProjection, float4(uv * float2(2, -2) + float2(-1, 1), depth, 1));
  return p.xyz / p.w;
}

[numthreads(TILE, TILE, 1)]
void CSLight(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint index : SV_GroupIndex) {
  if (index == 0) {
    lowest = 0xffffffff;
    highest = 0;
    found = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  float depth = depthMap.Load(int3(id.xy, 0));
  InterlockedMin(lowest, asuint(depth));
  InterlockedMax(highest, asuint(depth));
  GroupMemoryBarrierWithGroupSync();

  float2 middle = (float2(group.xy) + 0.5) * TILE / float2(resolution);
  float3 near = World(middle, asfloat(lowest));
  float3 far = World(middle, asfloat(highest));
  float3 centre = 0.5 * (near + far);
  float reach = 0.5 * distance(near, far) + distance(near, World(middle + float(TILE) / float2(resolution), asfloat(lowest)));
  for (uint i = index; i < lightCount; i += TILE * TILE) {
    if (distance(lights[i].position, centre) < lights[i].radius + reach) {
      uint slot;
      InterlockedAdd(found, 1, slot);
      if (slot < MOST_LIGHTS) indices[slot] = i;
    }
  }
  GroupMemoryBarrierWithGroupSync();
  if (any(id.xy >= resolution)) return;

  float3 world = World((float2(id.xy) + 0.5) / float2(resolution), depth);
  float3 normal = normalize(normalMap.Load(int3(id.xy, 0)).xyz * 2 - 1);
  float3 sum = 0;
  for (uint k = 0; k < min(found, MOST_LIGHTS); ++k) sum += Diffuse(normal, world, lights[indices[k]]);
  output[id.xy] = float4(albedoMap.Load(int3(id.xy, 0)).rgb * sum, 1);
}
