//! Double division and reciprocal, by refinement.
//! lab: data.D = { type = "f64", min = -100.0, max = 100.0 }
//! lab: compare = { ulp = 8 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) buffer R { double r[128]; };
layout(std430, binding = 2) buffer T { double t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    double y = d[i ^ 1u];
    y = abs(y) < 0.5 ? 3.0lf : y;
    r[i] = d[i] / y;
    t[i] = 1.0lf / y;
}
