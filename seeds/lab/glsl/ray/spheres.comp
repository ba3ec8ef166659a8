//! Rays against eight spheres, the nearest kept.
//! lab: data.F = { type = "f32", min = -8.0, max = 8.0 }
//! lab: data.R.compare = { absolute = 0.05 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { float r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 o = vec3(f[i] * 0.1, f[i ^ 1u] * 0.1, -10.0), d = normalize(vec3(f[i ^ 2u] * 0.02, f[i ^ 3u] * 0.02, 4.0));
    float best = 1.0e6;
    int which = -1;
    for (int k = 0; k < 8; ++k) {
        vec3 c = vec3(float(k % 3) - 1.0, float(k / 3) - 1.0, float(k) * 0.5) * 2.0 - o;
        float b = dot(c, d), q = dot(c, c) - b * b;
        if (q > 1.0 || b < 0.0) continue;
        float t = b - sqrt(1.0 - q);
        if (t < best) { best = t; which = k; }
    }
    r[i] = which >= 0 ? best : -1.0;
}
