//! Products of mat3 and of non-square matrices.
//! lab: data.F = { type = "f32", min = -2.0, max = 2.0 }
//! lab: compare = { absolute = 0.001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };
layout(std430, binding = 2) buffer S { vec2 s[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    mat3 m = mat3(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u], 1.0, f[i ^ 4u], 2.0, f[i ^ 5u], 3.0);
    mat2x3 n = mat2x3(f[i ^ 6u], 1.0, f[i], f[i ^ 7u], 2.0, f[i ^ 1u]);
    mat2x3 p = m * m * n;
    r[i] = vec4(p[0], p[1].x);
    s[i] = p[1].yz;
}
