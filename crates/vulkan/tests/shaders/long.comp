// Enough to do for a grid of any size to take its time.
#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
    uint x = data[gl_LocalInvocationIndex];
    for (uint i = 0u; i < 4096u; i++) {
        x = x * 1664525u + 1013904223u + (x >> 7);
    }
    data[gl_LocalInvocationIndex] = x;
}
