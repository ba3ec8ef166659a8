//! A loop driven by the bits of a ballot, one lane a turn.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], s = 0u;
    uvec2 b = subgroupBallot((x & 9u) == 1u).xy;
    while ((b.x | b.y) != 0u) {
        uint lane = b.x != 0u ? uint(findLSB(b.x)) : 32u + uint(findLSB(b.y));
        s = s * 3u + subgroupShuffle(x, lane);
        if (b.x != 0u) b.x &= b.x - 1u; else b.y &= b.y - 1u;
    }
    r[i] = s;
}
