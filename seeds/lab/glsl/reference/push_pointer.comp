//! Base addresses from the lanes: each lane follows its own pointer.
//! lab: data."root.x" = { pointer = "A" }
//! lab: data."root.y" = { pointer = "B" }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Word { uint w; };
layout(std430, binding = 0) readonly buffer Root { Word x; Word y; } root;
layout(std430, binding = 1) readonly buffer A { uint a[80]; };
layout(std430, binding = 2) readonly buffer B { uint b[80]; };
layout(std430, binding = 3) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Word p = (i & 1u) != 0u ? root.x : root.y;
    p = p + (i >> 1);
    uint s = p.w;
    if ((s & 3u) == 0u) s += (p + 1u).w;
    r[i] = s;
}
