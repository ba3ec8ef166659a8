//! Barriers in a loop whose count is the same for the group but comes from memory.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    uint n = (a[gl_WorkGroupID.x] & 3u) + 2u;
    t[l] = a[i];
    barrier();
    for (uint k = 0u; k < n; ++k) {
        uint x = t[(l + k + 1u) & 63u];
        barrier();
        if ((l & 1u) == (k & 1u)) t[l] = t[l] * 5u + x;
        barrier();
    }
    r[i] = t[l];
}
