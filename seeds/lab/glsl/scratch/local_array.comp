//! A private array too large for registers, filled and read by run-time indices.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint t[96];
    for (uint k = 0u; k < 96u; ++k) t[k] = a[(i + k) & 127u] ^ k;
    uint s = 0u;
    for (uint k = 0u; k < 24u; ++k) {
        uint j = (s ^ a[(i * 3u + k) & 127u]) % 96u;
        s = s * 33u + t[j];
        t[(j + 7u) % 96u] += s;
    }
    r[i] = s;
}
