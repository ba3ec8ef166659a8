// Nested loops with continue and break at both levels, and a switch with fall-through.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint src[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint dst[]; };
layout(push_constant) uniform Push { uint rounds; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v = src[i];
    uint acc = i;
    for (uint outer = 0u; outer < rounds; outer++) {
        if (((v >> outer) & 3u) == 1u) {
            continue;
        }
        uint inner = v & 7u;
        while (true) {
            if (inner == 0u) {
                break;
            }
            inner--;
            if ((acc & 3u) == 2u) {
                acc += 5u;
                continue;
            }
            if (acc > 0x00ffffffu) {
                break;
            }
            acc = acc * 3u + inner;
        }
        switch ((acc ^ v) & 7u) {
            case 0u:
                acc += 11u;
                break;
            case 1u:
                acc ^= 0x55u;
            case 2u:
                acc -= 3u;
                break;
            case 5u:
                acc = acc << 1;
                break;
            default:
                acc += outer;
                break;
        }
        if (acc > 0x7fffffffu) {
            acc ^= 0xffff0000u;
            break;
        }
    }
    dst[i] = acc;
}
