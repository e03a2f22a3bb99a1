#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

// Implementation of signed integer mod accurate to SPIR-V specification
template<typename Tx, typename Ty>
inline Tx spvSMod(Tx x, Ty y)
{
    Tx remainder = x - y * (x / y);
    return select(Tx(remainder + y), remainder, remainder == 0 || (x >= 0) == (y >= 0));
}

struct main0_out
{
    float4 color [[color(0)]];
};

struct main0_in
{
    int4 control [[user(locn0)]];
};

fragment main0_out main0(main0_in in [[stage_in]])
{
    main0_out out = {};
    float4 sum = float4(0.0);
    int i = in.control.x;
    for (; i < in.control.y; i++)
    {
        if ((i & 3) == 1)
        {
            continue;
        }
        int j = 0;
        while (true)
        {
            int _50 = j;
            j = _50 + 1;
            if (_50 > in.control.z)
            {
                break;
            }
            switch (spvSMod(i, 5))
            {
                case 0:
                {
                    sum.x += 1.0;
                }
                case 1:
                {
                    switch (j & 1)
                    {
                        case 0:
                        {
                            sum.y += 0.5;
                            break;
                        }
                        default:
                        {
                            sum.z += 0.25;
                            break;
                        }
                    }
                    break;
                }
                case 3:
                {
                    continue;
                }
                default:
                {
                    sum.w += float(j);
                    break;
                }
            }
        }
    }
    bool _117;
    for (;;)
    {
        sum *= 0.5;
        i--;
        bool _111 = i > 0;
        if (_111)
        {
            _117 = sum.x > 1.0;
        }
        else
        {
            _117 = _111;
        }
        if (_117)
        {
            continue;
        }
        else
        {
            break;
        }
    }
    out.color = sum;
    return out;
}

