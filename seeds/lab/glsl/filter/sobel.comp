//! Gradients of an image of bytes, packed four to a word.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[32]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

uint pixel(ivec2 p) { p = clamp(p, ivec2(0), ivec2(15, 7)); return a[(p.y * 16 + p.x) >> 2] >> ((p.x & 3) * 8) & 255u; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i & 15u, i >> 4);
    int gx = 0, gy = 0;
    for (int y = -1; y <= 1; ++y) for (int x = -1; x <= 1; ++x) {
        int v = int(pixel(p + ivec2(x, y)));
        gx += v * x * (2 - abs(y));
        gy += v * y * (2 - abs(x));
    }
    r[i] = uint(abs(gx) + abs(gy)) | uint(gx > gy) << 16;
}
