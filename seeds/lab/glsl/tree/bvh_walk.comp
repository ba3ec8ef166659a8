//! A walk of an implicit box tree with a stack: integer overlaps counted.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

uvec4 box_(uint n) {
    uint depth = uint(findMSB(n)), at = n - (1u << depth), size = 256u >> ((depth + 1u) / 2u), high = 256u >> (depth / 2u);
    uvec2 lo = uvec2(at & ((1u << ((depth + 1u) / 2u)) - 1u), at >> ((depth + 1u) / 2u)) * uvec2(size, high);
    return uvec4(lo, lo + uvec2(size, high) - 1u);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec2 q = uvec2(a[i] & 0xffu, a[i] >> 8 & 0xffu);
    uint stack[32];
    uint top = 0u, hits = 0u, visits = 0u;
    stack[top++] = 1u;
    while (top > 0u && visits < 250u) {
        uint n = stack[--top];
        ++visits;
        uvec4 b = box_(n);
        if (any(lessThan(q + 24u, b.xy)) || any(greaterThan(q, b.zw))) continue;
        if (n >= 64u) hits = hits * 5u + n;
        else {
            stack[top++] = 2u * n;
            stack[top++] = 2u * n + 1u;
        }
    }
    r[i] = hits ^ visits << 20;
}
