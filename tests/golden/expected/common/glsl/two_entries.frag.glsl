#version 450

struct Light
{
    vec3 position;
    float radius;
};

layout(binding = 1, std430) readonly buffer lights
{
    Light _data[];
} lights_1;

layout(binding = 2) uniform sampler2D SPIRV_Cross_Combinedimagesmooth_;

layout(location = 0) in vec2 input_uv;
layout(location = 1) flat in uint input_light;
layout(location = 0) out vec4 _entryPointOutput;

void main()
{
    vec4 _126 = texture(SPIRV_Cross_Combinedimagesmooth_, input_uv);
    vec4 _110 = _126;
    if ((_110.w - 0.5) < 0.0)
    {
        discard;
    }
    _entryPointOutput = _126 * clamp(1.0 - (length(lights_1._data[input_light].position.xy - input_uv) / lights_1._data[input_light].radius), 0.0, 1.0);
}

