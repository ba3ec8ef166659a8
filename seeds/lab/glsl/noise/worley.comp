//! The nearest of nine hashed cell points, by integer distances.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(a[i] & 0xfffu, a[i] >> 12 & 0xfffu);
    ivec2 c = p >> 6;
    uint best = 0xffffffffu, second = 0xffffffffu;
    for (int y = -1; y <= 1; ++y) for (int x = -1; x <= 1; ++x) {
        uint h = uint((c.x + x) * 7919 + (c.y + y) * 104729);
        h ^= h >> 13; h *= 0x5bd1e995u; h ^= h >> 15;
        ivec2 q = (c + ivec2(x, y)) * 64 + ivec2(h & 63u, h >> 6 & 63u) - p;
        uint d = uint(q.x * q.x + q.y * q.y);
        second = min(second, max(best, d));
        best = min(best, d);
    }
    r[i] = uvec2(best, second);
}
