//! Each comparison with a NaN on either side: all false but not-equal.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    if ((i & 1u) == 1u) x = 0x7fc00000u | i;
    float v = uintBitsToFloat(x & 0xff7fffffu | (x & 0x7f800000u));
    float w = i % 3u == 0u ? uintBitsToFloat(0xffc00001u) : float(i);
    r[i] = uint(v < w) | uint(v <= w) << 1 | uint(v > w) << 2 | uint(v >= w) << 3 | uint(v == w) << 4 | uint(v != w) << 5
        | uint(!(v < w)) << 6 | uint(!(v >= w)) << 7;
}
