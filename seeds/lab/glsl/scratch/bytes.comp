//! A private array of bytes: sub-dword scratch accesses.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint8_t t[300];
    for (uint k = 0u; k < 75u; ++k) t[(k * 4u + (k & 3u)) % 300u] = uint8_t(a[(i + k) & 127u]);
    for (uint k = 0u; k < 60u; ++k) t[(a[k] + i) % 300u] = uint8_t(k);
    uint s = 0u;
    for (uint k = 0u; k < 60u; ++k) s = s * 5u + uint(t[(a[k] + i) % 300u]);
    r[i] = s;
}
