//! A group sum by subgroup sums and shared memory: the same for any subgroup size.
//! lab: subgroup_dependent = false
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[2]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint s = subgroupAdd(a[i]);
    if (subgroupElect()) t[gl_SubgroupID] = s;
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        uint sum = 0u;
        for (uint k = 0u; k < gl_NumSubgroups; ++k) sum += t[k];
        r[gl_WorkGroupID.x] = sum;
    }
}
