#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Scene
{
    float4x4 view;
    float4 tint;
};

struct Shared
{
    float3 normal;
    float2 uv;
    int2 id;
    float depth;
    float4 tint;
};

struct main0_out
{
    float3 to_fragment_normal [[user(locn0)]];
    float2 to_fragment_uv [[user(locn1)]];
    int2 to_fragment_id [[user(locn2)]];
    float to_fragment_depth [[user(locn3)]];
    float4 to_fragment_tint [[user(locn4)]];
    float4 gl_Position [[position]];
};

struct main0_in
{
    float3 position [[attribute(0)]];
    int2 id [[attribute(1)]];
};

vertex main0_out main0(main0_in in [[stage_in]], constant Scene& scene [[buffer(0)]], uint gl_InstanceIndex [[instance_id]])
{
    main0_out out = {};
    Shared to_fragment = {};
    out.gl_Position = scene.view * float4(in.position, 1.0);
    to_fragment.normal = in.position;
    to_fragment.uv = in.position.xy;
    to_fragment.id = in.id + int2(int(gl_InstanceIndex));
    to_fragment.depth = out.gl_Position.z;
    to_fragment.tint = scene.tint;
    out.to_fragment_normal = to_fragment.normal;
    out.to_fragment_uv = to_fragment.uv;
    out.to_fragment_id = to_fragment.id;
    out.to_fragment_depth = to_fragment.depth;
    out.to_fragment_tint = to_fragment.tint;
    return out;
}

