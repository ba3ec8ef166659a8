//! A median of nine by a network of minima and maxima.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v[9];
    for (uint k = 0u; k < 9u; ++k) v[k] = a[(i + k * 13u) & 127u] & 0xffffu;
    for (uint k = 0u; k < 5u; ++k)
        for (uint j = 8u; j > k; --j) {
            uint lo = min(v[j - 1u], v[j]), hi = max(v[j - 1u], v[j]);
            v[j - 1u] = lo;
            v[j] = hi;
        }
    r[i] = v[4];
}
