#version 450

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

layout(binding = 1, std430) readonly buffer lights
{
    Light _data[];
} lights_1;

layout(binding = 0, std140) uniform Camera
{
    layout(row_major) mat4 viewProjection;
    mat4 model;
    layout(row_major) mat2 spin;
    float fade[3];
} _108;

layout(binding = 2) uniform sampler2D SPIRV_Cross_Combinedimagesmooth;

layout(location = 0) in vec2 input_uv;
layout(location = 1) flat in uint input_light;
layout(location = 0) out vec4 _entryPointOutput;

vec4 _PS(Varyings _input)
{
    Light light;
    light.position = lights_1._data[_input.light].position;
    light.radius = lights_1._data[_input.light].radius;
    vec4 texel = texture(SPIRV_Cross_Combinedimagesmooth, _input.uv);
    if ((texel.w - 0.5) < 0.0)
    {
        discard;
    }
    return texel * clamp(1.0 - (length(light.position.xy - _input.uv) / light.radius), 0.0, 1.0);
}

void main()
{
    Varyings _input;
    _input.position = gl_FragCoord;
    _input.uv = input_uv;
    _input.light = input_light;
    Varyings param = _input;
    vec4 _102 = _PS(param);
    _entryPointOutput = _102;
}

