//! cross and normalize, and the angle between the results.
//! lab: data.F = { type = "f32", min = -8.0, max = 8.0 }
//! lab: data.R.compare = { absolute = 0.0001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 x = vec3(f[i], f[i ^ 1u], 1.5), y = vec3(2.0, f[i ^ 2u], f[i ^ 3u]);
    vec3 n = normalize(x);
    r[i] = vec4(cross(n, normalize(y)), dot(n, n));
}
