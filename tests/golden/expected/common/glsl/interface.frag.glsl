#version 450

layout(binding = 0, std140) uniform Scene
{
    mat4 view;
    vec4 tint;
} scene;

layout(location = 0) out vec4 color;
layout(location = 0) in Shared
{
    vec3 normal;
    vec2 uv;
    flat ivec2 id;
    noperspective float depth;
    centroid vec4 tint;
} from_vertex;

layout(location = 1) out ivec2 picked;

void main()
{
    color = (scene.tint * from_vertex.tint) * vec4(from_vertex.normal, from_vertex.uv.x);
    picked = from_vertex.id;
    color.w *= from_vertex.depth;
}

