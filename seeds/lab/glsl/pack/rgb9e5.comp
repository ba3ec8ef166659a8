//! Shared-exponent colours encoded and decoded with integer steps only.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    uint e = x >> 27;
    uvec3 m = uvec3(x, x >> 9, x >> 18) & 511u;
    uint top = max(m.x, max(m.y, m.z));
    int shift = top == 0u ? 0 : 8 - findMSB(top);
    shift = min(shift, int(e));
    m = m << shift;
    r[i] = m.x | m.y << 9 | m.z << 18 | (e - uint(shift)) << 27;
}
