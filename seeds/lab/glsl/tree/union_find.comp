//! Union-find with path halving in shared memory, merged by one thread a round.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = l;
    barrier();
    if (l == 0u) {
        for (uint k = 0u; k < 40u; ++k) {
            uint x = a[gl_WorkGroupID.x * 64u + k] & 63u, y = a[gl_WorkGroupID.x * 64u + k] >> 6 & 63u;
            while (t[x] != x) { t[x] = t[t[x]]; x = t[x]; }
            while (t[y] != y) { t[y] = t[t[y]]; y = t[y]; }
            if (x != y) t[max(x, y)] = min(x, y);
        }
    }
    barrier();
    uint x = l;
    while (t[x] != x) x = t[x];
    r[i] = x;
}
