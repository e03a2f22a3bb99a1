#ifndef SPIRV_CROSS_CONSTANT_ID_0
#define SPIRV_CROSS_CONSTANT_ID_0 4
#endif
static const int kCount = SPIRV_CROSS_CONSTANT_ID_0;
#ifndef SPIRV_CROSS_CONSTANT_ID_1
#define SPIRV_CROSS_CONSTANT_ID_1 0.5f
#endif
static const float kScale = SPIRV_CROSS_CONSTANT_ID_1;
#ifndef SPIRV_CROSS_CONSTANT_ID_3
#define SPIRV_CROSS_CONSTANT_ID_3 255u
#endif
static const uint kMask = SPIRV_CROSS_CONSTANT_ID_3;
#ifndef SPIRV_CROSS_CONSTANT_ID_2
#define SPIRV_CROSS_CONSTANT_ID_2 false
#endif
static const bool kNegate = SPIRV_CROSS_CONSTANT_ID_2;
#ifndef SPIRV_CROSS_CONSTANT_ID_10
#define SPIRV_CROSS_CONSTANT_ID_10 1u
#endif
static const uint _90 = SPIRV_CROSS_CONSTANT_ID_10;
static const uint3 gl_WorkGroupSize = uint3(_90, 2u, 1u);

RWByteAddressBuffer _28 : register(u0, space0);
cbuffer Push
{
    float4 push_bias : packoffset(c1);
    uint push_first : packoffset(c2);
};


static uint3 gl_GlobalInvocationID;
struct SPIRV_Cross_Input
{
    uint3 gl_GlobalInvocationID : SV_DispatchThreadID;
};

void comp_main()
{
    float4 stack[kCount];
    for (int i = 0; i < kCount; i++)
    {
        stack[i] = (asfloat(_28.Load4((push_first + uint(i)) * 16 + 0)) * kScale) + push_bias;
    }
    float4 sum = 0.0f.xxxx;
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
    _28.Store4((gl_GlobalInvocationID.x & kMask) * 16 + 0, asuint(_81));
}

[numthreads(SPIRV_CROSS_CONSTANT_ID_10, 2, 1)]
void main(SPIRV_Cross_Input stage_input)
{
    gl_GlobalInvocationID = stage_input.gl_GlobalInvocationID;
    comp_main();
}
