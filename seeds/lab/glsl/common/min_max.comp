//! Float min, max and clamp of ordered values.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = f[i], y = f[i ^ 1u], z = f[i ^ 2u];
    r[i] = vec4(min(x, y), max(y, z), clamp(x, min(y, z), max(y, z)), max(min(x, y), min(max(x, y), z)));
}
