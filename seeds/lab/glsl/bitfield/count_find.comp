//! bitCount, findLSB, findMSB and bitfieldReverse of signed and unsigned, 0 and -1 too.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] >> (i & 31u);
    if (i == 5u) x = 0u;
    if (i == 6u) x = 0xffffffffu;
    if (i == 7u) x = 0x80000000u;
    int s = int(a[i]) >> (i & 31u);
    r[i] = uvec4(uint(bitCount(x)) | uint(findLSB(x)) << 16, uint(findMSB(x)) ^ uint(findLSB(s)) << 8, uint(findMSB(s)), bitfieldReverse(x));
}
