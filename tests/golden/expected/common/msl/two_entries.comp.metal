#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

kernel void CS()
{
}

