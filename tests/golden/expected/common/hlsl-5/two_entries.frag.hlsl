struct Light
{
    float3 position;
    float radius;
};

ByteAddressBuffer lights : register(t1);
Texture2D<float4> image : register(t2);
SamplerState _smooth : register(s3);

static float2 input_uv;
static uint input_light;
static float4 _entryPointOutput;

struct SPIRV_Cross_Input
{
    float2 input_uv : TEXCOORD0;
    nointerpolation uint input_light : TEXCOORD1;
};

struct SPIRV_Cross_Output
{
    float4 _entryPointOutput : SV_Target0;
};

void frag_main()
{
    Light _116;
    _116.position = asfloat(lights.Load3(input_light * 16 + 0));
    _116.radius = asfloat(lights.Load(input_light * 16 + 12));
    float4 _126 = image.Sample(_smooth, input_uv);
    float4 _110 = _126;
    if ((_110.w - 0.5f) < 0.0f)
    {
        discard;
    }
    _entryPointOutput = _126 * clamp(1.0f - (length(_116.position.xy - input_uv) / _116.radius), 0.0f, 1.0f);
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    input_uv = stage_input.input_uv;
    input_light = stage_input.input_light;
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output._entryPointOutput = _entryPointOutput;
    return stage_output;
}
