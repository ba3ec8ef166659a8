//! Double square root and its inverse.
//! lab: data.D = { type = "f64", min = -100.0, max = 100.0 }
//! lab: compare = { ulp = 16 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) buffer R { double r[128]; };
layout(std430, binding = 2) buffer T { double t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    double x = abs(d[i]) + 0.25lf;
    r[i] = sqrt(x);
    t[i] = inversesqrt(x);
}
