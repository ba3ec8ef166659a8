//! Exchanges build a linked list in any order; the list is then walked by one thread.
//! lab: groups = [1, 1, 1]
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[2]; };

shared uint t[64], next[64], head;

void main() {
    if (gl_GlobalInvocationID.x < 64u) t[gl_LocalInvocationIndex] = a[gl_LocalInvocationIndex];
    uint l = gl_LocalInvocationIndex;
    if (l == 0u) head = 0xffffffffu;
    barrier();
    next[l] = atomicExchange(head, l);
    barrier();
    if (l == 0u) {
        uint sum = 0u, count = 0u;
        for (uint k = head; k != 0xffffffffu && count < 100u; k = next[k]) { sum += t[k] * 7u; ++count; }
        r[0] = sum;
        r[1] = count;
    }
}
