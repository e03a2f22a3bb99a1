#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct main0_out
{
    float4 _RESERVED_IDENTIFIER_FIXUP_gl_FragColor_;
    float half_;
};

struct main0_out_1
{
    float4 fragment_ [[color(0)]];
};

struct main0_in
{
    float4 vertex_ [[user(locn0)]];
    int thread_ [[user(locn1)]];
};

static inline __attribute__((always_inline))
float device_(thread const float& metal_)
{
    return metal_ + 1.0;
}

static inline __attribute__((always_inline))
float4 kernel_(thread const float4& vector, thread const float& constant_)
{
    return vector * constant_;
}

fragment main0_out_1 main0(main0_in in [[stage_in]], texture2d<float> tex [[texture(0)]], sampler samp [[sampler(0)]])
{
    main0_out_1 out = {};
    float half3 = in.vertex_.x;
    float matrix = in.vertex_.y;
    float param = in.vertex_.z;
    float pass = device_(param);
    float technique = 2.0;
    float register_ = 1.0;
    main0_out main0_in_1 = main0_out{ in.vertex_, half3 };
    float4 param_1 = tex.sample(samp, float2(half3, matrix));
    float param_2 = pass;
    float4 result = kernel_(param_1, param_2);
    int index = in.thread_;
    for (int new_ = 0; new_ < 3; new_++)
    {
        float4 param_3 = main0_in_1._RESERVED_IDENTIFIER_FIXUP_gl_FragColor_;
        float param_4 = (technique + register_) + float(index + new_);
        result += kernel_(param_3, param_4);
    }
    out.fragment_ = result;
    return out;
}

