//! Particles in a box: position Verlet steps with bounces, precise.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec2 x = vec2(f[i], f[i ^ 1u]), v = vec2(f[i ^ 2u], f[i ^ 3u]) * 0.125;
    for (uint k = 0u; k < 12u; ++k) {
        precise vec2 g = v + vec2(0.0, -0.03125);
        precise vec2 n = x + g;
        v = g;
        if (abs(n.x) > 100.0) v.x = -v.x;
        if (abs(n.y) > 100.0) { v.y = -v.y; n.y = clamp(n.y, -100.0, 100.0); }
        x = n;
    }
    r[i] = vec4(x, v);
}
