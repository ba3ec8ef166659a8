//! 64-bit integers from and to 32-bit words, floats and doubles.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { int64_t r[128]; };
layout(std430, binding = 2) buffer T { double t[128]; };
layout(std430, binding = 3) buffer W { uvec2 w[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int64_t x = int64_t(u[i]) >> 20;
    r[i] = int64_t(float(int(x >> 16))) + int64_t(int(u[i]));
    t[i] = double(x);
    w[i] = uvec2(unpack32(u[i]).yx);
}
