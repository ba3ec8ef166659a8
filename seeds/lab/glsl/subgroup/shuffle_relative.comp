//! Shuffles up and down; lanes whose source is outside keep their own.
//! At wave64 RADV uses VGPRs that the two halves of a wave share, which Spirdna does not have yet.
//! lab: waves = [32]
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], id = gl_SubgroupInvocationID, n = gl_SubgroupSize;
    uint u1 = subgroupShuffleUp(x, 1u), u5 = subgroupShuffleUp(x, 5u), d1 = subgroupShuffleDown(x, 1u), d9 = subgroupShuffleDown(x, 9u);
    r[i] = (id >= 1u ? u1 : x) + 3u * (id >= 5u ? u5 : x) + 5u * (id + 1u < n ? d1 : x) + 7u * (id + 9u < n ? d9 : x);
}
