//! Integer lattice noise: hashed corners, exact fixed-point blends.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

uint hash(uvec2 v) {
    uint s = v.x * 747796405u + v.y * 2891336453u + 1u;
    uint w = ((s >> ((s >> 28) + 4u)) ^ s) * 277803737u;
    return w >> 22 ^ w;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] >> 16, y = a[i] & 0xffffu;
    uvec2 c = uvec2(x, y) >> 8, f = uvec2(x, y) & 255u;
    uint n00 = hash(c) & 0xffffu, n10 = hash(c + uvec2(1, 0)) & 0xffffu, n01 = hash(c + uvec2(0, 1)) & 0xffffu, n11 = hash(c + uvec2(1, 1)) & 0xffffu;
    uint top = n00 * (256u - f.x) + n10 * f.x, bottom = n01 * (256u - f.x) + n11 * f.x;
    r[i] = (top >> 8) * (256u - f.y) + (bottom >> 8) * f.y;
}
