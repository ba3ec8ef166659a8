//! floatBitsToUint, intBitsToFloat and friends keep every finite pattern.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xff7fffffu;
    float v = uintBitsToFloat(x);
    float w = intBitsToFloat(int(x ^ 0x80000000u));
    r[i] = uvec4(floatBitsToUint(v), uint(floatBitsToInt(w)), floatBitsToUint(-v), floatBitsToUint(abs(w)));
}
