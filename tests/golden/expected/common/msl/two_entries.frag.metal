#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Light
{
    packed_float3 position;
    float radius;
};

struct lights
{
    Light _data[1];
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
    float4 _126 = image.sample(_smooth, in.input_uv);
    float4 _110 = _126;
    if ((_110.w - 0.5) < 0.0)
    {
        discard_fragment();
    }
    out._entryPointOutput = _126 * fast::clamp(1.0 - (length(float2(lights_1._data[in.input_light].position[0], lights_1._data[in.input_light].position[1]) - in.input_uv) / lights_1._data[in.input_light].radius), 0.0, 1.0);
    return out;
}

