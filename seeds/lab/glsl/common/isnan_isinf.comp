//! isnan and isinf of bits from integers, with each class of value.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    if ((i & 3u) == 1u) x |= 0x7f800000u;
    if ((i & 7u) == 2u) x = (x & 0x80000000u) | 0x7f800000u;
    if ((i & 7u) == 6u) x &= 0x80000000u;
    float v = uintBitsToFloat(x);
    r[i] = uint(isnan(v)) | uint(isinf(v)) << 1 | uint(v == 0.0) << 2 | uint(v != v) << 3;
}
