struct Light
{
    float3 position;
    float radius;
};

cbuffer Camera : register(b0)
{
    column_major float4x4 _29_viewProjection : packoffset(c0);
    row_major float4x4 _29_model : packoffset(c4);
    column_major float2x2 _29_spin : packoffset(c8);
    float _29_fade[3] : packoffset(c10);
};

ByteAddressBuffer lights : register(t1);
Texture2D<float4> image : register(t2);
SamplerState _smooth : register(s3);

static uint3 gl_GlobalInvocationID;
struct SPIRV_Cross_Input
{
    uint3 gl_GlobalInvocationID : SV_DispatchThreadID;
};

void _CS(uint3 id)
{
}

void comp_main()
{
    uint3 id = gl_GlobalInvocationID;
    uint3 param = id;
    _CS(param);
}

[numthreads(4, 4, 1)]
void main(SPIRV_Cross_Input stage_input)
{
    gl_GlobalInvocationID = stage_input.gl_GlobalInvocationID;
    comp_main();
}
