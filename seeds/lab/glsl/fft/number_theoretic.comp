//! A 64-point transform modulo 12289: exact, forward and pointwise square.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

const uint P = 12289u;
shared uint t[64];
uint power(uint b, uint e) {
    uint v = 1u;
    while (e != 0u) {
        if ((e & 1u) != 0u) v = v * b % P;
        b = b * b % P;
        e >>= 1;
    }
    return v;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[gl_WorkGroupID.x * 64u + (bitfieldReverse(l) >> 26)] % P;
    barrier();
    for (uint h = 1u; h < 64u; h <<= 1) {
        uint x = l & ~h & 63u;
        uint w = power(7u, (P - 1u) / (2u * h) * (l & (h - 1u)));
        uint p = t[x], q = t[x | h] * w % P;
        barrier();
        t[l] = (l & h) == 0u ? (p + q) % P : (p + P - q) % P;
        barrier();
    }
    r[i] = t[l] * t[l] % P;
}
