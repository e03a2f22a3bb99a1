#version 450

#ifndef SPIRV_CROSS_CONSTANT_ID_0
#define SPIRV_CROSS_CONSTANT_ID_0 4
#endif
const int kCount = SPIRV_CROSS_CONSTANT_ID_0;
#ifndef SPIRV_CROSS_CONSTANT_ID_1
#define SPIRV_CROSS_CONSTANT_ID_1 0.5
#endif
const float kScale = SPIRV_CROSS_CONSTANT_ID_1;
#ifndef SPIRV_CROSS_CONSTANT_ID_3
#define SPIRV_CROSS_CONSTANT_ID_3 255u
#endif
const uint kMask = SPIRV_CROSS_CONSTANT_ID_3;
#ifndef SPIRV_CROSS_CONSTANT_ID_2
#define SPIRV_CROSS_CONSTANT_ID_2 false
#endif
const bool kNegate = SPIRV_CROSS_CONSTANT_ID_2;
#ifndef SPIRV_CROSS_CONSTANT_ID_10
#define SPIRV_CROSS_CONSTANT_ID_10 1u
#endif
layout(local_size_x = SPIRV_CROSS_CONSTANT_ID_10, local_size_y = 2, local_size_z = 1) in;


layout(binding = 0, std430) buffer Values
{
    vec4 values[];
} _28;

struct Push
{
    vec4 bias;
    uint first;
};

uniform Push push;

void main()
{
    vec4 stack[kCount];
    for (int i = 0; i < kCount; i++)
    {
        stack[i] = (_28.values[push.first + uint(i)] * kScale) + push.bias;
    }
    vec4 sum = vec4(0.0);
    for (int i_1 = 0; i_1 < kCount; i_1++)
    {
        sum += stack[i_1];
    }
    vec4 _81;
    if (kNegate)
    {
        _81 = -sum;
    }
    else
    {
        _81 = sum;
    }
    _28.values[gl_GlobalInvocationID.x & kMask] = _81;
}

