//! mix and smoothstep: multiply-adds whose contraction is left to the compiler.
//! lab: data.R.compare = { absolute = 0.0001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float t = f[i ^ 1u] * 0.005 + 0.5;
    r[i] = vec2(mix(f[i], f[i ^ 2u], t), smoothstep(-50.0, 50.0, f[i]));
}
