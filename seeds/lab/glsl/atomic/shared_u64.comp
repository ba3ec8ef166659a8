//! 64-bit atomics on shared memory.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[8]; };

shared uint64_t t[4];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    if (l < 4u) t[l] = l < 2u ? 0ul : 0xfffffffffffffffful;
    barrier();
    atomicAdd(t[0], u[i]);
    atomicMax(t[1], u[i]);
    atomicMin(t[2], u[i]);
    atomicAnd(t[3], u[i] | 0xfffffffful);
    barrier();
    if (l < 4u) r[gl_WorkGroupID.x * 4u + l] = t[l];
}
