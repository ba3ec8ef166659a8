//! floor, ceil, trunc, roundEven and fract, halves and negative zero included.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };
layout(std430, binding = 2) buffer G { float g[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = i < 32u ? float(int(i) - 16) * 0.5 : f[i];
    r[i] = vec4(floor(x), ceil(x), trunc(x), roundEven(x));
    g[i] = fract(x);
}
