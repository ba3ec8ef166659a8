//! Quaternions multiplied and vectors turned by them, precisely.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 p = vec4(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u]), q = p.zwxy * 0.25;
    precise vec4 m = vec4(
        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z);
    r[i] = m;
}
