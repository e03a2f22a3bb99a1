struct Pair
{
    float3 direction;
    float weight;
};

cbuffer Block : register(b0, space0)
{
    float3 block_a : packoffset(c0);
    float3 block_b : packoffset(c1);
    float3 block_c : packoffset(c2);
    float2 block_list[3] : packoffset(c3);
    float3 block_d : packoffset(c6);
    float block_in_tail : packoffset(c6.w);
    float2 block_e : packoffset(c7);
    float2 block_f : packoffset(c7.z);
    row_major float2x2 block_m2 : packoffset(c8);
    row_major float3x3 block_m3 : packoffset(c10);
    row_major float4x3 block_m43 : packoffset(c13);
    Pair block_pairs[2] : packoffset(c17);
};


static float4 color;

struct SPIRV_Cross_Output
{
    float4 color : SV_Target0;
};

void frag_main()
{
    float3 sum = (((block_a + block_b) + block_c) + float3(block_list[1], block_list[2].x)) + (block_d * block_in_tail);
    float3 _67 = sum;
    float2 _69 = _67.xy + ((block_e + block_f) + block_m2[1]);
    sum.x = _69.x;
    sum.y = _69.y;
    sum += (mul(block_a, block_m3) + mul(float4(block_b, 1.0f), block_m43));
    color = float4(sum + (block_pairs[1].direction * block_pairs[1].weight), 1.0f);
}

SPIRV_Cross_Output main()
{
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output.color = color;
    return stage_output;
}
