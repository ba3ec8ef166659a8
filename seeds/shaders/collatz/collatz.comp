// A loop whose trip count differs by lane, a divergent break, and nested divergent if/else.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint src[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 dst[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint n = src[i];
    uint steps = 0u;
    uint peak = n;
    while (n > 1u) {
        if ((n & 1u) == 0u) {
            n >>= 1;
        } else {
            n = 3u * n + 1u;
        }
        peak = max(peak, n);
        steps++;
        if (steps == 60u) {
            break;
        }
    }
    uint kind;
    if (steps < 10u) {
        if ((peak & 4u) != 0u) {
            kind = peak * 3u;
        } else {
            kind = src[(i + 1u) & 127u];
        }
    } else {
        if (n > 1u) {
            kind = n + 0x1000u;
        } else {
            kind = peak ^ src[(i * 7u) & 127u];
        }
    }
    dst[i] = uvec2(steps, kind);
}
