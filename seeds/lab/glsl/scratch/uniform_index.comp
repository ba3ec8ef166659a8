//! A private array indexed by a value that is the same for the wave.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint t[12];
    for (uint k = 0u; k < 12u; ++k) t[k] = a[(i + k) & 127u];
    uint j = a[gl_WorkGroupID.x] % 12u;
    t[j] ^= 0xffffu;
    r[i] = t[(j + 5u) % 12u] + t[j];
}
