//! 64-bit shifts by 0 to 63, left and both kinds of right.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };
layout(std430, binding = 2) buffer T { uint64_t t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int n = int(i & 63u);
    uint64_t x = u[i];
    r[i] = (x << n) ^ (x >> (63 - n));
    t[i] = uint64_t(int64_t(x) >> n);
}
