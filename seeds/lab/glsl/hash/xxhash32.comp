//! xxHash32 of sixteen words in four lanes of state, by its published steps.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

const uint P1 = 2654435761u, P2 = 2246822519u, P3 = 3266489917u;
uint rotl(uint x, int n) { return x << n | x >> (32 - n); }
uint step_(uint v, uint w) { return rotl(v + w * P2, 13) * P1; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v1 = i + P1 + P2, v2 = i + P2, v3 = i, v4 = i - P1;
    for (uint k = 0u; k < 16u; k += 4u) {
        v1 = step_(v1, a[(i + k) & 127u]);
        v2 = step_(v2, a[(i + k + 1u) & 127u]);
        v3 = step_(v3, a[(i + k + 2u) & 127u]);
        v4 = step_(v4, a[(i + k + 3u) & 127u]);
    }
    uint h = rotl(v1, 1) + rotl(v2, 7) + rotl(v3, 12) + rotl(v4, 18) + 64u;
    h ^= h >> 15; h *= P2; h ^= h >> 13; h *= P3; h ^= h >> 16;
    r[i] = h;
}
