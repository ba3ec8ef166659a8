//! Differences of neighbours in zigzag order, packed by the width they need.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int x = int(a[i] & 0xfffu), y = int(a[i ^ 1u] & 0xfffu);
    int d = x - y;
    uint z = uint(d << 1) ^ uint(d >> 31);
    uint w = z == 0u ? 0u : uint(findMSB(z)) + 1u;
    uint packed = w << 27 | z;
    int back = int(z >> 1) ^ -int(z & 1u);
    r[i] = packed ^ uint(back == d) << 26;
}
