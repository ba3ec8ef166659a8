// Atomics: a histogram in workgroup memory, merged into memory with atomics, and returned values.
#version 450
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint src[]; };
layout(set = 0, binding = 1, std430) buffer Out { uint bins[16]; uint low; uint high; uint bits; uint tickets; };
shared uint counts[16];
shared uint lowest;

void main() {
    uint t = gl_LocalInvocationID.x;
    if (t < 16u) {
        counts[t] = 0u;
    }
    if (t == 16u) {
        lowest = 0xffffffffu;
    }
    barrier();
    uint v = src[gl_GlobalInvocationID.x];
    uint old = atomicAdd(counts[v >> 28], 1u);
    atomicMin(lowest, v);
    barrier();
    if (t < 16u) {
        atomicAdd(bins[t], counts[t]);
    }
    if (t == 0u) {
        atomicMin(low, lowest);
    }
    atomicMax(high, v);
    atomicOr(bits, 1u << (v & 31u));
    uint ticket = atomicAdd(tickets, 1u);
    if (old > 1000u || ticket > 100000u) {
        atomicXor(low, 0xdeadu);
    }
}
