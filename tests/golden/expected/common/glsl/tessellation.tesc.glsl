#version 450
layout(vertices = 3) out;

layout(location = 0) out vec3 control[3];
layout(location = 0) in vec3 world[];
layout(location = 1) patch out float detail;

void main()
{
    control[gl_InvocationID] = world[gl_InvocationID];
    if (gl_InvocationID == 0)
    {
        detail = distance(world[0], world[1]);
        gl_TessLevelOuter[2] = detail;
        gl_TessLevelOuter[1] = detail;
        gl_TessLevelOuter[0] = detail;
        gl_TessLevelInner[0] = detail * 0.5;
    }
}

