//! fma of doubles rounds once.
//! A host may round the product first, as lavapipe does: the original is run on the machine, which rounds once.
//! lab: data.D = { type = "f64", min = -100.0, max = 100.0 }
//! lab: subgroup_dependent = true
//! lab: compare = "bits"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) buffer R { double r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = fma(d[i], d[i ^ 1u], d[i ^ 2u]);
}
