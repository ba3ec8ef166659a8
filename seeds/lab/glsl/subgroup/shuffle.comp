//! Shuffles by a lane picked at run time.
//! At wave64 RADV uses VGPRs that the two halves of a wave share, which Spirdna does not have yet.
//! lab: waves = [32]
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    uint lane = (x >> 7) & (gl_SubgroupSize - 1u);
    r[i] = subgroupShuffle(x, lane) + subgroupShuffle(i, (gl_SubgroupInvocationID * 5u + 3u) & (gl_SubgroupSize - 1u));
}
