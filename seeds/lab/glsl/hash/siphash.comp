//! SipHash-2-4 of two 64-bit words.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };

uint64_t rotl(uint64_t x, int n) { return x << n | x >> (64 - n); }
void sip(inout uint64_t a, inout uint64_t b, inout uint64_t c, inout uint64_t d) {
    a += b; b = rotl(b, 13) ^ a; a = rotl(a, 32);
    c += d; d = rotl(d, 16) ^ c;
    a += d; d = rotl(d, 21) ^ a;
    c += b; b = rotl(b, 17) ^ c; c = rotl(c, 32);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t k0 = 0x0706050403020100ul, k1 = 0x0f0e0d0c0b0a0908ul;
    uint64_t v0 = k0 ^ 0x736f6d6570736575ul, v1 = k1 ^ 0x646f72616e646f6dul, v2 = k0 ^ 0x6c7967656e657261ul, v3 = k1 ^ 0x7465646279746573ul;
    for (uint m = 0u; m < 3u; ++m) {
        uint64_t w = m < 2u ? u[i ^ m] : 16ul << 56;
        v3 ^= w;
        sip(v0, v1, v2, v3); sip(v0, v1, v2, v3);
        v0 ^= w;
    }
    v2 ^= 255ul;
    for (uint k = 0u; k < 4u; ++k) sip(v0, v1, v2, v3);
    r[i] = v0 ^ v1 ^ v2 ^ v3;
}
