#version 450
#ifdef GL_ARB_shader_draw_parameters
#extension GL_ARB_shader_draw_parameters : enable
#endif

struct Varyings
{
    vec4 position;
    vec2 uv;
    uint light;
};

struct Light
{
    vec3 position;
    float radius;
};

layout(binding = 0, std140) uniform Camera
{
    layout(row_major) mat4 viewProjection;
    mat4 model;
    layout(row_major) mat2 spin;
    float fade[3];
} _35;

layout(binding = 1, std430) readonly buffer lights
{
    Light _data[];
} lights_1;

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

Varyings _VS(vec3 position_1, uint id)
{
    Varyings _output;
    _output.position = (vec4(position_1, 1.0) * spvWorkaroundRowMajor(_35.model)) * spvWorkaroundRowMajor(_35.viewProjection);
    _output.uv = (position_1.xy * spvWorkaroundRowMajor(_35.spin)) * _35.fade[1];
    _output.light = id;
    return _output;
}

void main()
{
    vec3 position_1 = position;
    uint id = uint((gl_InstanceID + SPIRV_Cross_BaseInstance));
    vec3 param = position_1;
    uint param_1 = id;
    Varyings flattenTemp = _VS(param, param_1);
    gl_Position = flattenTemp.position;
    _entryPointOutput_uv = flattenTemp.uv;
    _entryPointOutput_light = flattenTemp.light;
}

