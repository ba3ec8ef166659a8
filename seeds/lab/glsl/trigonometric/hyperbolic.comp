//! sinh, cosh, tanh and the inverse functions.
//! lab: data.F = { type = "f32", min = -3.0, max = 3.0 }
//! lab: compare = { absolute = 0.0005 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };
layout(std430, binding = 2) buffer S { vec2 s[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = f[i];
    r[i] = vec4(sinh(x), cosh(x), tanh(x), asinh(x));
    s[i] = vec2(acosh(abs(x) + 1.25), atanh(x * 0.24));
}
