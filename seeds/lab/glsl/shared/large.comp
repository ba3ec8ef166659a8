//! 32 KiB of shared memory, all of it touched.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[8192];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    for (uint k = l; k < 8192u; k += 64u) t[k] = a[k & 127u] + k;
    barrier();
    uint s = 0u;
    for (uint k = 0u; k < 64u; ++k) s = s * 3u + t[(k * 131u + l * 127u) & 8191u];
    r[i] = s;
}
