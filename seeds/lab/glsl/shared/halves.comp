//! Halves in shared memory, written apart and read in pairs.
//! lab: data.H = { type = "f16", min = -16.0, max = 16.0 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) buffer R { float16_t r[128]; };

shared float16_t t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = h[i];
    barrier();
    precise float16_t s = t[(l + 1u) & 63u] + t[(l * 5u) & 63u];
    r[i] = s;
}
