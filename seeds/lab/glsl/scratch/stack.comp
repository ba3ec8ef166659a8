//! An explicit stack in private memory, depth up to 64.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint stack[72];
    uint top = 0u, sum = 0u, seen = 0u;
    stack[top++] = 1u + (a[i] & 3u);
    while (top != 0u && seen < 200u) {
        uint n = stack[--top];
        sum = sum * 31u + n;
        ++seen;
        if (n < 40u) {
            if ((a[(i + n) & 127u] & 1u) != 0u) stack[top++] = 2u * n;
            stack[top++] = 2u * n + 1u;
        }
    }
    r[i] = sum ^ seen << 24;
}
