//! packSnorm4x8 and unpackSnorm4x8: -128 and -127 both give -1.
//! lab: data.F = { type = "f32", min = -1.5, max = 1.5 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 u = unpackSnorm4x8(i == 3u ? 0x80817f00u : a[i]);
    r[i] = uvec2(packSnorm4x8(u), packSnorm4x8(vec4(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u])));
}
