//! frexp and ldexp undo one another, with exponents that vary.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { vec4 r[128]; };
layout(std430, binding = 3) buffer N { int n[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int e;
    float m = frexp(f[i] * 3.0, e);
    float back = ldexp(m, e);
    r[i] = vec4(m, back, ldexp(f[i], int(a[i] & 15u) - 8), 0.0);
    n[i] = e;
}
