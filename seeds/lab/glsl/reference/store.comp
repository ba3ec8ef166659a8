//! A pointer is written through, words and vectors.
//! lab: data."root.target" = { pointer = "R" }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Rows { uvec4 v[128]; };
layout(std430, binding = 0) readonly buffer Root { Rows target; } root;
layout(std430, binding = 1) readonly buffer A { uint a[128]; };
layout(std430, binding = 2) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    root.target.v[i] = uvec4(a[i], a[i ^ 1u], i, ~a[i]);
}
