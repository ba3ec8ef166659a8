//! Gradient noise in two dimensions with floats and a smooth fade.
//! lab: data.F = { type = "f32", min = -16.0, max = 16.0 }
//! lab: data.R.compare = { absolute = 0.0001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { float r[128]; };

float grad(ivec2 c, vec2 d) {
    uint h = uint(c.x) * 0x9e3779b9u ^ uint(c.y) * 0x85ebca6bu;
    h ^= h >> 15; h *= 0x2c1b3c6du; h ^= h >> 12;
    vec2 g = vec2((h & 1u) != 0u ? 1.0 : -1.0, (h & 2u) != 0u ? 0.5 : -0.5);
    return dot((h & 4u) != 0u ? g : g.yx, d);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec2 p = vec2(f[i], f[i ^ 1u]);
    vec2 c = floor(p), q = p - c;
    vec2 u = q * q * (3.0 - 2.0 * q);
    float n0 = mix(grad(ivec2(c), q), grad(ivec2(c) + ivec2(1, 0), q - vec2(1.0, 0.0)), u.x);
    float n1 = mix(grad(ivec2(c) + ivec2(0, 1), q - vec2(0.0, 1.0)), grad(ivec2(c) + ivec2(1, 1), q - vec2(1.0, 1.0)), u.x);
    r[i] = mix(n0, n1, u.y);
}
