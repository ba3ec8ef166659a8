//! int and uint to float and back, all in range, signs and fractions included.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int s = int(a[i]) >> (i & 31u);
    float x = float(s), y = float(a[i] >> (i & 31u));
    r[i] = uvec4(floatBitsToUint(x), floatBitsToUint(y), uint(int(f[i] * 1000.0)), uint(abs(f[i]) * 70000.0));
}
