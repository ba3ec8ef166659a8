//! A chain of springs in fixed point: exact whatever the order of sums.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { ivec2 r[128]; };

shared int x[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    x[l] = int(l) * 65536 + (int(a[i]) >> 18);
    int v = 0;
    barrier();
    for (uint k = 0u; k < 10u; ++k) {
        int left = l == 0u ? x[l] - 65536 : x[l - 1u], right = l == 63u ? x[l] + 65536 : x[l + 1u];
        v += (left + right - 2 * x[l]) >> 3;
        barrier();
        x[l] += v;
        barrier();
    }
    r[i] = ivec2(x[l], v);
}
