//! Morton codes by bit spreading, and back by compaction, in two and three dimensions.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

uint spread1(uint v) {
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}
uint compact1(uint v) {
    v &= 0x55555555u;
    v = (v | v >> 1) & 0x33333333u;
    v = (v | v >> 2) & 0x0f0f0f0fu;
    v = (v | v >> 4) & 0x00ff00ffu;
    return (v | v >> 8) & 0x0000ffffu;
}
uint spread2(uint v) {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xffffu, y = a[i] >> 16;
    uint m2 = spread1(x) | spread1(y) << 1;
    uint m3 = spread2(x & 1023u) | spread2(y & 1023u) << 1 | spread2((x >> 10 ^ y) & 1023u) << 2;
    r[i] = uvec4(m2, m3, compact1(m2) ^ compact1(m2 >> 1) << 16 ^ a[i], x + y);
}
