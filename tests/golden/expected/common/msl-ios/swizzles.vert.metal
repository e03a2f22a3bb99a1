#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

// Returns the determinant of a 2x2 matrix.
static inline __attribute__((always_inline))
float spvDet2x2(float a1, float a2, float b1, float b2)
{
    return a1 * b2 - b1 * a2;
}

// Returns the inverse of a matrix, by using the algorithm of calculating the classical
// adjoint and dividing by the determinant. The contents of the matrix are changed.
static inline __attribute__((always_inline))
float3x3 spvInverse3x3(float3x3 m)
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

struct main0_out
{
    float4 b [[user(locn0)]];
    float4 gl_Position [[position]];
};

struct main0_in
{
    float4 a [[attribute(0)]];
    float3 m_0 [[attribute(1)]];
    float3 m_1 [[attribute(2)]];
    float3 m_2 [[attribute(3)]];
};

vertex main0_out main0(main0_in in [[stage_in]])
{
    main0_out out = {};
    float3x3 m = {};
    m[0] = in.m_0;
    m[1] = in.m_1;
    m[2] = in.m_2;
    float4 v = in.a.wwww;
    float4 _15 = v;
    v.z = _15.xz.x;
    v.x = _15.xz.y;
    float4 _27 = v;
    float2 _29 = _27.yw * in.a.xy;
    v.y = _29.x;
    v.w = _29.y;
    float3x3 t = transpose(m);
    t[1].x = v.yx.x;
    t[1].z = v.yx.y;
    t[2].x += 1.0;
    out.b = float4(t * v.xyz, determinant(m)) + spvInverse3x3(m)[0].xyzx;
    out.gl_Position = out.b;
    return out;
}

