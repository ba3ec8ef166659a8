//! Half comparisons and selects, with zeros of both signs.
//! lab: data.H = { type = "f16", min = -4.0, max = 4.0 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float16_t x = h[i], y = (i & 3u) == 0u ? x : h[i ^ 1u];
    if ((i & 15u) == 7u) { x = float16_t(0.0); y = float16_t(-0.0); }
    r[i] = uint(x < y) | uint(x <= y) << 1 | uint(x == y) << 2 | uint(x != y) << 3 | uint(x >= y) << 4 | uint(x > y) << 5;
}
