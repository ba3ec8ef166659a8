//! Two halves of shared memory take turns over eight steps of a stencil.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[2][64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[0][l] = a[i];
    barrier();
    uint from = 0u;
    for (uint k = 0u; k < 8u; ++k) {
        t[1u - from][l] = t[from][(l + 63u) & 63u] + 2u * t[from][l] + t[from][(l + 1u) & 63u];
        from = 1u - from;
        barrier();
    }
    r[i] = t[from][l];
}
