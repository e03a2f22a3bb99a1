#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

struct Light
{
    vec3 position;
    float radius;
};

layout(binding = 0, std140) uniform Camera
{
    layout(row_major) mat4 viewProjection;
    mat4 model;
    layout(row_major) mat2 spin;
    float fade[3];
} _29;

layout(binding = 1, std430) readonly buffer lights
{
    Light _data[];
} lights_1;

void _CS(uvec3 id)
{
}

void main()
{
    uvec3 id = gl_GlobalInvocationID;
    uvec3 param = id;
    _CS(param);
}

