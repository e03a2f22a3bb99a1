#version 450
layout(triangles, cw, equal_spacing) in;

layout(location = 0) in vec3 control[];
layout(location = 0) out float out_detail;
layout(location = 1) patch in float detail;

void main()
{
    vec3 p = ((control[0] * gl_TessCoord.x) + (control[1] * gl_TessCoord.y)) + (control[2] * gl_TessCoord.z);
    out_detail = detail;
    gl_Position = vec4(p, 1.0);
}

