//! Reductions of vectors, component by component.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec3 x = uvec3(a[i], a[i ^ 1u] >> 3, i);
    r[i] = uvec4(subgroupAdd(x), subgroupMax(x.xy).y);
}
