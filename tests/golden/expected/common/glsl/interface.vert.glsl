#version 450
#ifdef GL_ARB_shader_draw_parameters
#extension GL_ARB_shader_draw_parameters : enable
#endif

layout(binding = 0, std140) uniform Scene
{
    mat4 view;
    vec4 tint;
} scene;

layout(location = 0) in vec3 position;
layout(location = 0) out Shared
{
    vec3 normal;
    vec2 uv;
    flat ivec2 id;
    noperspective float depth;
    centroid vec4 tint;
} to_fragment;

layout(location = 1) in ivec2 id;
#ifdef GL_ARB_shader_draw_parameters
#define SPIRV_Cross_BaseInstance gl_BaseInstanceARB
#else
uniform int SPIRV_Cross_BaseInstance;
#endif

void main()
{
    gl_Position = scene.view * vec4(position, 1.0);
    to_fragment.normal = position;
    to_fragment.uv = position.xy;
    to_fragment.id = id + ivec2((gl_InstanceID + SPIRV_Cross_BaseInstance));
    to_fragment.depth = gl_Position.z;
    to_fragment.tint = scene.tint;
}

