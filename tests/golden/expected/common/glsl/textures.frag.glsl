#version 450

layout(binding = 0) uniform sampler2D combined;
layout(binding = 10) uniform samplerCube environment;
layout(binding = 11) uniform sampler3D volume;
layout(binding = 12) uniform sampler2DArray layers;
layout(binding = 13) uniform sampler2DShadow shadow;
layout(binding = 14) uniform isampler2D integers;
layout(binding = 1) uniform sampler2D never_used;
layout(binding = 6) uniform sampler2D SPIRV_Cross_Combinedimagessmooth_[4];
layout(binding = 2) uniform sampler2D SPIRV_Cross_Combinedimagesnearest[4];

layout(location = 0) in vec3 at;
layout(location = 0) out vec4 color;

vec3 decode(vec2 octahedral)
{
    vec3 n = vec3(octahedral, (1.0 - abs(octahedral.x)) - abs(octahedral.y));
    if (n.z < 0.0)
    {
        vec3 _41 = n;
        float _47 = n.x;
        float _52 = n.y;
        vec2 _56 = (vec2(1.0) - abs(_41.yx)) * vec2((_47 >= 0.0) ? 1.0 : (-1.0), (_52 >= 0.0) ? 1.0 : (-1.0));
        n.x = _56.x;
        n.y = _56.y;
    }
    return normalize(n);
}

void main()
{
    vec2 param = at.xy;
    vec3 n = decode(param);
    color = ((texture(combined, at.xy) + texture(SPIRV_Cross_Combinedimagessmooth_[0], at.xy)) + textureLod(SPIRV_Cross_Combinedimagesnearest[0], at.xy, 1.0)) + textureGrad(SPIRV_Cross_Combinedimagessmooth_[3], at.xy, at.yz, at.zx);
    color += ((texture(environment, n) + textureOffset(volume, n, ivec3(1, 0, -1))) + texture(layers, vec3(at.xy, 2.0)));
    color *= (texture(shadow, vec3(at.xy, at.z)) + float(texelFetch(integers, ivec2(at.xy * 64.0), 0).x));
    vec4 _196 = color;
    vec2 _198 = _196.xy + (vec2(textureSize(layers, 0).xy) + textureGather(combined, at.xy, 2).zw);
    color.x = _198.x;
    color.y = _198.y;
}

