//! length() of a run-time array, and a grid-stride loop over it.
//! lab: data.R = { count = 333 }
#version 450
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint n = uint(r.length());
    for (uint k = i; k < n; k += 128u) r[k] = a[k & 127u] + k * n;
}
