//! mat4 by vector, vector by mat4, and a transposed matrix.
//! lab: data.F = { type = "f32", min = -4.0, max = 4.0 }
//! lab: compare = { absolute = 0.001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };
layout(std430, binding = 2) buffer S { vec4 s[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 v = vec4(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u]);
    mat4 m = mat4(v, v.yzwx, v.zwxy, v.wxyz) ;
    r[i] = m * v.wzyx + v * m;
    s[i] = transpose(m) * v;
}
