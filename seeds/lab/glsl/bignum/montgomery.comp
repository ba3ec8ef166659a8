//! A Montgomery product modulo an odd 64-bit number.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };

u64vec2 wide(uint64_t x, uint64_t y) {
    uint64_t xl = x & 0xfffffffful, xh = x >> 32, yl = y & 0xfffffffful, yh = y >> 32;
    uint64_t ll = xl * yl, lh = xl * yh, hl = xh * yl, hh = xh * yh;
    uint64_t mid = (ll >> 32) + (lh & 0xfffffffful) + (hl & 0xfffffffful);
    return u64vec2(mid << 32 | (ll & 0xfffffffful), hh + (lh >> 32) + (hl >> 32) + (mid >> 32));
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t n = u[i] | 1ul | 0x8000000000000000ul, x = u[i ^ 1u] >> 1, y = u[i ^ 2u] >> 1;
    uint64_t inv = n;
    for (uint k = 0u; k < 5u; ++k) inv *= 2ul - n * inv;
    u64vec2 t = wide(x, y);
    uint64_t m = t.x * (0ul - inv);
    u64vec2 s = wide(m, n);
    uint64_t lo = t.x + s.x;
    uint64_t c = lo < t.x ? 1ul : 0ul;
    uint64_t hi = t.y + s.y + c;
    bool over = hi < t.y || (c == 1ul && hi == t.y);
    if (over || hi >= n) hi -= n;
    r[i] = hi ^ lo;
}
