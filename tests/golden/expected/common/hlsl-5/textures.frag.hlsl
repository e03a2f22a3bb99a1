Texture2D<float4> combined : register(t0);
SamplerState _combined_sampler : register(s0);
Texture2D<float4> images[4] : register(t2);
SamplerState smooth_ : register(s2);
SamplerState nearest : register(s3);
TextureCube<float4> environment : register(t6);
SamplerState _environment_sampler : register(s4);
Texture3D<float4> volume : register(t7);
SamplerState _volume_sampler : register(s5);
Texture2DArray<float4> layers : register(t8);
SamplerState _layers_sampler : register(s6);
Texture2D<float4> shadow : register(t9);
SamplerComparisonState _shadow_sampler : register(s7);
Texture2D<int4> integers : register(t10);
SamplerState _integers_sampler : register(s8);
Texture2D<float4> never_used : register(t1);
SamplerState _never_used_sampler : register(s1);

static float3 at;
static float4 color;

struct SPIRV_Cross_Input
{
    float3 at : TEXCOORD0;
};

struct SPIRV_Cross_Output
{
    float4 color : SV_Target0;
};

uint3 spvTextureSize(Texture2DArray<float4> Tex, uint Level, out uint Param)
{
    uint3 ret;
    Tex.GetDimensions(Level, ret.x, ret.y, ret.z, Param);
    return ret;
}

float3 decode(float2 octahedral)
{
    float3 n = float3(octahedral, (1.0f - abs(octahedral.x)) - abs(octahedral.y));
    if (n.z < 0.0f)
    {
        float3 _41 = n;
        float _47 = n.x;
        float _52 = n.y;
        float2 _56 = (1.0f.xx - abs(_41.yx)) * float2((_47 >= 0.0f) ? 1.0f : (-1.0f), (_52 >= 0.0f) ? 1.0f : (-1.0f));
        n.x = _56.x;
        n.y = _56.y;
    }
    return normalize(n);
}

void frag_main()
{
    float2 param = at.xy;
    float3 n = decode(param);
    color = ((combined.Sample(_combined_sampler, at.xy) + images[0].Sample(smooth_, at.xy)) + images[0].SampleLevel(nearest, at.xy, 1.0f)) + images[3].SampleGrad(smooth_, at.xy, at.yz, at.zx);
    color += ((environment.Sample(_environment_sampler, n) + volume.Sample(_volume_sampler, n, int3(1, 0, -1))) + layers.Sample(_layers_sampler, float3(at.xy, 2.0f)));
    color *= (shadow.SampleCmp(_shadow_sampler, at.xy, at.z) + float(integers.Load(int3(int2(at.xy * 64.0f), 0)).x));
    uint _186_dummy_parameter;
    float4 _196 = color;
    float2 _198 = _196.xy + (float2(int3(spvTextureSize(layers, uint(0), _186_dummy_parameter)).xy) + combined.GatherBlue(_combined_sampler, at.xy).zw);
    color.x = _198.x;
    color.y = _198.y;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    at = stage_input.at;
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output.color = color;
    return stage_output;
}
