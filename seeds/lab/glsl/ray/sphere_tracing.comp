//! Marching along a distance field of integers until it is near or far.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec3 p = ivec3(int(a[i] & 0x3ffu) - 512, int(a[i] >> 10 & 0x3ffu) - 512, -2048);
    int steps = 0, dist = 0;
    for (; steps < 60; ++steps) {
        ivec3 q = abs(p);
        dist = min(q.x + q.y + abs(p.z - 300) - 400, max(q.x, max(q.y, q.z)) + 64);
        if (dist < 16) break;
        p.z += dist >> 1;
        if (p.z > 2048) { steps += 100; break; }
    }
    r[i] = uint(steps) | uint(p.z) << 8;
}
