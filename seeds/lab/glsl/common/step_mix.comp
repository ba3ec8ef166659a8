//! step, sign, abs and mix with a boolean choose without arithmetic.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = f[i], y = f[i ^ 1u];
    bvec2 c = bvec2((i & 1u) != 0u, x < y);
    vec2 m = mix(vec2(x, y), vec2(y, x), c);
    r[i] = vec4(m, step(x, y) + sign(x) * 2.0, abs(y));
}
