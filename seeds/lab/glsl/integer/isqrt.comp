//! Integer square roots by bisection of bits, checked against squares.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], root = 0u;
    for (uint bit = 1u << 15; bit != 0u; bit >>= (a[127] & 0u) + 1u) {
        uint t = root | bit;
        if (t * t <= x) root = t;
    }
    r[i] = root | uint(x - root * root <= 2u * root) << 31;
}
