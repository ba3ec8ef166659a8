//! Adds by lanes in divergent branches to a few counters.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[4]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    if ((x & 1u) != 0u) atomicAdd(r[0], x & 15u);
    else if ((x & 2u) != 0u) atomicAdd(r[1], 2u);
    else {
        for (uint k = 0u; k < (x >> 4 & 7u); ++k) atomicAdd(r[2u + (k & 1u)], k);
    }
}
