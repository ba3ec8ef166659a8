//! sin and cos over a few turns.
//! lab: data.F = { type = "f32", min = -12.0, max = 12.0 }
//! lab: data.R.compare = { absolute = 0.00001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = vec2(sin(f[i]), cos(f[i]));
}
