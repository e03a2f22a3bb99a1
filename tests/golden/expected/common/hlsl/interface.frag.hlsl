struct Shared
{
    float3 normal;
    float2 uv;
    int2 id;
    float depth;
    float4 tint;
};

cbuffer Scene : register(b0, space0)
{
    row_major float4x4 scene_view : packoffset(c0);
    float4 scene_tint : packoffset(c4);
};


static float4 color;
static Shared from_vertex;
static int2 picked;

struct SPIRV_Cross_Input
{
    float3 Shared_normal : TEXCOORD0;
    float2 Shared_uv : TEXCOORD1;
    nointerpolation int2 Shared_id : TEXCOORD2;
    noperspective float Shared_depth : TEXCOORD3;
    centroid float4 Shared_tint : TEXCOORD4;
};

struct SPIRV_Cross_Output
{
    float4 color : SV_Target0;
    int2 picked : SV_Target1;
};

void frag_main()
{
    color = (scene_tint * from_vertex.tint) * float4(from_vertex.normal, from_vertex.uv.x);
    picked = from_vertex.id;
    color.w *= from_vertex.depth;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    from_vertex.normal = stage_input.Shared_normal;
    from_vertex.uv = stage_input.Shared_uv;
    from_vertex.id = stage_input.Shared_id;
    from_vertex.depth = stage_input.Shared_depth;
    from_vertex.tint = stage_input.Shared_tint;
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output.color = color;
    stage_output.picked = picked;
    return stage_output;
}
