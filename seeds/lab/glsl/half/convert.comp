//! Half to float, to int, and back; floats narrow with rounding.
//! lab: data.H = { type = "f16", min = -16.0, max = 16.0 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { f16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float w = float(h[i]);
    float16_t n = float16_t(f[i]);
    int k = int(h[i] * float16_t(8.0));
    r[i] = f16vec4(n, float16_t(w * 0.5), float16_t(k), float16_t(float(i) * 0.125));
}
