#version 450

struct Pair
{
    vec3 direction;
    float weight;
};

layout(binding = 0, std140) uniform Block
{
    vec3 a;
    vec3 b;
    vec3 c;
    vec2 list[3];
    vec3 d;
    float in_tail;
    vec2 e;
    vec2 f;
    mat2 m2;
    mat3 m3;
    mat4x3 m43;
    Pair pairs[2];
} block;

layout(location = 0) out vec4 color;

void main()
{
    vec3 sum = (((block.a + block.b) + block.c) + vec3(block.list[1], block.list[2].x)) + (block.d * block.in_tail);
    vec3 _67 = sum;
    vec2 _69 = _67.xy + ((block.e + block.f) + block.m2[1]);
    sum.x = _69.x;
    sum.y = _69.y;
    sum += ((block.m3 * block.a) + (block.m43 * vec4(block.b, 1.0)));
    color = vec4(sum + (block.pairs[1].direction * block.pairs[1].weight), 1.0);
}

