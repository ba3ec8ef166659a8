//! Double add, subtract and multiply, each rounded alone.
//! lab: data.D = { type = "f64", min = -100.0, max = 100.0 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) buffer R { double r[128]; };
layout(std430, binding = 2) buffer T { double t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    precise double s = d[i] + d[i ^ 1u];
    precise double p = d[i] * d[i ^ 2u];
    precise double q = s - p;
    r[i] = s;
    t[i] = q;
}
