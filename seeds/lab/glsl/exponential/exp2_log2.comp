//! exp2 and log2, near their inverse.
//! lab: data.F = { type = "f32", min = -20.0, max = 20.0 }
//! lab: data.R.compare = { ulp = 64 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = f[i];
    r[i] = vec2(exp2(x), log2(abs(x) + 0.001));
}
