//! Half min, max, clamp, floor, ceil, trunc, fract, abs and sign.
//! lab: data.H = { type = "f16", min = -16.0, max = 16.0 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) buffer R { f16vec4 r[128]; };
layout(std430, binding = 2) buffer T { f16vec4 t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float16_t x = h[i], y = h[i ^ 1u];
    r[i] = f16vec4(min(x, y), max(x, y), floor(x), ceil(y));
    t[i] = f16vec4(trunc(x), fract(x), abs(x), sign(y));
}
