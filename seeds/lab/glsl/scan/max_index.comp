//! An arg-max reduction that carries the index with the value.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[2]; };

shared uvec2 t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = uvec2(a[i] & 0xffu, l);
    barrier();
    for (uint s = 32u; s > 0u; s >>= 1) {
        if (l < s) {
            uvec2 x = t[l], y = t[l + s];
            if (y.x > x.x || (y.x == x.x && y.y < x.y)) t[l] = y;
        }
        barrier();
    }
    if (l == 0u) r[gl_WorkGroupID.x] = t[0];
}
