//! Half add, subtract and multiply, each rounded alone.
//! lab: data.H = { type = "f16", min = -16.0, max = 16.0 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) buffer R { f16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float16_t s = h[i] + h[i ^ 1u];
    precise float16_t p = h[i] * h[i ^ 2u];
    precise float16_t d = s - p;
    r[i] = f16vec4(s, p, d, -h[i]);
}
