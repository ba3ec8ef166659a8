//! modf splits a value, its two parts have the sign of the value.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float whole;
    float part = modf(f[i] * 37.0, whole);
    r[i] = vec2(whole, part);
}
