//! std430 matrices in a buffer, row-major and column-major views of the same numbers.
//! lab: compare = { absolute = 0.001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer M { mat3 m[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };
layout(std430, binding = 2) buffer S { vec4 s[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 v = m[i] * vec3(1.0, 2.0, 4.0);
    vec3 w = vec3(1.0, 2.0, 4.0) * m[i];
    r[i] = vec4(v, w.x);
    s[i] = vec4(w, m[i][i % 3u][(i + 1u) % 3u]);
}
