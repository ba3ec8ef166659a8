//! inverse of a well-conditioned mat4 times the matrix.
//! lab: data.F = { type = "f32", min = -1.0, max = 1.0 }
//! lab: compare = { absolute = 0.0001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };
layout(std430, binding = 2) buffer S { vec4 s[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    mat4 m = mat4(4.0);
    m[0].y = f[i]; m[1].z = f[i ^ 1u]; m[2].w = f[i ^ 2u]; m[3].x = f[i ^ 3u]; m[2].x = f[i ^ 4u];
    mat4 n = inverse(m);
    mat4 p = m * n;
    r[i] = n[0];
    s[i] = vec4(p[0].x, p[1].y, p[2].z, p[3].w);
}
