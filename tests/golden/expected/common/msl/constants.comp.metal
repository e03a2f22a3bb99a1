#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wmissing-braces"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

template<typename T, size_t Num>
struct spvUnsafeArray
{
    T elements[Num ? Num : 1];
    
    thread T& operator [] (size_t pos) thread
    {
        return elements[pos];
    }
    constexpr const thread T& operator [] (size_t pos) const thread
    {
        return elements[pos];
    }
    
    device T& operator [] (size_t pos) device
    {
        return elements[pos];
    }
    constexpr const device T& operator [] (size_t pos) const device
    {
        return elements[pos];
    }
    
    constexpr const constant T& operator [] (size_t pos) const constant
    {
        return elements[pos];
    }
    
    threadgroup T& operator [] (size_t pos) threadgroup
    {
        return elements[pos];
    }
    constexpr const threadgroup T& operator [] (size_t pos) const threadgroup
    {
        return elements[pos];
    }
};

#ifndef SPIRV_CROSS_CONSTANT_ID_0
#define SPIRV_CROSS_CONSTANT_ID_0 4
#endif
constant int kCount = SPIRV_CROSS_CONSTANT_ID_0;

struct Values
{
    float4 values[1];
};

struct Push
{
    char _m0_pad[16];
    float4 bias0;
    uint first;
};

constant float kScale_tmp [[function_constant(1)]];
constant float kScale = is_function_constant_defined(kScale_tmp) ? kScale_tmp : 0.5;
constant uint kMask_tmp [[function_constant(3)]];
constant uint kMask = is_function_constant_defined(kMask_tmp) ? kMask_tmp : 255u;
constant bool kNegate_tmp [[function_constant(2)]];
constant bool kNegate = is_function_constant_defined(kNegate_tmp) ? kNegate_tmp : false;
constant uint _90_tmp [[function_constant(10)]];
constant uint _90 = is_function_constant_defined(_90_tmp) ? _90_tmp : 1u;
constant uint3 gl_WorkGroupSize [[maybe_unused]] = uint3(_90, 2u, 1u);

kernel void main0(device Values& _28 [[buffer(0)]], constant Push& push [[buffer(1)]], uint3 gl_GlobalInvocationID [[thread_position_in_grid]])
{
    spvUnsafeArray<float4, kCount> stack;
    for (int i = 0; i < kCount; i++)
    {
        stack[i] = (_28.values[push.first + uint(i)] * kScale) + push.bias0;
    }
    float4 sum = float4(0.0);
    for (int i_1 = 0; i_1 < kCount; i_1++)
    {
        sum += stack[i_1];
    }
    float4 _81;
    if (kNegate)
    {
        _81 = -sum;
    }
    else
    {
        _81 = sum;
    }
    _28.values[gl_GlobalInvocationID.x & kMask] = _81;
}

