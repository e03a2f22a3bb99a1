struct Item
{
    float3 position;
    uint id;
};

static const uint3 gl_WorkGroupSize = uint3(8u, 4u, 1u);

RWByteAddressBuffer data : register(u0, space0);
ByteAddressBuffer source : register(t0, space1);

static uint3 gl_GlobalInvocationID;
static uint gl_LocalInvocationIndex;
struct SPIRV_Cross_Input
{
    uint3 gl_GlobalInvocationID : SV_DispatchThreadID;
    uint gl_LocalInvocationIndex : SV_GroupIndex;
};

groupshared Item local_items[32];

void comp_main()
{
    uint i = gl_GlobalInvocationID.x + (gl_GlobalInvocationID.y * 8u);
    Item _42;
    _42.position = asfloat(data.Load3(i * 16 + 64));
    _42.id = data.Load(i * 16 + 76);
    local_items[gl_LocalInvocationIndex].position = _42.position;
    local_items[gl_LocalInvocationIndex].id = _42.id;
    GroupMemoryBarrierWithGroupSync();
    Item other = local_items[31u - gl_LocalInvocationIndex];
    float3x3 _65 = asfloat(uint3x3(data.Load3(16), data.Load3(32), data.Load3(48)));
    data.Store3(i * 16 + 64, asuint(mul(other.position, _65) + (asfloat(data.Load3(0)) * asfloat(source.Load(i * 4 + 0)))));
    uint _87;
    source.GetDimensions(_87);
    _87 = (_87 - 0) / 4;
    data.Store(i * 16 + 76, other.id + uint(int(_87)));
}

[numthreads(8, 4, 1)]
void main(SPIRV_Cross_Input stage_input)
{
    gl_GlobalInvocationID = stage_input.gl_GlobalInvocationID;
    gl_LocalInvocationIndex = stage_input.gl_LocalInvocationIndex;
    comp_main();
}
