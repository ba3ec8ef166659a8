//! A loop that serves one distinct value at a time: scalarisation by ballots.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 7u, turns = 0u, mine = 0u;
    bool done = false;
    while (!done) {
        uint v = subgroupBroadcastFirst(x);
        ++turns;
        if (v == x) {
            mine = subgroupBallotBitCount(subgroupBallot(true)) * 16u + turns;
            done = true;
        }
    }
    r[i] = mine;
}
