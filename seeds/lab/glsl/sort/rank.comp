//! A sort by counting smaller keys; equal keys keep their order.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    uint x = a[i] & 0xffu, rank = 0u;
    t[l] = x;
    barrier();
    for (uint k = 0u; k < 64u; ++k) rank += uint(t[k] < x || (t[k] == x && k < l));
    r[gl_WorkGroupID.x * 64u + rank] = x;
}
