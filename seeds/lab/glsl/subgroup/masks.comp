//! The masks of lanes equal to, below and above one.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 m = gl_SubgroupEqMask ^ gl_SubgroupGtMask, n = gl_SubgroupLeMask ^ gl_SubgroupLtMask;
    r[i] = uvec4(m.xy + gl_SubgroupGeMask.xy, n.xy);
}
