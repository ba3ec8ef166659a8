//! Euclid with a remainder loop whose length differs in each lane.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xfffffu, y = a[i ^ 1u] & 0xfffffu;
    uint steps = 0u;
    while (y != 0u) {
        uint t = x % y;
        x = y;
        y = t;
        ++steps;
    }
    r[i] = x * 64u + steps;
}
