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

ByteAddressBuffer lights : register(t1);
cbuffer Camera : register(b0)
{
    column_major float4x4 _108_viewProjection : packoffset(c0);
    row_major float4x4 _108_model : packoffset(c4);
    column_major float2x2 _108_spin : packoffset(c8);
    float _108_fade[3] : packoffset(c10);
};

Texture2D<float4> image : register(t2);
SamplerState _smooth : register(s3);

static float4 gl_FragCoord;
static float2 input_uv;
static uint input_light;
static float4 _entryPointOutput;

struct SPIRV_Cross_Input
{
    float2 input_uv : TEXCOORD0;
    nointerpolation uint input_light : TEXCOORD1;
    float4 gl_FragCoord : SV_Position;
};

struct SPIRV_Cross_Output
{
    float4 _entryPointOutput : SV_Target0;
};

float4 _PS(Varyings _input)
{
    Light _33;
    _33.position = asfloat(lights.Load3(_input.light * 16 + 0));
    _33.radius = asfloat(lights.Load(_input.light * 16 + 12));
    Light light;
    light.position = _33.position;
    light.radius = _33.radius;
    float4 texel = image.Sample(_smooth, _input.uv);
    if ((texel.w - 0.5f) < 0.0f)
    {
        discard;
    }
    return texel * clamp(1.0f - (length(light.position.xy - _input.uv) / light.radius), 0.0f, 1.0f);
}

void frag_main()
{
    Varyings _input;
    _input.position = gl_FragCoord;
    _input.uv = input_uv;
    _input.light = input_light;
    Varyings param = _input;
    float4 _102 = _PS(param);
    _entryPointOutput = _102;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    gl_FragCoord = stage_input.gl_FragCoord;
    gl_FragCoord.w = 1.0 / gl_FragCoord.w;
    input_uv = stage_input.input_uv;
    input_light = stage_input.input_light;
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output._entryPointOutput = _entryPointOutput;
    return stage_output;
}
