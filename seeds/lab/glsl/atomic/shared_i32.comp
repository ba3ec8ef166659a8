//! Signed atomics on shared memory, results used.
//! lab: data.S.compare = "multiset"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { int r[8]; };
layout(std430, binding = 2) buffer S { uint s[128]; };

shared int t[4];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    int x = int(a[i]);
    if (l < 4u) t[l] = l == 0u ? 0x7fffffff : (l == 1u ? int(0x80000000u) : 0);
    barrier();
    int lo = atomicMin(t[0], x), hi = atomicMax(t[1], x);
    uint got = uint(atomicAdd(t[2], 1));
    barrier();
    if (l < 4u) r[gl_WorkGroupID.x * 4u + l] = t[l];
    s[i] = got;
}
