#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Pair
{
    packed_float3 direction;
    float weight;
};

struct Block
{
    float3 a;
    float3 b;
    float3 c;
    float4 list[3];
    packed_float3 d;
    float in_tail;
    float2 e;
    float2 f;
    float2x4 m2;
    float3x3 m3;
    float4x3 m43;
    Pair pairs[2];
};

struct main0_out
{
    float4 color [[color(0)]];
};

fragment main0_out main0(constant Block& block [[buffer(0)]])
{
    main0_out out = {};
    float3 sum = (((block.a + block.b) + block.c) + float3(block.list[1].x, block.list[1].y, block.list[2].x)) + (float3(block.d) * block.in_tail);
    float3 _67 = sum;
    float2 _69 = _67.xy + ((block.e + block.f) + block.m2[1].xy);
    sum.x = _69.x;
    sum.y = _69.y;
    sum += ((block.m3 * block.a) + (block.m43 * float4(block.b, 1.0)));
    out.color = float4(sum + (float3(block.pairs[1].direction) * block.pairs[1].weight), 1.0);
    return out;
}

