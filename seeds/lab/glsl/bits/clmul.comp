//! Products without carries, 32 by 32 bits.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u], lo = 0u, hi = 0u;
    for (uint k = 0u; k < 32u; ++k) {
        uint m = -(y >> k & 1u);
        lo ^= m & x << k;
        hi ^= k == 0u ? 0u : m & x >> (32u - k);
    }
    r[i] = uvec2(lo, hi);
}
