#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

template <typename T>
static inline depth2d<T> spvDepthCast(texture2d<T> t)
{
    return reinterpret_cast<thread const depth2d<T> &>(t);
}

template <typename T>
static inline depth2d_array<T> spvDepthCast(texture2d_array<T> t)
{
    return reinterpret_cast<thread const depth2d_array<T> &>(t);
}

template <typename T>
static inline depthcube<T> spvDepthCast(texturecube<T> t)
{
    return reinterpret_cast<thread const depthcube<T> &>(t);
}

template <typename T>
static inline depthcube_array<T> spvDepthCast(texturecube_array<T> t)
{
    return reinterpret_cast<thread const depthcube_array<T> &>(t);
}

struct main0_out
{
    float4 color [[color(0)]];
};

struct main0_in
{
    float3 at [[user(locn0)]];
};

static inline __attribute__((always_inline))
float3 decode(thread const float2& octahedral)
{
    float3 n = float3(octahedral, (1.0 - abs(octahedral.x)) - abs(octahedral.y));
    if (n.z < 0.0)
    {
        float3 _41 = n;
        float _47 = n.x;
        float _52 = n.y;
        float2 _56 = (float2(1.0) - abs(_41.yx)) * float2((_47 >= 0.0) ? 1.0 : (-1.0), (_52 >= 0.0) ? 1.0 : (-1.0));
        n.x = _56.x;
        n.y = _56.y;
    }
    return fast::normalize(n);
}

fragment main0_out main0(main0_in in [[stage_in]], texture2d<float> combined [[texture(0)]], array<texture2d<float>, 4> images [[texture(1)]], texturecube<float> environment [[texture(5)]], texture3d<float> volume [[texture(6)]], texture2d_array<float> layers [[texture(7)]], texture2d<float> shadow [[texture(8)]], texture2d<int> integers [[texture(9)]], sampler combinedSmplr [[sampler(0)]], sampler smooth_ [[sampler(1)]], sampler nearest [[sampler(2)]], sampler environmentSmplr [[sampler(3)]], sampler volumeSmplr [[sampler(4)]], sampler layersSmplr [[sampler(5)]], sampler shadowSmplr [[sampler(6)]], sampler integersSmplr [[sampler(7)]])
{
    main0_out out = {};
    float2 param = in.at.xy;
    float3 n = decode(param);
    out.color = ((combined.sample(combinedSmplr, in.at.xy) + images[0].sample(smooth_, in.at.xy)) + images[0].sample(nearest, in.at.xy, level(1.0))) + images[3].sample(smooth_, in.at.xy, gradient2d(in.at.yz, in.at.zx));
    float3 _152 = float3(in.at.xy, 2.0);
    out.color += ((environment.sample(environmentSmplr, n) + volume.sample(volumeSmplr, n, int3(1, 0, -1))) + layers.sample(layersSmplr, _152.xy, uint(rint(_152.z))));
    out.color *= (spvDepthCast(shadow).sample_compare(shadowSmplr, in.at.xy, in.at.z) + float(integers.read(uint2(int2(in.at.xy * 64.0)), 0).x));
    float4 _196 = out.color;
    float2 _198 = _196.xy + (float2(int3(layers.get_width(), layers.get_height(), layers.get_array_size()).xy) + combined.gather(combinedSmplr, in.at.xy, int2(0), component::z).zw);
    out.color.x = _198.x;
    out.color.y = _198.y;
    return out;
}

