#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Camera
{
    float4x4 viewProjection;
    float4x4 model;
    float2x2 spin;
    float fade[3];
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

static inline __attribute__((always_inline))
void _CS(thread const uint3& id)
{
}

kernel void CS(uint3 gl_GlobalInvocationID [[thread_position_in_grid]])
{
    uint3 id = gl_GlobalInvocationID;
    uint3 param = id;
    _CS(param);
}

