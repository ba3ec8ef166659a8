//! A nearest neighbour by a pruned walk with a private stack of two words a level.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[64]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 q = ivec2(a[i] & 255u, a[i] >> 8 & 255u);
    uvec2 stack[20];
    uint top = 0u, best = 0xffffffffu, steps = 0u;
    stack[top++] = uvec2(1u, 0u);
    while (top != 0u && steps < 120u) {
        uvec2 e = stack[--top];
        ++steps;
        if (e.y >= best) continue;
        uint n = e.x;
        ivec2 p = ivec2(b[n & 63u] & 255u, b[n & 63u] >> 8 & 255u);
        ivec2 d = q - p;
        best = min(best, uint(d.x * d.x + d.y * d.y));
        if (n < 32u) {
            int axis = (findMSB(n) & 1) == 0 ? d.x : d.y;
            uint near = 2u * n + uint(axis > 0);
            stack[top++] = uvec2(near ^ 1u, uint(axis * axis));
            stack[top++] = uvec2(near, 0u);
        }
    }
    r[i] = best ^ steps << 20;
}
