//! Explicit steps of the heat equation on a ring, precise.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { float r[128]; };

shared float t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = f[i];
    barrier();
    for (uint k = 0u; k < 6u; ++k) {
        precise float s = t[(l + 63u) & 63u] + t[(l + 1u) & 63u];
        precise float h = t[l] * 0.5;
        precise float q = s * 0.25;
        precise float n = h + q;
        barrier();
        t[l] = n;
        barrier();
    }
    r[i] = t[l];
}
