//! 64-bit compare and swap: (key, count) pairs updated together.
//! lab: data.R = { fill = 0 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[2]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = u[i] & 0xfffffffful;
    uint64_t old = r[i & 1u];
    for (uint tries = 0u; tries < 4096u; ++tries) {
        uint64_t key = max(old & 0xfffffffful, x);
        uint64_t want = ((old >> 32) + 1ul) << 32 | key;
        uint64_t got = atomicCompSwap(r[i & 1u], old, want);
        if (got == old) break;
        old = got;
    }
}
