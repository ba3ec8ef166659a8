//! FNV-1a over the bytes of four words.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint h = 2166136261u;
    for (uint k = 0u; k < 4u; ++k) {
        uint w = a[(i + k) & 127u];
        for (uint b = 0u; b < 32u; b += 8u) h = (h ^ (w >> b & 255u)) * 16777619u;
    }
    r[i] = h;
}
