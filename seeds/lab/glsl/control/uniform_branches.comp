//! Branches and loops by values that are the same for the wave: scalar jumps.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[16]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint s = a[i];
    uint n = b[gl_WorkGroupID.x] & 15u;
    for (uint k = 0u; k < n; ++k) {
        uint w = b[k & 15u];
        if ((w & 1u) != 0u) s += w; else if ((w & 2u) != 0u) s ^= w; else s = s << 1 | s >> 31;
        if ((w & 0x7cu) == 0u) break;
    }
    r[i] = s;
}
