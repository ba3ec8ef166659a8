//! pow of positive bases with small exponents.
//! lab: data.F = { type = "f32", min = -4.0, max = 4.0 }
//! lab: data.R.compare = { ulp = 256 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = vec2(pow(abs(f[i]) + 0.5, 2.5), pow(abs(f[i]) + 0.5, -0.75));
}
