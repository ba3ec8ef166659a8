//! Bilinear samples of a small image at fractional places, fixed point.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

uvec4 px(uint x, uint y) { return uvec4(a[y * 16u + x]) >> uvec4(0u, 8u, 16u, 24u) & 255u; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xfffu, y = a[i] >> 12 & 0x7ffu;
    uint x0 = min(x >> 8, 14u), y0 = min(y >> 8, 6u), fx = x & 255u, fy = y & 255u;
    uvec4 c00 = px(x0, y0), c10 = px(x0 + 1u, y0), c01 = px(x0, y0 + 1u), c11 = px(x0 + 1u, y0 + 1u);
    uvec4 c = ((c00 * (256u - fx) + c10 * fx) * (256u - fy) + (c01 * (256u - fx) + c11 * fx) * fy + 32768u) >> 16;
    r[i] = c.x | c.y << 8 | c.z << 16 | c.w << 24;
}
