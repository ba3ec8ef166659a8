//! Atomics through a pointer, 32 and 64 bit.
//! lab: data."root.counters" = { pointer = "R" }
//! lab: data.R = { fill = 0 }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Counters { uint n[16]; uint64_t wide; };
layout(std430, binding = 0) readonly buffer Root { Counters counters; } root;
layout(std430, binding = 1) readonly buffer A { uint a[128]; };
layout(std430, binding = 2) buffer R { uint r[20]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    atomicAdd(root.counters.n[a[i] & 7u], 1u);
    atomicMax(root.counters.n[8u + (a[i] & 3u)], a[i]);
    atomicAdd(root.counters.wide, uint64_t(a[i]));
}
