//! An inclusive scan of a group by doubling distances.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[i];
    barrier();
    for (uint d = 1u; d < 64u; d <<= 1) {
        uint x = l >= d ? t[l - d] : 0u;
        barrier();
        t[l] += x;
        barrier();
    }
    r[i] = t[l];
}
