//! A histogram in shared memory by atomics, then added to the global one.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[512]; };
layout(std430, binding = 1) buffer R { uint r[64]; };

shared uint h[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    h[l] = 0u;
    barrier();
    for (uint k = 0u; k < 4u; ++k) atomicAdd(h[(a[i + 128u * k] >> 3) & 63u], 1u);
    barrier();
    atomicAdd(r[l], h[l]);
}
