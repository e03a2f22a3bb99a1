#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Camera
{
    float4x4 viewProjection;
    float4x4 model;
    float2x4 spin;
    float4 fade[3];
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

vertex VS_out VS(VS_in in [[stage_in]], constant Camera& _35 [[buffer(0)]], uint gl_InstanceIndex [[instance_id]])
{
    VS_out out = {};
    out.gl_Position = _35.viewProjection * (float4(in.position, 1.0) * _35.model);
    out._entryPointOutput_uv = (float2x2(_35.spin[0].xy, _35.spin[1].xy) * in.position.xy) * _35.fade[1].x;
    out._entryPointOutput_light = gl_InstanceIndex;
    return out;
}

