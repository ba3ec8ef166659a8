//! exp and log: a multiplication before or after the base-2 function.
//! lab: data.F = { type = "f32", min = -20.0, max = 20.0 }
//! lab: data.R.compare = { ulp = 256 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = vec2(exp(f[i] * 0.25), log(abs(f[i]) + 1.5));
}
