//! A compare-and-swap loop that adds saturating: order does not matter.
//! lab: data.R = { fill = 0 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[4]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xffffu;
    uint old = r[i & 3u];
    for (uint tries = 0u; tries < 4096u; ++tries) {
        uint want = min(old + x, 1000000u);
        uint got = atomicCompSwap(r[i & 3u], old, want);
        if (got == old) break;
        old = got;
    }
}
