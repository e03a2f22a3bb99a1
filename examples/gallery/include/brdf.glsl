// SPDX-License-Identifier: Apache-2.0
// Cook-Torrance with GGX and the height-correlated Smith term.
#ifndef GALLERY_BRDF_GLSL
#define GALLERY_BRDF_GLSL

#include "math.glsl"

struct Surface {
  vec3 albedo;
  vec3 normal;
  float metallic;
  float roughness;
  float occlusion;
};

float distribution_ggx(float n_dot_h, float alpha) {
  float a2 = alpha * alpha;
  float d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
  return a2 / (kPi * d * d);
}

float visibility_smith(float n_dot_v, float n_dot_l, float alpha) {
  float a2 = alpha * alpha;
  float v = n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2);
  float l = n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2);
  return 0.5 / max(v + l, 1e-5);
}

vec3 fresnel_schlick(float v_dot_h, vec3 f0) {
  float f = 1.0 - v_dot_h;
  float f2 = f * f;
  return f0 + (1.0 - f0) * (f2 * f2 * f);
}

vec3 shade(Surface s, vec3 to_eye, vec3 to_light, vec3 radiance) {
  vec3 h = normalize(to_eye + to_light);
  float n_dot_l = saturate(dot(s.normal, to_light));
  float n_dot_v = max(dot(s.normal, to_eye), 1e-4);
  float alpha = max(s.roughness * s.roughness, 2e-3);
  vec3 f0 = mix(vec3(0.04), s.albedo, s.metallic);
  vec3 f = fresnel_schlick(saturate(dot(to_eye, h)), f0);
  float specular = distribution_ggx(saturate(dot(s.normal, h)), alpha) * visibility_smith(n_dot_v, n_dot_l, alpha);
  vec3 diffuse = (1.0 - f) * (1.0 - s.metallic) * s.albedo / kPi;
  return (diffuse + f * specular) * radiance * n_dot_l;
}

#endif
