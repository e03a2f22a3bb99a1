struct Varyings
{
    float4 position;
    float2 uv;
    uint light;
};

struct Light
{
    float3 position;
    float radius;
};

cbuffer Camera : register(b0, space0)
{
    column_major float4x4 _35_viewProjection : packoffset(c0);
    row_major float4x4 _35_model : packoffset(c4);
    column_major float2x2 _35_spin : packoffset(c8);
    float _35_fade[3] : packoffset(c10);
};

ByteAddressBuffer lights : register(t1, space0);
Texture2D<float4> image : register(t2, space0);
SamplerState _smooth : register(s3, space0);

static float4 gl_Position;
static int gl_InstanceIndex;
static float3 position;
static float2 _entryPointOutput_uv;
static uint _entryPointOutput_light;

struct SPIRV_Cross_Input
{
    float3 position : TEXCOORD0;
    uint gl_InstanceIndex : SV_InstanceID;
};

struct SPIRV_Cross_Output
{
    float2 _entryPointOutput_uv : TEXCOORD0;
    nointerpolation uint _entryPointOutput_light : TEXCOORD1;
    float4 gl_Position : SV_Position;
};

Varyings _VS(float3 position_1, uint id)
{
    Varyings _output;
    _output.position = mul(_35_viewProjection, mul(_35_model, float4(position_1, 1.0f)));
    _output.uv = mul(_35_spin, position_1.xy) * _35_fade[1];
    _output.light = id;
    return _output;
}

void vert_main()
{
    float3 position_1 = position;
    uint id = uint(gl_InstanceIndex);
    float3 param = position_1;
    uint param_1 = id;
    Varyings flattenTemp = _VS(param, param_1);
    gl_Position = flattenTemp.position;
    _entryPointOutput_uv = flattenTemp.uv;
    _entryPointOutput_light = flattenTemp.light;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    gl_InstanceIndex = int(stage_input.gl_InstanceIndex);
    position = stage_input.position;
    vert_main();
    SPIRV_Cross_Output stage_output;
    stage_output.gl_Position = gl_Position;
    stage_output._entryPointOutput_uv = _entryPointOutput_uv;
    stage_output._entryPointOutput_light = _entryPointOutput_light;
    return stage_output;
}
