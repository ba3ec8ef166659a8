//! Modular powers by repeated squaring with a data-dependent exponent.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint base = a[i] & 0x7fffu, e = a[i ^ 1u] & 0x3ffu, m = (a[i ^ 2u] & 0x7fffu) | 1u;
    uint acc = 1u % m;
    base %= m;
    while (e != 0u) {
        if ((e & 1u) != 0u) acc = acc * base % m;
        base = base * base % m;
        e >>= 1;
    }
    r[i] = acc;
}
