//! dot, length and distance of two- to four-component vectors.
//! lab: data.F = { type = "f32", min = -8.0, max = 8.0 }
//! lab: data.R.compare = { absolute = 0.001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 x = vec4(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u]);
    vec4 y = x.wzyx * 0.5 + 1.0;
    r[i] = vec4(dot(x, y), length(x.xyz), distance(x.xy, y.zw), dot(x.xy, y.xy));
}
