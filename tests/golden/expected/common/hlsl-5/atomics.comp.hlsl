static const uint3 gl_WorkGroupSize = uint3(32u, 1u, 1u);

globallycoherent RWByteAddressBuffer _29 : register(u0);
RWTexture2D<uint> image : register(u1);
RWTexture2D<unorm float4> picture : register(u2);

static uint3 gl_GlobalInvocationID;
static uint gl_LocalInvocationIndex;
struct SPIRV_Cross_Input
{
    uint3 gl_GlobalInvocationID : SV_DispatchThreadID;
    uint gl_LocalInvocationIndex : SV_GroupIndex;
};

groupshared uint partial;

void comp_main()
{
    if (gl_LocalInvocationIndex == 0u)
    {
        partial = 0u;
    }
    GroupMemoryBarrierWithGroupSync();
    uint _23;
    InterlockedAdd(partial, gl_LocalInvocationIndex, _23);
    uint old = _23;
    int _37;
    _29.InterlockedMin(4, int(old) - 5, _37);
    uint _45;
    _29.InterlockedCompareExchange((old & 15u) * 4 + 8, 0u, old, _45);
    uint _60;
    InterlockedMax(image[int2(gl_GlobalInvocationID.xy)], old, _60);
    GroupMemoryBarrierWithGroupSync();
    if (gl_LocalInvocationIndex == 0u)
    {
        uint _68;
        _29.InterlockedExchange(0, partial, _68);
    }
    picture[int2(gl_GlobalInvocationID.xy)] = float(old).xxxx;
}

[numthreads(32, 1, 1)]
void main(SPIRV_Cross_Input stage_input)
{
    gl_GlobalInvocationID = stage_input.gl_GlobalInvocationID;
    gl_LocalInvocationIndex = stage_input.gl_LocalInvocationIndex;
    comp_main();
}
