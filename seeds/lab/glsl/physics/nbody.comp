//! Softened forces among 64 bodies through shared memory.
//! lab: data.F = { type = "f32", min = -4.0, max = 4.0 }
//! lab: data.R.compare = { absolute = 0.001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

shared vec3 t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    vec3 p = vec3(f[i], f[i ^ 1u], f[i ^ 2u]);
    t[l] = p;
    barrier();
    vec3 acc = vec3(0.0);
    for (uint k = 0u; k < 64u; ++k) {
        vec3 d = t[k] - p;
        float q = dot(d, d) + 1.0;
        acc += d * inversesqrt(q * q * q);
    }
    r[i] = vec4(acc, 0.0);
}
