//! The results of atomic adds are each number once: a set, not an order.
//! lab: data.N = { fill = 0, compare = "bits" }
//! lab: data.R.compare = "multiset"
//! lab: data.T.compare = "multiset"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer N { uint n[4]; };
layout(std430, binding = 1) buffer R { uint r[128]; };
layout(std430, binding = 2) buffer T { uint t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = atomicAdd(n[0], 3u);
    t[i] = atomicMax(n[1], 7u) >= 7u ? 1u : 0u;
}
