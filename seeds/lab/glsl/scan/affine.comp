//! A scan of affine maps: the operation does not commute.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

shared uvec2 t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = uvec2(a[i] | 1u, a[i] >> 7);
    barrier();
    for (uint d = 1u; d < 64u; d <<= 1) {
        uvec2 x = uvec2(1u, 0u);
        if (l >= d) x = t[l - d];
        uvec2 y = t[l];
        barrier();
        t[l] = uvec2(x.x * y.x, x.y * y.x + y.y);
        barrier();
    }
    r[i] = t[l];
}
