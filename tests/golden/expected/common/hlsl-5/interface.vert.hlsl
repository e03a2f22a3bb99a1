struct Shared
{
    float3 normal;
    float2 uv;
    int2 id;
    float depth;
    float4 tint;
};

cbuffer Scene : register(b0)
{
    row_major float4x4 scene_view : packoffset(c0);
    float4 scene_tint : packoffset(c4);
};


static float4 gl_Position;
static int gl_InstanceIndex;
static float3 position;
static Shared to_fragment;
static int2 id;

struct SPIRV_Cross_Input
{
    float3 position : TEXCOORD0;
    int2 id : TEXCOORD1;
    uint gl_InstanceIndex : SV_InstanceID;
};

struct SPIRV_Cross_Output
{
    float3 Shared_normal : TEXCOORD0;
    float2 Shared_uv : TEXCOORD1;
    nointerpolation int2 Shared_id : TEXCOORD2;
    noperspective float Shared_depth : TEXCOORD3;
    centroid float4 Shared_tint : TEXCOORD4;
    float4 gl_Position : SV_Position;
};

void vert_main()
{
    gl_Position = mul(float4(position, 1.0f), scene_view);
    to_fragment.normal = position;
    to_fragment.uv = position.xy;
    to_fragment.id = id + gl_InstanceIndex.xx;
    to_fragment.depth = gl_Position.z;
    to_fragment.tint = scene_tint;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    gl_InstanceIndex = int(stage_input.gl_InstanceIndex);
    position = stage_input.position;
    id = stage_input.id;
    vert_main();
    SPIRV_Cross_Output stage_output;
    stage_output.gl_Position = gl_Position;
    stage_output.Shared_normal = to_fragment.normal;
    stage_output.Shared_uv = to_fragment.uv;
    stage_output.Shared_id = to_fragment.id;
    stage_output.Shared_depth = to_fragment.depth;
    stage_output.Shared_tint = to_fragment.tint;
    return stage_output;
}
