//! A pointer from a buffer is followed to another buffer.
//! lab: data."root.words" = { pointer = "A" }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words { uint w[128]; };
layout(std430, binding = 0) readonly buffer Root { Words words; } root;
layout(std430, binding = 1) readonly buffer A { uint a[128]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Words p = root.words;
    r[i] = p.w[i] * 3u + p.w[127u - i];
}
