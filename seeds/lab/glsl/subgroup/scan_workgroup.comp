//! A prefix sum of a group by subgroup scans: the same for any subgroup size.
//! lab: subgroup_dependent = false
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer R { uint r[256]; };

shared uint t[128];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    uint s = subgroupInclusiveAdd(x);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) t[gl_SubgroupID] = s;
    barrier();
    uint before = 0u;
    for (uint k = 0u; k < gl_SubgroupID; ++k) before += t[k];
    r[i] = before + s;
}
