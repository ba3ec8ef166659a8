//! reflect, refract (total reflection included) and faceforward.
//! lab: data.F = { type = "f32", min = -1.0, max = 1.0 }
//! lab: compare = { absolute = 0.0005 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };
layout(std430, binding = 2) buffer S { vec4 s[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 n = normalize(vec3(f[i], f[i ^ 1u], 2.0));
    vec3 d = normalize(vec3(f[i ^ 2u], f[i ^ 3u], -1.0));
    vec3 t = refract(d, n, (i & 1u) == 0u ? 0.7 : 0.9);
    r[i] = vec4(reflect(d, n), 0.0);
    s[i] = vec4(t + faceforward(n, d, n.zyx), 0.0);
}
