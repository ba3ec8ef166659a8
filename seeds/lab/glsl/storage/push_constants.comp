//! Push constants of each kind: scalars, vectors, a run-time index into an array.
//! The index is the same for all that run together: Vulkan wants that, and RADV takes the first lane's.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

layout(push_constant) uniform P { uint scale; int bias; uvec2 offset; uint table[4]; } p;

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = a[i] * p.scale + p.offset.x + p.offset.y * i + p.table[gl_WorkGroupID.x & 3u] + uint(p.bias);
}
