//! 64-bit reductions and scans.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };
layout(std430, binding = 2) buffer T { uint64_t t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = subgroupAdd(u[i]) ^ subgroupInclusiveAdd(u[i]);
    t[i] = subgroupMin(u[i]) + subgroupExclusiveMax(u[i]);
}
