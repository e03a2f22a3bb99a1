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

struct Camera
{
    float4x4 viewProjection;
    float4x4 model;
    float2x4 spin;
    float4 fade[3];
};

struct Light
{
    float3 position;
    float radius;
};

struct lights
{
    Light _data[1];
};

struct VS_out
{
    float2 _entryPointOutput_uv [[user(locn0)]];
    uint _entryPointOutput_light [[user(locn1)]];
    float4 gl_Position [[position]];
};

struct VS_in
{
    float3 position [[attribute(0)]];
};

static inline __attribute__((always_inline))
Varyings _VS(thread const float3& position, thread const uint& id, constant Camera& v_35)
{
    Varyings _output;
    _output.position = v_35.viewProjection * (float4(position, 1.0) * v_35.model);
    _output.uv = (float2x2(v_35.spin[0].xy, v_35.spin[1].xy) * position.xy) * v_35.fade[1].x;
    _output.light = id;
    return _output;
}

vertex VS_out VS(VS_in in [[stage_in]], constant Camera& v_35 [[buffer(0)]], uint gl_InstanceIndex [[instance_id]])
{
    VS_out out = {};
    float3 position = in.position;
    uint id = gl_InstanceIndex;
    float3 param = position;
    uint param_1 = id;
    Varyings flattenTemp = _VS(param, param_1, v_35);
    out.gl_Position = flattenTemp.position;
    out._entryPointOutput_uv = flattenTemp.uv;
    out._entryPointOutput_light = flattenTemp.light;
    return out;
}

