//! A bitonic sort of 128 keys in shared memory.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer R { uint r[256]; };

shared uint t[128];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[gl_WorkGroupID.x * 128u + l];
    t[l + 64u] = a[gl_WorkGroupID.x * 128u + l + 64u];
    barrier();
    for (uint k = 2u; k <= 128u; k <<= 1) {
        for (uint j = k >> 1; j > 0u; j >>= 1) {
            uint x = 2u * j * (l / j) + l % j;
            uint y = x + j;
            uint p = t[x], q = t[y];
            if ((p > q) == ((x & k) == 0u)) { t[x] = q; t[y] = p; }
            barrier();
        }
    }
    r[gl_WorkGroupID.x * 128u + l] = t[l];
    r[gl_WorkGroupID.x * 128u + l + 64u] = t[l + 64u];
}
