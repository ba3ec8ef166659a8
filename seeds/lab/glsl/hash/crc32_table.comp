//! CRC-32 by a table that the group makes in shared memory.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[256];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    for (uint e = l; e < 256u; e += 64u) {
        uint c = e;
        for (uint b = 0u; b < 8u; ++b) c = c >> 1 ^ (-(c & 1u) & 0xedb88320u);
        t[e] = c;
    }
    barrier();
    uint c = ~0u;
    for (uint k = 0u; k < 4u; ++k) {
        uint w = a[(i + k) & 127u];
        for (uint b = 0u; b < 4u; ++b) { c = t[(c ^ w) & 255u] ^ c >> 8; w >>= 8; }
    }
    r[i] = ~c;
}
