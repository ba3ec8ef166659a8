// f32 arithmetic over a buffer with push constants and a partial last group.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer X { float x[]; };
layout(set = 0, binding = 1, std430) buffer Y { float y[]; };
layout(push_constant) uniform Push { float a; float b; uint n; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < n) {
        precise float r = a * x[i];
        r = r + y[i];
        r = r * b - x[i] * 0.5;
        precise float m = max(min(abs(r), 1024.0), -y[i]);
        y[i] = m - r;
    }
}
