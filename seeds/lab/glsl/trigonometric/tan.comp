//! tan away from its poles, radians and degrees.
//! lab: data.R.compare = { absolute = 0.0001 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = clamp(radians(f[i]), -1.2, 1.2);
    r[i] = vec2(tan(x), degrees(x));
}
