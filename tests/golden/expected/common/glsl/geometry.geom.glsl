#version 450
layout(invocations = 2, triangles) in;
layout(max_vertices = 4, line_strip) out;

layout(location = 0) out vec4 tint;
layout(location = 0) in vec4 color[3];

void main()
{
    for (int i = 0; i < 4; i++)
    {
        gl_Position = gl_in[i % 3].gl_Position + vec4(0.0, float(gl_InvocationID), 0.0, 0.0);
        gl_Layer = gl_InvocationID;
        tint = color[i % 3];
        EmitVertex();
    }
    EndPrimitive();
}

