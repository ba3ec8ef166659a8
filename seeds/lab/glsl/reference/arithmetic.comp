//! Pointer arithmetic: a reference plus a count, compared and cast.
//! lab: data."root.first" = { pointer = "A" }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Word { uint w; };
layout(std430, binding = 0) readonly buffer Root { Word first; } root;
layout(std430, binding = 1) readonly buffer A { uint a[128]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Word p = root.first + i;
    Word q = root.first + (127u - i);
    uint64_t d = uint64_t(q) - uint64_t(p);
    r[i] = p.w + q.w * 5u + uint(d);
}
