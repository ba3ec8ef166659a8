//! One block of SHA-256 with the schedule in a private array.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

uint rotr(uint x, int n) { return x >> n | x << (32 - n); }
const uint K[64] = uint[64](
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint w[64];
    for (uint k = 0u; k < 16u; ++k) w[k] = a[(i + k * 3u) & 127u];
    for (uint k = 16u; k < 64u; ++k) {
        uint s0 = rotr(w[k - 15u], 7) ^ rotr(w[k - 15u], 18) ^ w[k - 15u] >> 3;
        uint s1 = rotr(w[k - 2u], 17) ^ rotr(w[k - 2u], 19) ^ w[k - 2u] >> 10;
        w[k] = w[k - 16u] + s0 + w[k - 7u] + s1;
    }
    uint h[8] = uint[8](0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u);
    for (uint k = 0u; k < 64u; ++k) {
        uint s1 = rotr(h[4], 6) ^ rotr(h[4], 11) ^ rotr(h[4], 25);
        uint t1 = h[7] + s1 + ((h[4] & h[5]) ^ (~h[4] & h[6])) + K[k] + w[k];
        uint s0 = rotr(h[0], 2) ^ rotr(h[0], 13) ^ rotr(h[0], 22);
        uint t2 = s0 + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
        h[7] = h[6]; h[6] = h[5]; h[5] = h[4]; h[4] = h[3] + t1;
        h[3] = h[2]; h[2] = h[1]; h[1] = h[0]; h[0] = t1 + t2;
    }
    r[i] = uvec4(h[0] ^ h[4], h[1] ^ h[5], h[2] ^ h[6], h[3] ^ h[7]);
}
