static float4 color;
static float x;
static int2 i;

struct SPIRV_Cross_Input
{
    nointerpolation int2 i : TEXCOORD0;
    float x : TEXCOORD1;
};

struct SPIRV_Cross_Output
{
    float4 color : SV_Target0;
};

float mod(float x, float y)
{
    return x - y * floor(x / y);
}

float2 mod(float2 x, float2 y)
{
    return x - y * floor(x / y);
}

float3 mod(float3 x, float3 y)
{
    return x - y * floor(x / y);
}

float4 mod(float4 x, float4 y)
{
    return x - y * floor(x / y);
}

uint spvBitfieldUExtract(uint Base, uint Offset, uint Count)
{
    uint Mask = Count == 32 ? 0xffffffff : ((1 << Count) - 1);
    return (Base >> Offset) & Mask;
}

uint2 spvBitfieldUExtract(uint2 Base, uint Offset, uint Count)
{
    uint Mask = Count == 32 ? 0xffffffff : ((1 << Count) - 1);
    return (Base >> Offset) & Mask;
}

uint3 spvBitfieldUExtract(uint3 Base, uint Offset, uint Count)
{
    uint Mask = Count == 32 ? 0xffffffff : ((1 << Count) - 1);
    return (Base >> Offset) & Mask;
}

uint4 spvBitfieldUExtract(uint4 Base, uint Offset, uint Count)
{
    uint Mask = Count == 32 ? 0xffffffff : ((1 << Count) - 1);
    return (Base >> Offset) & Mask;
}

int spvBitfieldSExtract(int Base, int Offset, int Count)
{
    int Mask = Count == 32 ? -1 : ((1 << Count) - 1);
    int Masked = (Base >> Offset) & Mask;
    int ExtendShift = (32 - Count) & 31;
    return (Masked << ExtendShift) >> ExtendShift;
}

int2 spvBitfieldSExtract(int2 Base, int Offset, int Count)
{
    int Mask = Count == 32 ? -1 : ((1 << Count) - 1);
    int2 Masked = (Base >> Offset) & Mask;
    int ExtendShift = (32 - Count) & 31;
    return (Masked << ExtendShift) >> ExtendShift;
}

int3 spvBitfieldSExtract(int3 Base, int Offset, int Count)
{
    int Mask = Count == 32 ? -1 : ((1 << Count) - 1);
    int3 Masked = (Base >> Offset) & Mask;
    int ExtendShift = (32 - Count) & 31;
    return (Masked << ExtendShift) >> ExtendShift;
}

int4 spvBitfieldSExtract(int4 Base, int Offset, int Count)
{
    int Mask = Count == 32 ? -1 : ((1 << Count) - 1);
    int4 Masked = (Base >> Offset) & Mask;
    int ExtendShift = (32 - Count) & 31;
    return (Masked << ExtendShift) >> ExtendShift;
}

void frag_main()
{
    float a = 9.9999999747524270787835121154785e-07f;
    float b = 0.5f;
    float c = 3.4028234663852885981170418348452e+38f;
    float d = 10000000000.0f;
    float e = -0.0f;
    float f = 100000.0f;
    uint u = 4294967295u;
    int least = int(0x80000000);
    color = float4((x < (f * f)) ? a : b, c * x, d + e, float(u >> uint(3)) - float(least));
    color.x += ((x - (-1.0f)) + b);
    color.y += (float((i.x << 3) | ((i.y & 7) ^ 5)) / float(~i.y));
    color.z += ((float(spvBitfieldSExtract(i.x, 3, 5)) + float(int(firstbithigh(u)))) + asfloat(1065353216u));
    bool _109 = isnan(x);
    bool _115;
    if (!_109)
    {
        _115 = isinf(x);
    }
    else
    {
        _115 = _109;
    }
    float _116;
    if (_115)
    {
        _116 = 0.0f;
    }
    else
    {
        _116 = ((mod(x, 0.100000001490116119384765625f) + trunc(x)) + round(x)) + mad(x, b, a);
    }
    color.w += _116;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    x = stage_input.x;
    i = stage_input.i;
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output.color = color;
    return stage_output;
}
