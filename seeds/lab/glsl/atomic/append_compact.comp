//! Compaction by an atomic counter: the kept values are a set.
//! lab: data.N = { fill = 0 }
//! lab: data.R = { fill = 0, compare = "multiset" }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer N { uint n[1]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    if ((x & 3u) != 0u) {
        uint at = atomicAdd(n[0], 1u);
        r[at] = x;
    }
}
