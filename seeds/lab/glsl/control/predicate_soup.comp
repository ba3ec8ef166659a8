//! Many small ifs whose conditions combine earlier results.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u], s = 0u;
    bool c0 = (x & 1u) != 0u, c1 = (y & 1u) != 0u, c2 = x < y;
    if (c0) s += 1u;
    if (c1 && !c0) s += 2u;
    if (c2 || c1) { s += 4u; c0 = !c0; }
    if (c0 != c2) { s += 8u; if (c1) { s += 16u; c2 = !c2; } else c1 = c2; }
    if (c0 && c1 && c2) s += 32u; else if (c1 == c2) s += 64u;
    while (s < 100u && (c0 || c1)) { s = s * 2u + 1u; c0 = c1; c1 = s < 50u && c2; }
    r[i] = s;
}
