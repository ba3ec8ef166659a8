//! Minima and maxima over the subgroup, signed, unsigned and float.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { uvec4 r[128]; };
layout(std430, binding = 3) buffer T { vec2 t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    r[i] = uvec4(subgroupMin(x), subgroupMax(x), uint(subgroupMin(int(x))), uint(subgroupMax(int(x))));
    t[i] = vec2(subgroupMin(f[i]), subgroupMax(f[i]));
}
