//! atan of two arguments in all four quadrants.
//! lab: data.R.compare = { absolute = 0.0001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { float r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float y = f[i], x = f[i ^ 1u];
    r[i] = atan(y, abs(x) < 0.1 ? 1.0 : x);
}
