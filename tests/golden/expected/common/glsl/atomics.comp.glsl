#version 450
layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;

layout(binding = 0, std430) coherent buffer Counters
{
    uint total;
    int lowest;
    uint bins[16];
} _29;

layout(binding = 1, r32ui) uniform uimage2D image;
layout(binding = 2, rgba8) uniform writeonly image2D picture;

shared uint partial;

void main()
{
    if (gl_LocalInvocationIndex == 0u)
    {
        partial = 0u;
    }
    barrier();
    uint _23 = atomicAdd(partial, gl_LocalInvocationIndex);
    uint old = _23;
    int _37 = atomicMin(_29.lowest, int(old) - 5);
    uint _45 = atomicCompSwap(_29.bins[old & 15u], 0u, old);
    uint _60 = imageAtomicMax(image, ivec2(gl_GlobalInvocationID.xy), old);
    barrier();
    if (gl_LocalInvocationIndex == 0u)
    {
        uint _68 = atomicExchange(_29.total, partial);
    }
    imageStore(picture, ivec2(gl_GlobalInvocationID.xy), vec4(float(old)));
}

