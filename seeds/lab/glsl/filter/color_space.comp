//! Full-range YCbCr from RGB bytes and back, in integers.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec3 c = ivec3(a[i] & 255u, a[i] >> 8 & 255u, a[i] >> 16 & 255u);
    int y = (77 * c.r + 150 * c.g + 29 * c.b + 128) >> 8;
    int u = ((-43 * c.r - 85 * c.g + 128 * c.b + 128) >> 8) + 128;
    int v = ((128 * c.r - 107 * c.g - 21 * c.b + 128) >> 8) + 128;
    ivec3 d = ivec3(y + ((359 * (v - 128) + 128) >> 8), y - ((88 * (u - 128) + 183 * (v - 128) + 128) >> 8), y + ((454 * (u - 128) + 128) >> 8));
    d = clamp(d, 0, 255);
    r[i] = uvec2(uint(y | u << 8 | v << 16), uint(d.r | d.g << 8 | d.b << 16));
}
