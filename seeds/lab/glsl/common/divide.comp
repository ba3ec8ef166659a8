//! Float division and reciprocals; compilers use an approximate reciprocal.
//! lab: data.R.compare = { ulp = 4 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float y = f[i ^ 1u];
    if (abs(y) < 0.01) y = 1.0;
    r[i] = vec4(f[i] / y, 1.0 / y, 1.0 / (y * y + 1.0), f[i] / 3.0);
}
