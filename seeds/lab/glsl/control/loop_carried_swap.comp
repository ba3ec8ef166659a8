//! Loop-carried values that exchange places: parallel copies in phis.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u], z = a[i ^ 2u];
    for (uint k = 0u; k < (a[i ^ 3u] & 15u) + 1u; ++k) {
        uint t = x;
        if ((z & 1u) != 0u) { x = y; y = z; z = t; } else { x = z; z = y + 1u; y = t; }
    }
    r[i] = x ^ y * 3u ^ z * 5u;
}
