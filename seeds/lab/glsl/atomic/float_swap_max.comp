//! A float maximum through atomic maxima of its bits.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { uint r[2]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = floatBitsToUint(f[i]);
    uint key = (x & 0x80000000u) != 0u ? ~x : x | 0x80000000u;
    atomicMax(r[0], key);
    atomicMin(r[1], key);
}
