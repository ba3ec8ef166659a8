//! Bytes in shared memory written by neighbouring lanes: none may be lost.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint8_t t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = uint8_t(a[i]);
    barrier();
    uint s = 0u;
    for (uint k = 0u; k < 5u; ++k) s = s * 7u + uint(t[(l * 3u + k) & 63u]);
    r[i] = s;
}
