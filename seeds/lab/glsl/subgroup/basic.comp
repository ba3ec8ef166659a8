//! Ids, sizes and election of subgroups.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint e = 0u;
    if (subgroupElect()) e = 1u;
    r[i] = uvec4(gl_SubgroupSize | gl_NumSubgroups << 16, gl_SubgroupID, gl_SubgroupInvocationID, e);
}
