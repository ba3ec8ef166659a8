// Subgroup operations: inclusive scan, ballot and its counts, broadcasts, votes, a divergent sum. The result depends on the
// subgroup size: the wave size of each build.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint src[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 dst[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v = src[i];
    uint prefix = subgroupInclusiveAdd(v);
    uvec4 odd = subgroupBallot((v & 1u) != 0u);
    uint rank = subgroupBallotExclusiveBitCount(odd);
    uint first = subgroupBroadcastFirst(v);
    uint picked = subgroupBroadcast(v, 21u);
    uint flags = (subgroupAny(v == 77u) ? 1u : 0u) | (subgroupAll(v < 1000u) ? 2u : 0u);
    if ((v & 3u) == 2u) {
        prefix ^= subgroupAdd(v) << 16;
    }
    dst[i] = uvec4(prefix, rank | (subgroupBallotBitCount(odd) << 8) | (flags << 24), first, picked);
}
