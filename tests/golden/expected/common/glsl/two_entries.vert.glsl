#version 450
#ifdef GL_ARB_shader_draw_parameters
#extension GL_ARB_shader_draw_parameters : enable
#endif

layout(binding = 0, std140) uniform Camera
{
    layout(row_major) mat4 viewProjection;
    mat4 model;
    layout(row_major) mat2 spin;
    float fade[3];
} _35;

layout(location = 0) in vec3 position;
#ifdef GL_ARB_shader_draw_parameters
#define SPIRV_Cross_BaseInstance gl_BaseInstanceARB
#else
uniform int SPIRV_Cross_BaseInstance;
#endif
layout(location = 0) out vec2 _entryPointOutput_uv;
layout(location = 1) flat out uint _entryPointOutput_light;

mat4 spvWorkaroundRowMajor(mat4 wrap) { return wrap; }
mat2 spvWorkaroundRowMajor(mat2 wrap) { return wrap; }

void main()
{
    gl_Position = (vec4(position, 1.0) * spvWorkaroundRowMajor(_35.model)) * spvWorkaroundRowMajor(_35.viewProjection);
    _entryPointOutput_uv = (position.xy * spvWorkaroundRowMajor(_35.spin)) * _35.fade[1];
    _entryPointOutput_light = uint((gl_InstanceID + SPIRV_Cross_BaseInstance));
}

