//! A precise multiply and add rounds twice; no compiler may contract it.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float p = f[i] * f[i ^ 1u];
    precise float s = p + f[i ^ 2u];
    precise float d = s * f[i ^ 3u] - p;
    r[i] = vec2(s, d);
}
