//! Twenty live values across a divergent loop: register pressure.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v[20];
    for (uint k = 0u; k < 20u; ++k) v[k] = a[(i * 3u + k) & 127u];
    uint n = (a[i] & 3u) + 1u;
    for (uint p = 0u; p < n; ++p)
        for (uint k = 0u; k < 20u; ++k) v[k] = (v[k] ^ v[(k + 7u) % 20u]) * 5u + k;
    uint s = 0u;
    for (uint k = 0u; k < 20u; ++k) s = s * 31u + v[k];
    r[i] = s;
}
