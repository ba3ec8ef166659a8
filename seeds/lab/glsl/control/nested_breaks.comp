//! Three nested loops; an inner condition leaves two of them by flags.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint s = 0u;
    for (uint p = 0u; p < 4u; ++p) {
        bool out_ = false;
        for (uint q = 0u; q < 5u && !out_; ++q) {
            for (uint t = 0u; ; ++t) {
                uint x = a[(i + p * 16u + q * 4u + t) & 127u];
                s = s * 9u + (x & 255u);
                if ((x & 15u) == 3u) { out_ = true; break; }
                if (t >= (x >> 4 & 3u)) break;
            }
            if ((s & 31u) == 30u) break;
            s += q;
        }
        if (out_) s ^= p << 20;
    }
    r[i] = s;
}
