//! packUnorm2x16, packSnorm2x16 and their unpack functions.
//! lab: data.F = { type = "f32", min = -1.5, max = 1.5 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint u = packUnorm2x16(unpackUnorm2x16(a[i]));
    uint s = packSnorm2x16(unpackSnorm2x16(a[i]));
    r[i] = uvec4(u, s, packUnorm2x16(vec2(f[i], f[i ^ 1u])), packSnorm2x16(vec2(f[i ^ 2u], f[i])));
}
