//! sqrt and inversesqrt.
//! lab: data.R.compare = { ulp = 4 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = abs(f[i]) + 0.0009765625;
    r[i] = vec2(sqrt(x), inversesqrt(x));
}
