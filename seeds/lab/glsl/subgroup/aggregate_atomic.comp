//! One atomic a subgroup: counts by ballot, places by exclusive count.
//! lab: data.N = { fill = 0 }
//! lab: data.R = { fill = 0, compare = "multiset" }
//! lab: subgroup_dependent = false
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer N { uint n[1]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    bool keep = (x & 3u) != 0u;
    uvec4 b = subgroupBallot(keep);
    uint base = 0u;
    if (subgroupElect()) base = atomicAdd(n[0], subgroupBallotBitCount(b));
    base = subgroupBroadcastFirst(base);
    if (keep) r[base + subgroupBallotExclusiveBitCount(b)] = x;
}
