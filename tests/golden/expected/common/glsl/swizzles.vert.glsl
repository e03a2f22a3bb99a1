#version 450

layout(location = 0) in vec4 a;
layout(location = 1) in mat3 m;
layout(location = 0) out vec4 b;

void main()
{
    vec4 v = a.wwww;
    vec4 _15 = v;
    v.z = _15.xz.x;
    v.x = _15.xz.y;
    vec4 _27 = v;
    vec2 _29 = _27.yw * a.xy;
    v.y = _29.x;
    v.w = _29.y;
    mat3 t = transpose(m);
    t[1].x = v.yx.x;
    t[1].z = v.yx.y;
    t[2].x += 1.0;
    b = vec4(t * v.xyz, determinant(m)) + inverse(m)[0].xyzx;
    gl_Position = b;
}

