//! An insertion sort of a private array in each lane.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint t[12];
    for (uint k = 0u; k < 12u; ++k) t[k] = a[(i + k * 5u) & 127u];
    for (uint k = 1u; k < 12u; ++k) {
        uint x = t[k];
        int j = int(k) - 1;
        while (j >= 0 && t[j] > x) { t[j + 1] = t[j]; --j; }
        t[j + 1] = x;
    }
    uint s = 0u;
    for (uint k = 0u; k < 12u; ++k) s = s * 31u + t[k];
    r[i] = s;
}
