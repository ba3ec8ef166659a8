//! ivec and uvec arithmetic component by component, with swizzles written back.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 x = uvec4(a[i], a[i ^ 1u], a[i ^ 2u], a[i ^ 3u]);
    ivec4 y = ivec4(x.wzyx);
    x.xz += x.yw;
    x.yw ^= uvec2(y.xz >> 3);
    y = y * ivec4(3, -5, 7, -9) + ivec4(x);
    x.zyx = x.xyz - uvec3(y.www);
    r[i] = x + uvec4(y);
}
