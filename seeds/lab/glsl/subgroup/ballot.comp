//! Ballots, bit counts, first and last bits, and inverse ballots.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    uvec4 b = subgroupBallot((x & 5u) != 0u);
    uint k = subgroupBallotBitCount(b) | subgroupBallotInclusiveBitCount(b) << 8 | subgroupBallotExclusiveBitCount(b) << 16;
    r[i] = uvec4(b.xy, k, subgroupBallotFindLSB(b) | subgroupBallotFindMSB(b) << 8 | uint(subgroupInverseBallot(b)) << 16
        | uint(subgroupBallotBitExtract(b, x & (gl_SubgroupSize - 1u))) << 17);
}
