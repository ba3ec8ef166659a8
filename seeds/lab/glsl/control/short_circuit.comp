//! Conditions with side effects: the right side runs only where the left says so.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

bool bump(inout uint c, uint x) { c = c * 3u + 1u; return (x & 1u) != 0u; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], count = 0u;
    bool p = (x & 1u) != 0u && bump(count, x >> 1) && bump(count, x >> 2);
    bool q = (x & 8u) != 0u || bump(count, x >> 4) || (bump(count, x >> 5) && bump(count, x >> 6));
    r[i] = count << 2 | uint(p) << 1 | uint(q);
}
