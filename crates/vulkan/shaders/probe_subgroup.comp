// Measures the subgroup size: what the built-in says, what a ballot counts, how the lanes are
// numbered, and whether a broadcast reaches the whole subgroup. Eight words an invocation.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 128) in;
layout(std430, set = 0, binding = 0) buffer Words { uint words[]; };
void main() {
    uint at = gl_GlobalInvocationID.x * 8u;
    uvec4 all = subgroupBallot(true);
    words[at + 0u] = gl_SubgroupSize;
    words[at + 1u] = bitCount(all.x) + bitCount(all.y) + bitCount(all.z) + bitCount(all.w);
    words[at + 2u] = gl_SubgroupID;
    words[at + 3u] = gl_SubgroupInvocationID;
    words[at + 4u] = subgroupBroadcastFirst(gl_LocalInvocationIndex);
    words[at + 5u] = words[at + 5u] * 3u + gl_GlobalInvocationID.x;
    words[at + 6u] = gl_NumSubgroups;
    words[at + 7u] = gl_LocalInvocationIndex;
}
