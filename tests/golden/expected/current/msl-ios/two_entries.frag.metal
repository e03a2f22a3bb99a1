#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Light
{
    float3 position;
    float radius;
};

struct Light_1
{
    packed_float3 position;
    float radius;
};

struct lights
{
    Light_1 _data[1];
};

struct PS_out
{
    float4 _entryPointOutput [[color(0)]];
};

struct PS_in
{
    float2 input_uv [[user(locn0)]];
    uint input_light [[user(locn1)]];
};

fragment PS_out PS(PS_in in [[stage_in]], const device lights& lights_1 [[buffer(0)]], texture2d<float> image [[texture(0)]], sampler _smooth [[sampler(0)]])
{
    PS_out out = {};
    Light _114;
    _114.position = float3(lights_1._data[in.input_light].position);
    _114.radius = lights_1._data[in.input_light].radius;
    float4 _120 = image.sample(_smooth, in.input_uv);
    float4 _107 = _120;
    if ((_107.w - 0.5) < 0.0)
    {
        discard_fragment();
    }
    out._entryPointOutput = _120 * fast::clamp(1.0 - (length(_114.position.xy - in.input_uv) / _114.radius), 0.0, 1.0);
    return out;
}

