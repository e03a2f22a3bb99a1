#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Item
{
    float3 position;
    uint id;
};

struct Item_1
{
    packed_float3 position;
    uint id;
};

struct Data
{
    float3 origin;
    float3x3 turn;
    Item_1 items[1];
};

struct Input
{
    float values[1];
};

constant uint3 gl_WorkGroupSize [[maybe_unused]] = uint3(8u, 4u, 1u);

kernel void main0(constant uint* spvBufferSizeConstants [[buffer(25)]], device Data& data [[buffer(0)]], const device Input& source [[buffer(1)]], uint3 gl_GlobalInvocationID [[thread_position_in_grid]], uint gl_LocalInvocationIndex [[thread_index_in_threadgroup]])
{
    threadgroup Item local_items[32];
    constant uint& sourceBufferSize = spvBufferSizeConstants[1];
    uint i = gl_GlobalInvocationID.x + (gl_GlobalInvocationID.y * 8u);
    local_items[gl_LocalInvocationIndex].position = float3(data.items[i].position);
    local_items[gl_LocalInvocationIndex].id = data.items[i].id;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Item other = local_items[31u - gl_LocalInvocationIndex];
    data.items[i].position = (data.turn * other.position) + (data.origin * source.values[i]);
    data.items[i].id = other.id + uint(int((sourceBufferSize - 0) / 4));
}

