static float4 gl_Position;
static float4 a;
static float3x3 m;
static float4 b;

struct SPIRV_Cross_Input
{
    float4 a : TEXCOORD0;
    float3 m_0 : TEXCOORD1_0;
    float3 m_1 : TEXCOORD1_1;
    float3 m_2 : TEXCOORD1_2;
};

struct SPIRV_Cross_Output
{
    float4 b : TEXCOORD0;
    float4 gl_Position : SV_Position;
};

// Returns the determinant of a 2x2 matrix.
float spvDet2x2(float a1, float a2, float b1, float b2)
{
    return a1 * b2 - b1 * a2;
}

// Returns the inverse of a matrix, by using the algorithm of calculating the classical
// adjoint and dividing by the determinant. The contents of the matrix are changed.
float3x3 spvInverse(float3x3 m)
{
    float3x3 adj;	// The adjoint matrix (inverse after dividing by determinant)

    // Create the transpose of the cofactors, as the classical adjoint of the matrix.
    adj[0][0] =  spvDet2x2(m[1][1], m[1][2], m[2][1], m[2][2]);
    adj[0][1] = -spvDet2x2(m[0][1], m[0][2], m[2][1], m[2][2]);
    adj[0][2] =  spvDet2x2(m[0][1], m[0][2], m[1][1], m[1][2]);

    adj[1][0] = -spvDet2x2(m[1][0], m[1][2], m[2][0], m[2][2]);
    adj[1][1] =  spvDet2x2(m[0][0], m[0][2], m[2][0], m[2][2]);
    adj[1][2] = -spvDet2x2(m[0][0], m[0][2], m[1][0], m[1][2]);

    adj[2][0] =  spvDet2x2(m[1][0], m[1][1], m[2][0], m[2][1]);
    adj[2][1] = -spvDet2x2(m[0][0], m[0][1], m[2][0], m[2][1]);
    adj[2][2] =  spvDet2x2(m[0][0], m[0][1], m[1][0], m[1][1]);

    // Calculate the determinant as a combination of the cofactors of the first row.
    float det = (adj[0][0] * m[0][0]) + (adj[0][1] * m[1][0]) + (adj[0][2] * m[2][0]);

    // Divide the classical adjoint matrix by the determinant.
    // If determinant is zero, matrix is not invertable, so leave it unchanged.
    return (det != 0.0f) ? (adj * (1.0f / det)) : m;
}

void vert_main()
{
    float4 v = a.wwww;
    float4 _15 = v;
    v.z = _15.xz.x;
    v.x = _15.xz.y;
    float4 _27 = v;
    float2 _29 = _27.yw * a.xy;
    v.y = _29.x;
    v.w = _29.y;
    float3x3 t = transpose(m);
    t[1].x = v.yx.x;
    t[1].z = v.yx.y;
    t[2].x += 1.0f;
    b = float4(mul(v.xyz, t), determinant(m)) + spvInverse(m)[0].xyzx;
    gl_Position = b;
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    a = stage_input.a;
    m[0] = stage_input.m_0;
    m[1] = stage_input.m_1;
    m[2] = stage_input.m_2;
    vert_main();
    SPIRV_Cross_Output stage_output;
    stage_output.gl_Position = gl_Position;
    stage_output.b = b;
    return stage_output;
}
