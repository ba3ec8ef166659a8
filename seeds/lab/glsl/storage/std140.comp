//! std140 uniform block: padded arrays and matrices.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer R { uint r[128]; };

layout(std140, binding = 1) uniform U { uvec4 u[8]; uint w[4]; int scale; ivec2 m[2]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint k = i & 7u;
    r[i] = u[k].x + uint(scale) + w[i & 3u] + uint(m[int(i & 1u)][1]);
}
