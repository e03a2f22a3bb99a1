#version 450

struct main0_out
{
    vec4 _RESERVED_IDENTIFIER_FIXUP_gl_FragColor_;
    float half_;
};

layout(binding = 0) uniform sampler2D SPIRV_Cross_Combinedtexsamp;

layout(location = 0) in vec4 vertex;
layout(location = 1) flat in int thread;
layout(location = 0) out vec4 fragment;

float device(float metal)
{
    return metal + 1.0;
}

vec4 kernel(vec4 vector, float constant)
{
    return vector * constant;
}

void main()
{
    float half3 = vertex.x;
    float matrix = vertex.y;
    float param = vertex.z;
    float pass = device(param);
    float technique = 2.0;
    float register_ = 1.0;
    main0_out main0_in = main0_out(vertex, half3);
    vec4 param_1 = texture(SPIRV_Cross_Combinedtexsamp, vec2(half3, matrix));
    float param_2 = pass;
    vec4 result = kernel(param_1, param_2);
    int index = thread;
    for (int new = 0; new < 3; new++)
    {
        vec4 param_3 = main0_in._RESERVED_IDENTIFIER_FIXUP_gl_FragColor_;
        float param_4 = (technique + register_) + float(index + new);
        result += kernel(param_3, param_4);
    }
    fragment = result;
}

