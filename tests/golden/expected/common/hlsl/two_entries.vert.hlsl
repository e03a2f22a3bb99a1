cbuffer Camera : register(b0, space0)
{
    column_major float4x4 _35_viewProjection : packoffset(c0);
    row_major float4x4 _35_model : packoffset(c4);
    column_major float2x2 _35_spin : packoffset(c8);
    float _35_fade[3] : packoffset(c10);
};


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

void vert_main()
{
    gl_Position = mul(_35_viewProjection, mul(_35_model, float4(position, 1.0f)));
    _entryPointOutput_uv = mul(_35_spin, position.xy) * _35_fade[1];
    _entryPointOutput_light = uint(gl_InstanceIndex);
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
