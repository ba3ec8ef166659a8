#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer R { uint r[8]; };
void main() {
    uint x = gl_LocalInvocationIndex & 3u, turns = 0u;
    for (;;) {
        ++turns;
        if (subgroupBroadcastFirst(x) == x) {
            r[gl_LocalInvocationIndex] = subgroupBallotBitCount(subgroupBallot(true)) * 16u + turns;
            break;
        }
    }
}
