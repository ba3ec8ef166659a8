//! A precise polynomial by Horner, exact in both because nothing may be fused.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { float r[128]; };

float x0(uint i) { return f[i] * 0.0078125; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float acc = 0.0;
    for (int k = 0; k < 8; ++k) {
        precise float m = acc * x0(i);
        acc = m + f[(i + uint(k)) & 127u];
    }
    r[i] = acc;
}
