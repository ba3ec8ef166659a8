//! Unsigned and signed comparisons disagree on the same words.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 u = uvec4(a[i], a[i ^ 1u], a[i ^ 2u], 0x80000000u);
    ivec4 s = ivec4(u);
    uvec4 m = uvec4(lessThan(u, u.yzwx)) + 2u * uvec4(lessThan(s, s.yzwx)) + 4u * uvec4(lessThanEqual(u, u.zwxy)) + 8u * uvec4(greaterThan(s, s.zwxy));
    r[i] = m.x | m.y << 4 | m.z << 8 | m.w << 12;
}
