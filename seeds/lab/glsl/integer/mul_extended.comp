//! umulExtended and imulExtended: both halves of 64-bit products, edges included.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 5u];
    if ((i & 7u) == 0u) x = 0xffffffffu;
    if ((i & 7u) == 1u) y = 0x80000000u;
    uint uh, ul;
    umulExtended(x, y, uh, ul);
    int sh, sl;
    imulExtended(int(x), int(y), sh, sl);
    r[i] = uvec4(uh, ul, uint(sh), uint(sl));
}
