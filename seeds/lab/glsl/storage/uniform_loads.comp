//! Loads whose address is the same for all lanes: scalar loads of several widths.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer Q { uvec4 q[16]; };
layout(std430, binding = 2) readonly buffer W { uint w[16]; };
layout(std430, binding = 3) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint g = gl_WorkGroupID.x;
    uvec4 x = q[g], y = q[g + 4u];
    uint s = x.x + x.y * 3u + x.z * 5u + x.w * 7u + y.w + w[g * 2u] + w[g * 2u + 1u];
    r[i] = a[i] ^ s;
}
