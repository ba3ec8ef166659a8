//! Q32.32 numbers: products, shifts and a Newton reciprocal.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

uint top(uint64_t x) { uvec2 w = unpack32(x); return w.y != 0u ? 32u + uint(findMSB(w.y)) : uint(findMSB(w.x)); }

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = (u[i] >> 30) | 0x40000000ul;
    uint s = 63u - top(x);
    uint m = uint((x << int(s)) >> 32);
    uint y = 0xffffffffu - (m >> 1) ;
    for (uint k = 0u; k < 4u; ++k) {
        uint hi, lo, h2, l2;
        umulExtended(m, y, hi, lo);
        umulExtended(y, 0u - hi, h2, l2);
        y = h2 << 1 | l2 >> 31;
    }
    r[i] = uvec2(y, s);
}
