struct main0_out
{
    float4 _RESERVED_IDENTIFIER_FIXUP_gl_FragColor_;
    float half_;
};

Texture2D<float4> tex : register(t0, space0);
SamplerState samp : register(s1, space0);

static float4 vertex;
static int thread;
static float4 fragment;

struct SPIRV_Cross_Input
{
    float4 vertex : TEXCOORD0;
    nointerpolation int thread : TEXCOORD1;
};

struct SPIRV_Cross_Output
{
    float4 fragment : SV_Target0;
};

float device(float metal)
{
    return metal + 1.0f;
}

float4 kernel(float4 vector_, float constant)
{
    return vector_ * constant;
}

void frag_main()
{
    float half3_ = vertex.x;
    float matrix_ = vertex.y;
    float param = vertex.z;
    float pass_ = device(param);
    float technique_ = 2.0f;
    float register_ = 1.0f;
    main0_out _55 = { vertex, half3_ };
    main0_out main0_in = _55;
    float4 param_1 = tex.Sample(samp, float2(half3_, matrix_));
    float param_2 = pass_;
    float4 result = kernel(param_1, param_2);
    int index = thread;
    for (int new_ = 0; new_ < 3; new_++)
    {
        float4 param_3 = main0_in._RESERVED_IDENTIFIER_FIXUP_gl_FragColor_;
        float param_4 = (technique_ + register_) + float(index + new_);
        result += kernel(param_3, param_4);
    }
    fragment = result;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    vertex = stage_input.vertex;
    thread = stage_input.thread;
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output.fragment = fragment;
    return stage_output;
}
