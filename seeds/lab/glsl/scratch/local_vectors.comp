//! A private array of uvec4 by run-time indices: wide scratch accesses.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 t[24];
    for (uint k = 0u; k < 24u; ++k) t[k] = uvec4(a[(i + k) & 127u]) * uvec4(1u, 3u, 5u, 7u) + k;
    uint j = a[i] % 24u;
    uvec4 s = t[j] ^ t[(j * 5u + 1u) % 24u];
    t[s.x % 24u] = s.wzyx;
    r[i] = t[(s.x + 1u) % 24u] + t[s.x % 24u];
}
