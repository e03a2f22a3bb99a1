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
    float4 color [[color(0)]];
    int2 picked [[color(1)]];
};

struct main0_in
{
    float3 from_vertex_normal [[user(locn0)]];
    float2 from_vertex_uv [[user(locn1)]];
    int2 from_vertex_id [[user(locn2)]];
    float from_vertex_depth [[user(locn3), center_no_perspective]];
    float4 from_vertex_tint [[user(locn4), centroid_perspective]];
};

fragment main0_out main0(main0_in in [[stage_in]], constant Scene& scene [[buffer(0)]])
{
    main0_out out = {};
    Shared from_vertex = {};
    from_vertex.normal = in.from_vertex_normal;
    from_vertex.uv = in.from_vertex_uv;
    from_vertex.id = in.from_vertex_id;
    from_vertex.depth = in.from_vertex_depth;
    from_vertex.tint = in.from_vertex_tint;
    out.color = (scene.tint * from_vertex.tint) * float4(from_vertex.normal, from_vertex.uv.x);
    out.picked = from_vertex.id;
    out.color.w *= from_vertex.depth;
    return out;
}

