//! Doubles from and to floats and 32-bit integers.
//! lab: data.D = { type = "f64", min = -1000.0, max = 1000.0 }
//! lab: data.T.compare = { ulp = 2 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer D { double d[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { uvec4 r[128]; };
layout(std430, binding = 3) buffer T { double t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    double x = d[i];
    r[i] = uvec4(floatBitsToUint(float(x)), uint(int(x)), uint(abs(x) * 1000.0lf), uint(double(f[i]) > x));
    t[i] = double(int(i) - 64) * 0.5lf + double(f[i]) + double(i);
}
