//! asin, acos and atan of one argument.
//! lab: data.F = { type = "f32", min = -0.999, max = 0.999 }
//! lab: data.R.compare = { absolute = 0.001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = f[i];
    r[i] = vec4(asin(x), acos(x), atan(x * 8.0), 0.0);
}
