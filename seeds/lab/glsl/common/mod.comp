//! mod of positive and negative values follows floor, not truncation.
//! lab: data.F = { type = "f32", min = -64.0, max = 64.0 }
//! lab: data.R.compare = { absolute = 0.0001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = vec2(mod(f[i], 8.0), mod(f[i], -0.5));
}
