//! Double min, max, abs, floor, ceil, trunc and fract.
//! lab: data.D = { type = "f64", min = -100.0, max = 100.0 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) buffer R { dvec4 r[128]; };
layout(std430, binding = 2) buffer T { dvec4 t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    double x = d[i], y = d[i ^ 1u];
    r[i] = dvec4(min(x, y), max(x, y), abs(x), floor(x));
    t[i] = dvec4(ceil(y), trunc(x), fract(x), sign(y));
}
