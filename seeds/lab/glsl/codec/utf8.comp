//! UTF-8 decoded by a small state machine, with errors counted.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint state = 0u, cp = 0u, h = 0u, bad = 0u;
    for (uint k = 0u; k < 24u; ++k) {
        uint c = a[(i + (k >> 2)) & 127u] >> ((k & 3u) * 8u) & 255u;
        if (state == 0u) {
            if (c < 128u) { h = h * 31u + c; }
            else if ((c & 0xe0u) == 0xc0u) { state = 1u; cp = c & 31u; }
            else if ((c & 0xf0u) == 0xe0u) { state = 2u; cp = c & 15u; }
            else if ((c & 0xf8u) == 0xf0u) { state = 3u; cp = c & 7u; }
            else ++bad;
        } else if ((c & 0xc0u) == 0x80u) {
            cp = cp << 6 | (c & 63u);
            if (--state == 0u) h = h * 31u + cp;
        } else { ++bad; state = 0u; }
    }
    r[i] = h ^ bad << 26;
}
