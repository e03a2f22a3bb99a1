#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Varyings
{
    float4 position;
    float2 uv;
    uint light;
};

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

struct Camera
{
    float4x4 viewProjection;
    float4x4 model;
    float2x2 spin;
    float fade[3];
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

static inline __attribute__((always_inline))
float4 _PS(thread const Varyings& _input, const device lights& lights_1, texture2d<float> image, sampler _smooth)
{
    Light light;
    light.position = float3(lights_1._data[_input.light].position);
    light.radius = lights_1._data[_input.light].radius;
    float4 texel = image.sample(_smooth, _input.uv);
    if ((texel.w - 0.5) < 0.0)
    {
        discard_fragment();
    }
    return texel * fast::clamp(1.0 - (length(light.position.xy - _input.uv) / light.radius), 0.0, 1.0);
}

fragment PS_out PS(PS_in in [[stage_in]], const device lights& lights_1 [[buffer(0)]], texture2d<float> image [[texture(0)]], sampler _smooth [[sampler(0)]], float4 gl_FragCoord [[position]])
{
    PS_out out = {};
    Varyings _input;
    _input.position = gl_FragCoord;
    _input.uv = in.input_uv;
    _input.light = in.input_light;
    Varyings param = _input;
    float4 _102 = _PS(param, lights_1, image, _smooth);
    out._entryPointOutput = _102;
    return out;
}

