//! Determinants of 2x2, 3x3 and 4x4 matrices.
//! lab: data.F = { type = "f32", min = -2.0, max = 2.0 }
//! lab: data.R.compare = { absolute = 0.001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    mat3 m = mat3(f[i], f[i ^ 1u], 1.0, f[i ^ 2u], 2.0, f[i ^ 3u], 1.0, f[i ^ 4u], f[i ^ 5u]);
    mat4 n = mat4(m);
    n[3].x = f[i]; n[0].w = 2.0;
    r[i] = vec4(determinant(mat2(m)), determinant(m), determinant(n), 0.0);
}
