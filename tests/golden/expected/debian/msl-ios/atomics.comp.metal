#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wunused-variable"

#include <metal_stdlib>
#include <simd/simd.h>
#include <metal_atomic>

using namespace metal;

// The required alignment of a linear texture of R32Uint format.
constant uint spvLinearTextureAlignmentOverride [[function_constant(65535)]];
constant uint spvLinearTextureAlignment = is_function_constant_defined(spvLinearTextureAlignmentOverride) ? spvLinearTextureAlignmentOverride : 4;
// Returns buffer coords corresponding to 2D texture coords for emulating 2D texture atomics
#define spvImage2DAtomicCoord(tc, tex) (((((tex).get_width() +  spvLinearTextureAlignment / 4 - 1) & ~( spvLinearTextureAlignment / 4 - 1)) * (tc).y) + (tc).x)

struct Counters
{
    uint total;
    int lowest;
    uint bins[16];
};

constant uint3 gl_WorkGroupSize [[maybe_unused]] = uint3(32u, 1u, 1u);

kernel void main0(volatile device Counters& _29 [[buffer(0)]], texture2d<uint> image [[texture(0)]], device atomic_uint* image_atomic [[buffer(1)]], texture2d<float, access::write> picture [[texture(1)]], uint gl_LocalInvocationIndex [[thread_index_in_threadgroup]], uint3 gl_GlobalInvocationID [[thread_position_in_grid]])
{
    threadgroup uint partial;
    if (gl_LocalInvocationIndex == 0u)
    {
        partial = 0u;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint _23 = atomic_fetch_add_explicit((threadgroup atomic_uint*)&partial, gl_LocalInvocationIndex, memory_order_relaxed);
    uint old = _23;
    int _37 = atomic_fetch_min_explicit((volatile device atomic_int*)&_29.lowest, int(old) - 5, memory_order_relaxed);
    uint _45;
    do
    {
        _45 = 0u;
    } while (!atomic_compare_exchange_weak_explicit((volatile device atomic_uint*)&_29.bins[old & 15u], &_45, old, memory_order_relaxed, memory_order_relaxed) && _45 == 0u);
    uint _60 = atomic_fetch_max_explicit((device atomic_uint*)&image_atomic[spvImage2DAtomicCoord(int2(gl_GlobalInvocationID.xy), image)], old, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (gl_LocalInvocationIndex == 0u)
    {
        uint _68 = atomic_exchange_explicit((volatile device atomic_uint*)&_29.total, partial, memory_order_relaxed);
    }
    picture.write(float4(float(old)), uint2(int2(gl_GlobalInvocationID.xy)));
}

