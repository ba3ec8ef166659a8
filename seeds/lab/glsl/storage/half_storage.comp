//! Halves stored by 16-bit storage alone, arithmetic in floats.
//! lab: data.H = { type = "f16", min = -64.0, max = 64.0 }
#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) buffer R { float16_t r[128]; };
layout(std430, binding = 2) buffer V { float16_t v[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = float(h[i]), y = float(h[i ^ 1u]);
    precise float s = x * 2.0 + y;
    r[i] = float16_t(s);
    v[i] = float16_t(y - x);
}
