//! Each 64-bit atomic on a buffer.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[16]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = u[i];
    atomicAdd(r[0], x); atomicOr(r[1], x & (0x0101010101010101ul << int(i & 7u))); atomicXor(r[2], x); atomicMax(r[3], x);
    atomicMin(r[4], x); atomicAnd(r[5], x | 0xffff00000000fffful);
    atomicAdd(r[8u + uint(x & 7ul)], 1ul);
}
