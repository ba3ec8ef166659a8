//! Error-free sums: the rounding error of each addition, exactly.
//! lab: data.D = { type = "f64", min = -1000.0, max = 1000.0 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) buffer R { double r[128]; };
layout(std430, binding = 2) buffer T { double t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    precise double s = d[i] + d[i ^ 1u];
    precise double bb = s - d[i];
    precise double e0 = s - bb;
    precise double e1 = d[i] - e0;
    precise double e2 = d[i ^ 1u] - bb;
    precise double e = e1 + e2;
    r[i] = s;
    t[i] = e;
}
