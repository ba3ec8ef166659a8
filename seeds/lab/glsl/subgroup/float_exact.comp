//! Float sums of small whole numbers: exact in any order.
//! lab: compare = "bits"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = float(a[i] & 255u) - 128.0;
    r[i] = vec4(subgroupAdd(x), subgroupInclusiveAdd(x), subgroupExclusiveAdd(x), subgroupMax(x));
}
