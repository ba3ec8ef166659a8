//! packUnorm4x8 and unpackUnorm4x8: clamping and rounding of four channels.
//! lab: data.F = { type = "f32", min = -0.5, max = 1.5 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 v = vec4(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u]);
    uint p = packUnorm4x8(unpackUnorm4x8(a[i]));
    r[i] = uvec2(p, packUnorm4x8(v));
}
