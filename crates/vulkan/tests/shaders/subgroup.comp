// Each lane stores its neighbour's index: needs subgroups of a size that the host is told.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
    uint at = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    data[at] = subgroupShuffle(at, gl_SubgroupInvocationID ^ 1u) | gl_SubgroupSize << 16;
}
