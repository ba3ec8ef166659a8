//! Base64 made and read back within each lane, by ranges and by switches.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

uint letter(uint v) {
    if (v < 26u) return v + 65u;
    if (v < 52u) return v + 71u;
    if (v < 62u) return v - 4u;
    return v == 62u ? 43u : 47u;
}
uint value(uint c) {
    switch (c) {
    case 43u: return 62u;
    case 47u: return 63u;
    default:
        if (c >= 97u) return c - 71u;
        if (c >= 65u) return c - 65u;
        return c + 4u;
    }
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xffffffu, text = 0u;
    for (uint k = 0u; k < 4u; ++k) text |= letter(x >> (6u * k) & 63u) << (8u * k);
    uint back = 0u;
    for (uint k = 0u; k < 4u; ++k) back |= value(text >> (8u * k) & 255u) << (6u * k);
    r[i] = uvec2(text, back ^ x);
}
