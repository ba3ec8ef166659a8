//! Integer min, max, clamp, abs and sign, signed and unsigned, over edges.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int x = int(a[i]), y = int(a[i ^ 1u]), z = int(a[i ^ 2u]);
    if ((i & 15u) == 3u) x = int(0x80000001u);
    if ((i & 15u) == 4u) y = 0x7fffffff;
    int lo = min(y, z), hi = max(y, z);
    uint ulo = min(uint(y), uint(z)), uhi = max(uint(y), uint(z));
    r[i] = uvec4(uint(clamp(x, lo, hi)), clamp(uint(x), ulo, uhi), uint(abs(x)), uint(sign(x)));
}
