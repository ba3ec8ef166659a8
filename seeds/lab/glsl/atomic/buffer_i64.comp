//! Signed 64-bit minimum and maximum; results of adds are a set.
//! lab: data.T.compare = "multiset"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { int64_t u[128]; };
layout(std430, binding = 1) buffer R { int64_t r[2]; };
layout(std430, binding = 2) buffer N { int64_t n[1]; };
layout(std430, binding = 3) buffer T { int64_t t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int64_t x = u[i];
    atomicMin(r[0], x);
    atomicMax(r[1], x);
    t[i] = atomicAdd(n[0], 0x100000001l);
}
