//! 16-bit reductions and scans.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint16_t u[128]; };
layout(std430, binding = 1) buffer R { u16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = u16vec4(subgroupAdd(u[i]), subgroupMin(u[i]), subgroupInclusiveAdd(u[i]), subgroupExclusiveXor(u[i]));
}
