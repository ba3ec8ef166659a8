//! The game of life on 32-bit rows, by bit-parallel adders.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64];
uint rot(uint x, int n) { return x << n | x >> (32 - n); }
void add(inout uint ones, inout uint twos, inout uint fours, uint x) {
    uint c = ones & x;
    ones ^= x;
    uint d = twos & c;
    twos ^= c;
    fours |= d;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[i];
    barrier();
    for (uint k = 0u; k < 6u; ++k) {
        uint u = t[(l + 63u) & 63u], m = t[l], d = t[(l + 1u) & 63u];
        uint ones = 0u, twos = 0u, fours = 0u;
        add(ones, twos, fours, rot(u, 1)); add(ones, twos, fours, u); add(ones, twos, fours, rot(u, 31));
        add(ones, twos, fours, rot(m, 1)); add(ones, twos, fours, rot(m, 31));
        add(ones, twos, fours, rot(d, 1)); add(ones, twos, fours, d); add(ones, twos, fours, rot(d, 31));
        barrier();
        t[l] = twos & ~fours & (ones | m);
        barrier();
    }
    r[i] = t[l];
}
