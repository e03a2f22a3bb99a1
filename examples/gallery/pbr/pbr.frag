// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/brdf.glsl"
#include "../include/shadow.glsl"

layout(constant_id = 0) const int kLights = 8;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) in float view_depth;

layout(location = 0) out vec4 color;

layout(set = 1, binding = 0) uniform sampler2D albedo_map;
layout(set = 1, binding = 1) uniform sampler2D normal_map;
layout(set = 1, binding = 2) uniform sampler2D surface_map;  // r occlusion, g roughness, b metallic
layout(set = 1, binding = 3) uniform samplerCube sky_map;

struct PointLight {
  vec4 position;  // w: radius of influence
  vec4 color;
};

layout(std140, set = 0, binding = 3) uniform Lights {
  PointLight light[16];
  ivec4 count;
} lights;

layout(push_constant) uniform Draw {
  mat4 model;
  vec4 tint;
} draw;

// Falls to zero at the radius without an edge.
float attenuation(float distance, float radius) {
  float s = saturate(1.0 - pow(distance / radius, 4.0));
  return s * s / (distance * distance + 0.01);
}

Surface read_surface() {
  Surface s;
  vec4 albedo = texture(albedo_map, uv) * draw.tint;
  if (albedo.a < 0.5) discard;
  s.albedo = albedo.rgb;
  vec3 packed = texture(surface_map, uv).rgb;
  s.occlusion = packed.r;
  s.roughness = packed.g;
  s.metallic = packed.b;
  vec3 n = normalize(normal);
  vec3 t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
  vec3 detail = texture(normal_map, uv).xyz * 2.0 - 1.0;
  s.normal = normalize(mat3(t, cross(n, t) * tangent.w, n) * detail);
  if (!gl_FrontFacing) s.normal = -s.normal;
  return s;
}

void main() {
  Surface s = read_surface();
  vec3 to_eye = normalize(frame.eye.xyz - world);

  vec3 sum = vec3(0.0);
  float sun = sun_visibility(world, view_depth, gl_FragCoord.xy);
  sum += shade(s, to_eye, frame.sun.xyz, frame.sun_color.rgb * sun);
  for (int i = 0; i < min(kLights, lights.count.x); ++i) {
    vec3 d = lights.light[i].position.xyz - world;
    float far = length(d);
    sum += shade(s, to_eye, d / far, lights.light[i].color.rgb * attenuation(far, lights.light[i].position.w));
  }

  // Image-based light: one rough lookup for the diffuse part, one at the roughness for the mirror part.
  vec3 f0 = mix(vec3(0.04), s.albedo, s.metallic);
  vec3 f = fresnel_schlick(saturate(dot(s.normal, to_eye)), f0);
  vec3 ambient = textureLod(sky_map, s.normal, 6.0).rgb * s.albedo * (1.0 - s.metallic) * (1.0 - f);
  vec3 mirror = textureLod(sky_map, reflect(-to_eye, s.normal), s.roughness * 6.0).rgb * f;
  color = vec4(sum + (ambient + mirror) * s.occlusion, 1.0);
}
