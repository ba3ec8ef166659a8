//! Double comparisons, zeros of both signs and equal values.
//! lab: data.D = { type = "f64", min = -4.0, max = 4.0 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    double x = d[i], y = (i & 3u) == 0u ? x : d[i ^ 1u];
    if ((i & 15u) == 7u) { x = 0.0lf; y = -0.0lf; }
    r[i] = uint(x < y) | uint(x <= y) << 1 | uint(x == y) << 2 | uint(x != y) << 3 | uint(x >= y) << 4 | uint(x > y) << 5;
}
