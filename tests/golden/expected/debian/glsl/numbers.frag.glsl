#version 450

layout(location = 0) out vec4 color;
layout(location = 1) in float x;
layout(location = 0) flat in ivec2 i;

void main()
{
    float a = 9.9999999747524270787835121154785e-07;
    float b = 0.5;
    float c = 3.4028234663852885981170418348452e+38;
    float d = 10000000000.0;
    float e = -0.0;
    float f = 100000.0;
    uint u = 4294967295u;
    int least = int(0x80000000);
    color = vec4((x < (f * f)) ? a : b, c * x, d + e, float(u >> uint(3)) - float(least));
    color.x += ((x - (-1.0)) + b);
    color.y += (float((i.x << 3) | ((i.y & 7) ^ 5)) / float(~i.y));
    color.z += ((float(bitfieldExtract(i.x, 3, 5)) + float(findMSB(u))) + uintBitsToFloat(1065353216u));
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
        _116 = 0.0;
    }
    else
    {
        _116 = ((mod(x, 0.100000001490116119384765625) + trunc(x)) + roundEven(x)) + fma(x, b, a);
    }
    color.w += _116;
}

