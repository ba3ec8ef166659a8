//! Division by constants: compilers turn them into multiplications by reciprocals.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    int s = int(x);
    uint t = x / 3u ^ x / 7u * 31u ^ x / 10u ^ x / 641u ^ x / 0x80000001u ^ x % 1000003u;
    int q = s / 3 ^ s / -7 ^ s / 10 ^ s / 16 ^ s / -1000;
    r[i] = t ^ uint(q) * 0x9e3779b9u;
}
