#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

// Implementation of the GLSL mod() function, which is slightly different than Metal fmod()
template<typename Tx, typename Ty>
inline Tx mod(Tx x, Ty y)
{
    return x - y * floor(x / y);
}

// Implementation of the unsigned GLSL findMSB() function
template<typename T>
inline T spvFindUMSB(T x)
{
    return select(clz(T(0)) - (clz(x) + T(1)), T(-1), x == T(0));
}

struct main0_out
{
    float4 color [[color(0)]];
};

struct main0_in
{
    int2 i [[user(locn0)]];
    float x [[user(locn1)]];
};

fragment main0_out main0(main0_in in [[stage_in]])
{
    main0_out out = {};
    float a = 9.9999999747524270787835121154785e-07;
    float b = 0.5;
    float c = 3.4028234663852885981170418348452e+38;
    float d = 10000000000.0;
    float e = -0.0;
    float f = 100000.0;
    uint u = 4294967295u;
    int least = int(0x80000000);
    out.color = float4((in.x < (f * f)) ? a : b, c * in.x, d + e, float(u >> uint(3)) - float(least));
    out.color.x += ((in.x - (-1.0)) + b);
    out.color.y += (float((in.i.x << 3) | ((in.i.y & 7) ^ 5)) / float(~in.i.y));
    out.color.z += ((float(extract_bits(in.i.x, uint(3), uint(5))) + float(int(spvFindUMSB(u)))) + 1.0);
    bool _108 = isnan(in.x);
    bool _114;
    if (!_108)
    {
        _114 = isinf(in.x);
    }
    else
    {
        _114 = _108;
    }
    float _115;
    if (_114)
    {
        _115 = 0.0;
    }
    else
    {
        _115 = ((mod(in.x, 0.100000001490116119384765625) + trunc(in.x)) + rint(in.x)) + fma(in.x, b, a);
    }
    out.color.w += _115;
    return out;
}

