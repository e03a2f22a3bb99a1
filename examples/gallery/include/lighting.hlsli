// SPDX-License-Identifier: Apache-2.0
#ifndef GALLERY_LIGHTING_HLSLI
#define GALLERY_LIGHTING_HLSLI

static const float kPi = 3.14159265;

struct PointLight {
  float3 position;
  float radius;
  float3 color;
  float unused;
};

float3 Diffuse(float3 normal, float3 world, PointLight light) {
  float3 d = light.position - world;
  float far = length(d);
  float fade = saturate(1.0 - pow(far / light.radius, 4.0));
  return light.color * saturate(dot(normal, d / far)) * fade * fade / (far * far + 0.01);
}

#endif
