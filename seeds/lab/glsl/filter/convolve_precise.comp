//! A precise seven-tap filter with weights from a constant table.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { float r[128]; };

const float W[7] = float[7](0.03125, 0.109375, 0.21875, 0.28125, 0.21875, 0.109375, 0.03125);

void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float acc = 0.0;
    for (int k = 0; k < 7; ++k) {
        precise float p = f[(i + uint(k) + 125u) & 127u] * W[k];
        acc = acc + p;
    }
    r[i] = acc;
}
